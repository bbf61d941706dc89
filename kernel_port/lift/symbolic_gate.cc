// Both sides go through one canonicaliser in one arena, so equal means the same node id. Elements written by no
// statement or by two count as differences.
#include "kernel_port/lift/symbolic_gate.h"

#include <cmath>

#include "kernel_port/lift/canonicalise.h"
#include "kernel_port/lift/instantiate.h"

namespace np::kernel_port::lift {

namespace {

std::string place(const launch::LaunchFile& file, const SizeRun& run, const Output& out, int64_t element) {
  std::string text = file.buffers[static_cast<size_t>(out.buffer)].name + "[";
  for (int64_t i : delinearise(element, run.extents[static_cast<size_t>(out.buffer)]))
    text += (text.back() == '[' ? "" : ", ") + std::to_string(i);
  text += "] at ";
  for (size_t i = 0; i < file.size_names.size(); ++i)
    text += (i == 0 ? "" : ", ") + file.size_names[i] + "=" + std::to_string(run.plan.values[i]);
  return text;
}

}  // namespace

SymbolicCheck checkSymbolic(const spec::Spec& spec, const launch::LaunchFile& file, SizeRun& run) {
  SymbolicCheck check;
  Instantiator instantiator(file, run);
  Canonicaliser canonicaliser(run.dag, FactorOrder::Sorted);
  spec::SizeValues sizes(run.plan.sizes.begin(), run.plan.sizes.end());
  for (const Output& out : run.outputs) {
    const std::vector<int64_t>& extents = run.extents[static_cast<size_t>(out.buffer)];
    std::vector<NodeId> found(out.elements.size(), 0);
    bool is_float = launch::isFloat(file.buffers[static_cast<size_t>(out.buffer)].type);
    auto canonical = [&](NodeId n) { return canonicaliser.canonical(is_float ? n : run.dag.linear({{n, 1}}, 0)); };
    auto differs = [&](int64_t element, const std::string& why) {
      if (check.first_difference.empty()) check.first_difference = place(file, run, out, element) + ": " + why;
    };
    for (const spec::Stmt& stmt : spec.stmts) {
      if (stmt.out != file.buffers[static_cast<size_t>(out.buffer)].name) continue;
      std::vector<int64_t> domain, point(stmt.domain.size(), 0);
      int64_t count = 1;
      for (const spec::SizeExpr& extent : stmt.domain) {
        domain.push_back(extent.evaluate(sizes));
        count *= domain.back();
      }
      for (int64_t i = 0; i < count; ++i) {
        int64_t element = 0;
        bool inside = true;
        for (size_t d = 0; d < stmt.index.size(); ++d) {
          int64_t v = stmt.index[d].offset.evaluate(sizes);
          for (auto [axis, factor] : stmt.index[d].terms) v += factor * point[static_cast<size_t>(axis)];
          inside &= v >= 0 && v < extents[d];
          element = element * extents[d] + v;
        }
        if (!inside) {
          differs(0, "the Spec writes outside the buffer");
          return check;
        }
        NodeId n = instantiator.at(stmt, point);
        if (n == 0) {
          differs(element, instantiator.error());
        } else if (found[static_cast<size_t>(element)] != 0) {
          differs(element, "the Spec writes it twice");
        } else {
          found[static_cast<size_t>(element)] = n;
        }
        for (size_t d = domain.size(); d-- > 0;) {
          if (++point[d] < domain[d]) break;
          point[d] = 0;
        }
      }
    }
    for (size_t element = 0; element < found.size(); ++element) {
      ++check.elements;
      if (found[element] == 0) {
        differs(static_cast<int64_t>(element), "the Spec does not write it");
      } else if (canonical(found[element]) != canonical(out.elements[element])) {
        differs(static_cast<int64_t>(element), "another expression than the kernel's");
      } else {
        ++check.equal;
      }
    }
  }
  check.exhausted = canonicaliser.exhausted();
  return check;
}

}  // namespace np::kernel_port::lift
