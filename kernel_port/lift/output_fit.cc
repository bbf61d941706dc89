// Groups the elements of an output by template, fits the largest group over elements and sizes, and builds the
// statement over the whole output. Border elements that lost terms to padding are usually other templates; the padded
// loads of the main formula explain them.
#include "kernel_port/lift/output_fit.h"

#include <algorithm>

namespace np::kernel_port::lift {

namespace {

spec::SizeValues sizesOf(const SizeRun& run) {
  spec::SizeValues values;
  for (const auto& [name, v] : run.plan.sizes) values[name] = v;
  return values;
}

std::vector<spec::SizeValues> sizesOf(const std::vector<SizeRun*>& runs) {
  std::vector<spec::SizeValues> all;
  for (const SizeRun* run : runs) all.push_back(sizesOf(*run));
  return all;
}

// Integer outputs: a long linear form is a sum, so that it can become a reduction.
NodeId rootForm(ExprDag& dag, NodeId root) {
  if (dag.op(root) != Op::Linear) return root;
  const Node n = dag.node(root);
  if (n.count == 0) return dag.literal(n.imm);
  std::vector<NodeId> args = dag.argList(root);
  std::vector<double> factors;
  for (uint32_t i = 0; i < n.count; ++i) factors.push_back(dag.coefficient(root, i));
  if (args.size() == 1 && factors[0] == 1 && n.imm == 0) return args[0];
  if (args.size() < 3) return root;
  return dag.make(Op::Sum, 0, bitsOf(static_cast<double>(n.imm)), args, n.value, factors);
}

}  // namespace

OutputFit::OutputFit(const launch::LaunchFile& file, std::vector<SizeRun*> training, NormalForm form)
    : file_(file), training_(std::move(training)), sizes_(sizesOf(training_)), size_fit_(file, sizes_) {
  for (SizeRun* run : training_) {
    normal_.push_back(form(run->dag));
    templaters_.push_back(std::make_unique<Templater>(run->dag, table_, run->extents));
  }
}

OutputFit::Groups OutputFit::groupsOf(size_t run, size_t output) {
  SizeRun& r = *training_[run];
  const Output& out = r.outputs[output];
  const std::vector<int64_t>& extents = r.extents[static_cast<size_t>(out.buffer)];
  Groups groups;
  for (size_t element = 0; element < out.elements.size(); ++element) {
    NodeId form = rootForm(r.dag, normal_[run](out.elements[element]));
    const Instance& instance = templaters_[run]->instance(form);
    groups[instance.id].push_back({delinearise(static_cast<int64_t>(element), extents), &instance});
  }
  return groups;
}

Result<spec::Stmt> OutputFit::statement(size_t output, spec::Arena& arena) {
  const auto buffer_number = static_cast<size_t>(training_[0]->outputs[output].buffer);
  const launch::Buffer& buffer = file_.buffers[buffer_number];
  std::string what = "output \"" + buffer.name + "\": ";
  std::vector<Groups> groups;
  for (size_t run = 0; run < training_.size(); ++run) groups.push_back(groupsOf(run, output));
  TemplateId main = -1;
  size_t most = 0;
  for (const auto& [id, points] : groups[0]) {
    size_t least = points.size();
    for (const Groups& other : groups) least = std::min(least, other.contains(id) ? other.at(id).size() : 0);
    if (least > 0 && points.size() > most) main = id, most = points.size();
  }
  if (main < 0) {
    bool ragged = false;
    for (const auto& [id, points] : groups[0]) ragged |= table_.at(id).ragged;
    return makeError("NPT2908", what + (ragged ? "it reduces over elements that do not form a box"
                                               : "its formula has another shape at every size (" +
                                                     std::to_string(groups[0].size()) + " shapes at the first)"));
  }
  std::vector<AffineMap> maps;
  for (size_t run = 0; run < training_.size(); ++run)
    maps.push_back(fitAffine(groups[run].at(main), training_[run]->extents[buffer_number]));
  auto entries = fitOverSizes(maps, size_fit_);
  if (!entries.ok()) return makeError(entries.error().code, what + entries.error().message);
  spec::Stmt stmt;
  stmt.out = buffer.name;
  for (const launch::Expr& extent : buffer.extent) {
    auto size = toSizeExpr(extent);
    if (!size) return makeError("NPT2908", what + "an extent that a Spec cannot express");
    stmt.domain.push_back(*size);
  }
  if (buffer.extent.empty()) stmt.domain.push_back(1);
  for (size_t d = 0; d < stmt.domain.size(); ++d) stmt.index.push_back(spec::Aff::axis(static_cast<spec::Axis>(d)));
  SpecBuilder builder(file_, table_, sizes_, arena);
  auto value = builder.build(main, entries.value(), stmt.domain, *spec::dtypeFromName(launch::name(buffer.type)));
  if (!value.ok()) return makeError(value.error().code, what + value.error().message);
  stmt.value = value.value();
  return stmt;
}

}  // namespace np::kernel_port::lift
