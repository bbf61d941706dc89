// Templates: a canonical node is (template, integer vector). The template is the formula with every integer taken out;
// indices, strides, trip counts and integer literals are in the vector. Templates are shared by all sizes, so "the same
// formula at another size" is an integer comparison.
//
//   Sum{x[3,0]*w[0], x[3,1]*w[1], .. x[3,6]*w[6]}   ->   sum over a box of (x[.,.]*w[.]),  (3,0,0, [0,1,1], 7)
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "kernel_port/lift/expr_dag.h"
#include "kernel_port/lift/run_fit.h"

namespace np::kernel_port::lift {

using TemplateId = int32_t;

struct Template {
  enum class Kind : uint8_t {
    Plain,      // as the node's op; Sum, MaxOf, MinOf list their parts
    Scaled,     // imm (bits of a double) times kids[0]; only inside a Sum
    Reduction,  // over a box: own vector is kids[0]'s base, then per level (inner first) kids[0]'s strides and a count
  };
  Kind kind = Kind::Plain;
  Op op = Op::None;  // Reduction: Sum, MaxOf or MinOf
  int32_t aux = 0;
  int64_t imm = 0;     // Reduction: bits of the terms' common coefficient
  int32_t levels = 0;  // Reduction
  int32_t own = 0;     // integers of the node itself, before those of its kids
  std::vector<TemplateId> kids;
  int32_t arity = 0;    // length of the vector
  bool ragged = false;  // holds a long sum whose points form no box
  bool huge = false;    // written out as a tree it is too large; has no kids
};

class TemplateTable {
 public:
  TemplateId intern(Template t);
  const Template& at(TemplateId id) const { return templates_[static_cast<size_t>(id)]; }

 private:
  std::vector<Template> templates_;
  std::map<std::vector<int64_t>, TemplateId> index_;
};

struct Instance {
  TemplateId id = -1;
  IntVector vector;
};

// Extents of the buffers at one size: what turns a flat element number into one index per dimension.
using Extents = std::vector<std::vector<int64_t>>;

// Row-major index of `element`.
IntVector delinearise(int64_t element, const std::vector<int64_t>& extents);

class Templater {
 public:
  Templater(const ExprDag& dag, TemplateTable& table, const Extents& extents)
      : dag_(dag), table_(table), extents_(extents) {}

  const Instance& instance(NodeId canonical);

 private:
  Instance compute(NodeId id);
  Instance computeSet(NodeId id);
  void markIndices(TemplateId id, size_t at, std::vector<bool>& marks) const;
  void walkForwards(TemplateId kid, Box& box) const;
  Instance plain(NodeId id, IntVector own);
  Instance huge();

  const ExprDag& dag_;
  TemplateTable& table_;
  const Extents& extents_;
  std::deque<Instance> instances_;  // references stay valid
  std::vector<int32_t> slot_;       // by node; -1 is none yet
};

}  // namespace np::kernel_port::lift
