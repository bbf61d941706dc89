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

OutputFit::OutputFit(const launch::LaunchFile& file, std::vector<SizeRun*> training, NormalForm form, bool carried)
    : file_(file),
      training_(std::move(training)),
      carried_(carried),
      sizes_(sizesOf(training_)),
      size_fit_(file, sizes_) {
  for (SizeRun* run : training_) {
    normal_.push_back(form(run->dag));
    templaters_.push_back(std::make_unique<Templater>(run->dag, table_, run->extents));
  }
}

const Instance& OutputFit::instanceOf(size_t run, NodeId element) {
  return templaters_[run]->instance(rootForm(training_[run]->dag, normal_[run](element)));
}

OutputFit::Groups OutputFit::groupsOf(size_t run, size_t buffer, const std::vector<NodeId>& elements,
                                      const Window& window) {
  const std::vector<int64_t>& extents = training_[run]->extents[buffer];
  Groups groups;
  for (size_t element = 0; element < elements.size(); ++element) {
    if (elements[element] == 0) continue;
    const Instance& instance = instanceOf(run, elements[element]);
    IntVector index = delinearise(static_cast<int64_t>(element), extents);
    if (window.dim < index.size()) {
      if (window.reversed) index[window.dim] = extents[window.dim] - 1 - index[window.dim];
      index[window.dim] -= window.start;
    }
    groups[instance.id].push_back({std::move(index), &instance});
  }
  return groups;
}

Result<spec::Expr> OutputFit::fitElements(const Elements& elements, size_t buffer,
                                          const std::vector<spec::SizeExpr>& domain, spec::DType type,
                                          spec::Arena& arena, const Window& window, spec::Expr state) {
  std::vector<Groups> groups;
  for (size_t run = 0; run < training_.size(); ++run) groups.push_back(groupsOf(run, buffer, elements[run], window));
  TemplateId main = -1;
  size_t most = 0;
  bool ragged = false, huge = false;
  for (const auto& [id, points] : groups[0]) {
    ragged |= table_.at(id).ragged;
    huge |= table_.at(id).huge;
    size_t total = 0;
    bool everywhere = !table_.at(id).huge;
    for (const Groups& other : groups) {
      everywhere &= other.contains(id);
      if (everywhere) total += other.at(id).size();
    }
    if (everywhere && total > most) main = id, most = total;
  }
  if (main < 0)
    return makeError("NPT2908", huge     ? "its formula is a recurrence or nested too deeply"
                                : ragged ? "it reduces over elements that do not form a box"
                                         : "its formula has another shape at every size");
  std::vector<AffineMap> maps;
  for (size_t run = 0; run < training_.size(); ++run)
    maps.push_back(fitAffine(groups[run].at(main), training_[run]->extents[buffer]));
  NP_ASSIGN(std::vector<spec::Aff> entries, fitOverSizes(maps, size_fit_));
  SpecBuilder builder(file_, table_, sizes_, arena);
  builder.setState(state);
  return builder.build(main, entries, domain, type);
}

Result<spec::Stmt> OutputFit::wholeDomain(size_t output) const {
  const launch::Buffer& buffer = file_.buffers[static_cast<size_t>(training_[0]->outputs[output].buffer)];
  spec::Stmt stmt;
  stmt.out = buffer.name;
  for (const launch::Expr& extent : buffer.extent) {
    auto size = toSizeExpr(extent);
    if (!size) return makeError("NPT2908", "output \"" + buffer.name + "\": an extent that a Spec cannot express");
    stmt.domain.push_back(*size);
  }
  if (buffer.extent.empty()) stmt.domain.push_back(1);
  for (size_t d = 0; d < stmt.domain.size(); ++d) stmt.index.push_back(spec::Aff::axis(static_cast<spec::Axis>(d)));
  return stmt;
}

