// Shapes are hashed bottom up and kept per node. The terms of a sum count as a set of kinds: how many of a kind there
// are depends on the sizes.
#include "kernel_port/lift/shape_hash.h"

#include <algorithm>

namespace np::kernel_port::lift {

uint64_t ShapeHash::of(NodeId id) {
  if (shapes_.size() < dag_.size()) shapes_.resize(dag_.size() + 1024, 0);
  if (shapes_[id] != 0) return shapes_[id];
  Node n = dag_.node(id);
  auto mix = [](uint64_t a, uint64_t b) {
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull;
    return h ^ (h >> 32);
  };
  bool keep_imm = n.op == Op::Const || n.op == Op::Sum || n.op == Op::Product || n.op == Op::MaxOf || n.op == Op::MinOf;
  uint64_t h = mix(mix(static_cast<uint64_t>(n.op) + 1, static_cast<uint64_t>(n.aux)),
                   keep_imm ? static_cast<uint64_t>(n.imm) : 0);
  bool as_set = n.op == Op::Sum || n.op == Op::MaxOf || n.op == Op::MinOf || n.op == Op::Linear;
  std::vector<uint64_t> parts;
  for (uint32_t i = 0; i < n.count; ++i) {
    uint64_t part = of(dag_.arg(id, i));
    parts.push_back(n.op == Op::Sum ? mix(part, static_cast<uint64_t>(bitsOf(dag_.coefficient(id, i)))) : part);
  }
  if (as_set) {  // how many terms of a kind there are depends on the sizes
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  }
  for (uint64_t part : parts) h = mix(h, part);
  if (shapes_.size() < dag_.size()) shapes_.resize(dag_.size() + 1024, 0);
  return shapes_[id] = h == 0 ? 1 : h;
}

}  // namespace np::kernel_port::lift
