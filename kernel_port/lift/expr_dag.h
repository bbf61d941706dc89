// ExprDag: hash-consed expressions over input elements, one arena per size that a kernel is run at.
//
// The machine builds *raw* nodes (binary, in program order); canonicalise.h turns them into *canonical* ones (n-ary
// sums with coefficients, products, maxima). Node ids are topological: an operand's id is smaller than its user's.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::lift {

using NodeId = uint32_t;  // 0 is "no node"

enum class Op : uint8_t {
  None,
  Const,    // imm: the bits of the double
  Literal,  // imm: an integer that is a function of the sizes (a trip count, an index); template parameter
  Param,    // aux: scalar number
  Input,    // aux: buffer, imm: element; what the buffer held before the first launch
  Gather,   // aux: buffer, one Linear argument per dimension
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,           // as executed, binary
  Recip,         // canonical form of a divisor
  Call,          // aux: spec::UnOp
  Call2,         // aux: spec::BinOp
  Cast,          // aux: spec::DType; rounding to a narrower float type
  Select,        // condition, then, else
  FloatCompare,  // aux: spec::CmpOp
  IntCompare,    // aux: spec::CmpOp; argument (Linear) compared with 0
  And,
  Or,
  Not,
  Linear,     // imm + sum of coefficient * argument, integers
  IntOp,      // aux: spec::BinOp; integers of data that are not linear
  ToFloat,    // integer (Literal or Linear) as a float
  ToInt,      // float truncated
  FloatBits,  // the bit pattern of a float as an integer; only ever undone
  Sum,        // canonical: imm (bits of a double) + sum of coefficient * argument
  Product,    // canonical: imm (bits of a double) times all arguments
  MaxOf,
  MinOf,  // canonical: imm (bits of a double, -inf or inf for none) and all arguments
};

struct Node {
  Op op = Op::None;
  int32_t aux = 0;
  int64_t imm = 0;
  double value = 0;  // at the data that this run was given
  uint32_t first = 0;
  uint32_t count = 0;
};

int64_t bitsOf(double value);
double doubleOf(int64_t bits);

class ExprDag {
 public:
  ExprDag();

  const Node& node(NodeId id) const { return nodes_[id]; }
  Op op(NodeId id) const { return nodes_[id].op; }
  double value(NodeId id) const { return nodes_[id].value; }
  size_t size() const { return nodes_.size(); }
  NodeId arg(NodeId id, uint32_t i) const { return args_[nodes_[id].first + i]; }
  double coefficient(NodeId id, uint32_t i) const { return coefficients_[nodes_[id].first + i]; }
  // Valid until the next node is made.
  std::span<const NodeId> args(NodeId id) const { return {args_.data() + nodes_[id].first, nodes_[id].count}; }
  std::vector<NodeId> argList(NodeId id) const {
    auto list = args(id);
    return {list.begin(), list.end()};
  }
  bool isConst(NodeId id) const { return nodes_[id].op == Op::Const; }
  bool isConst(NodeId id, double value) const { return isConst(id) && nodes_[id].value == value; }

  // The node with exactly these parts; `coefficients` is empty (all one) or as long as `args`.
  NodeId make(Op op, int32_t aux, int64_t imm, std::span<const NodeId> args, double value,
              std::span<const double> coefficients = {});

  NodeId constant(double value);
  NodeId literal(int64_t value);
  NodeId param(int32_t scalar, double value);
  NodeId input(int32_t buffer, int64_t element, double value);
  NodeId gather(int32_t buffer, std::span<const NodeId> indices, double value, bool guarded);

  // Raw arithmetic; constants fold, identities vanish.
  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b);
  NodeId div(NodeId a, NodeId b);
  NodeId mul(NodeId a, NodeId b);
  NodeId neg(NodeId a) { return mul(constant(-1), a); }
  NodeId recip(NodeId a);
  NodeId extremum(bool minimum, NodeId a, NodeId b);
  NodeId call(spec::UnOp function, NodeId a);
  NodeId call2(spec::BinOp function, NodeId a, NodeId b);
  NodeId cast(spec::DType type, NodeId a);
  NodeId floatCompare(spec::CmpOp relation, NodeId a, NodeId b);
  NodeId logicNot(NodeId a);
  NodeId logic(bool either, NodeId a, NodeId b);
  NodeId select(NodeId condition, NodeId a, NodeId b);
  NodeId toFloat(NodeId integer);
  NodeId toInt(NodeId a);

  // Integers. `terms` may repeat nodes; Linear arguments are flattened.
  NodeId linear(std::vector<std::pair<NodeId, int64_t>> terms, int64_t constant);
  // `integer` REL 0; folds when it does not depend on data.
  NodeId intCompare(spec::CmpOp relation, NodeId integer);
  NodeId intOp(spec::BinOp op, NodeId a, NodeId b, int64_t value);

  // What had to be taken for granted while building or rewriting ("no NaN" ...).
  void assume(std::string what) { assumptions_.insert(std::move(what)); }
  const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  uint64_t hash(const Node& node, std::span<const NodeId> args, std::span<const double> coefficients) const;
  bool same(NodeId id, const Node& node, std::span<const NodeId> args, std::span<const double> coefficients) const;
  void grow();

  std::vector<Node> nodes_;
  std::vector<NodeId> args_;
  std::vector<double> coefficients_;
  std::vector<uint64_t> hashes_;
  std::vector<NodeId> table_;
  std::set<std::string> assumptions_;
};

// The function at a number, in double precision.
double evaluateUnary(spec::UnOp function, double x);
double evaluateBinary(spec::BinOp function, double x, double y);
bool evaluateCompare(spec::CmpOp relation, double x, double y);

}  // namespace np::kernel_port::lift