Result<spec::Stmt> OutputFit::statement(size_t output, spec::Arena& arena) {
  const auto buffer_number = static_cast<size_t>(training_[0]->outputs[output].buffer);
  const launch::Buffer& buffer = file_.buffers[buffer_number];
  std::string what = "output \"" + buffer.name + "\": ";
  NP_ASSIGN(spec::Stmt stmt, wholeDomain(output));
  auto type = *spec::dtypeFromName(launch::name(buffer.type));
  if (auto carried = recurrence(output, stmt, false, arena)) return carried->front();
  Elements elements;
  for (SizeRun* run : training_) elements.push_back(run->outputs[output].elements);
  auto value = fitElements(elements, buffer_number, stmt.domain, type, arena);
  if (!value.ok()) return makeError(value.error().code, what + value.error().message);
  stmt.value = value.value();
  return stmt;
}

Result<std::vector<spec::Stmt>> OutputFit::pieces(size_t output, spec::Arena& arena) {
  const auto buffer_number = static_cast<size_t>(training_[0]->outputs[output].buffer);
  const launch::Buffer& buffer = file_.buffers[buffer_number];
  NP_ASSIGN(spec::Stmt whole, wholeDomain(output));
  if (auto carried = recurrence(output, whole, true, arena)) return *carried;
  std::vector<ElementGrid> grids;
  for (size_t run = 0; run < training_.size(); ++run) {
    ElementGrid grid{training_[run]->extents[buffer_number], {}};
    for (NodeId element : training_[run]->outputs[output].elements) {
      const Instance& instance = instanceOf(run, element);
      if (table_.at(instance.id).huge) return makeError("NPT2908", "nested too deeply to be cut into pieces");
      grid.at.push_back(&instance);
    }
    grids.push_back(std::move(grid));
  }
  auto split = splitPieces(grids, whole.domain, size_fit_);
  if (!split)
    return makeError("NPT2908", "output \"" + buffer.name + "\": not made of a few boxes of one formula each");
  auto type = *spec::dtypeFromName(launch::name(buffer.type));
  std::vector<spec::Stmt> stmts;
  for (const Piece& piece : *split) {
    NP_ASSIGN(spec::Stmt stmt, pieceStatement(piece, grids, whole, type, arena));
    stmts.push_back(std::move(stmt));
  }
  return stmts;
}

Result<spec::Stmt> OutputFit::pieceStatement(const Piece& piece, const std::vector<ElementGrid>& grids, spec::Stmt stmt,
                                             spec::DType type, spec::Arena& arena) {
  for (size_t d = 0; d < piece.size(); ++d) {
    stmt.domain[d] = piece[d].length;
    stmt.index[d] = spec::Aff::axis(static_cast<spec::Axis>(d)) * piece[d].step + spec::Aff::constant(piece[d].start);
  }
  std::vector<AffineMap> maps;
  TemplateId id = -1;
  for (size_t run = 0; run < grids.size(); ++run) {
    std::vector<int64_t> lengths;
    int64_t count = 1;
    for (const PieceDim& dim : piece) lengths.push_back(dim.lengths[run]), count *= dim.lengths[run];
    std::vector<Point> points;
    for (int64_t i = 0; i < count; ++i) {
      IntVector local = delinearise(i, lengths);
      int64_t element = 0;
      for (size_t d = 0; d < piece.size(); ++d)
        element = element * grids[run].extents[d] + local[d] * piece[d].step + piece[d].starts[run];
      points.push_back({std::move(local), grids[run].at[static_cast<size_t>(element)]});
    }
    id = points[0].instance->id;
    maps.push_back(fitAffine(points, lengths));
  }
  NP_ASSIGN(std::vector<spec::Aff> entries, fitOverSizes(maps, size_fit_));
  NP_ASSIGN(stmt.value, SpecBuilder(file_, table_, sizes_, arena).build(id, entries, stmt.domain, type));
  return stmt;
}

}  // namespace np::kernel_port::lift
