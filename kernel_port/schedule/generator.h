// The generator: "give me node e as a tile, axis P on the partitions, axes Fs in this order on the free side".
//
// Everything follows from one demand function. need() remembers values by (canonical node, role and range of every
// axis) in the loop level of the node's axes, which is loop-invariant code motion, reuse and fusion at once; gen()
// meets layout conflicts by transposing. Loops are scopes on a stack; a value is emitted into the scope of its level,
// before the loops that are still open.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/schedule/access.h"
#include "kernel_port/schedule/facts.h"
#include "kernel_port/spec/spec.h"
#include "runtime/tile/build.h"

namespace np::kernel_port::schedule {

using spec::Axis;
using Node = spec::Expr;
using Axes = std::vector<Axis>;
constexpr Axis kNoAxis = -1;

// What an axis is bound to in a part of the program.
struct Range {
  SymInt start = 0, size = 1;
  SymInt maximum = 1;    // over sizes only: the greatest `size`
  SymInt extent = 1;     // of the whole axis
  int level = 0;         // scope whose loop defines it
  bool grouped = false;  // a chunk of the nest: all of them together have at most group_bound_ elements
};
using Env = std::map<Axis, Range>;

// A value: an immediate, or (part of) a buffer of shape [partitions, one per free axis].
struct Value {
  std::optional<tile::Number> number;
  std::string buffer;
  std::vector<SymInt> shape;
  std::vector<tile::Slice> part;  // empty: all of the buffer
  std::vector<bool> present;      // per free axis demanded: false where the value does not depend on it (extent 1)
  tile::Memory memory = tile::Memory::kSbuf;
  tile::Dtype dtype = tile::Dtype::kF32;
};

class Generator {
 public:
  Generator(const spec::Spec& spec, Facts& facts);

  // Adds the code of one statement. Errors: "SCHED-...".
  Result<void> statement(const spec::Stmt& stmt);
  // The body made so far.
  tile::Block take();

 private:
  struct Scope {
    tile::For loop;  // unused at the bottom
    tile::Block block;
    std::unordered_map<std::string, Value> memo;
  };

  // roots.cc: the nest of a statement
  struct Root {
    Node value = nullptr;
    Access store;
    std::vector<std::pair<Axis, SymInt>> axes;
    tile::Dtype dtype = tile::Dtype::kF32;
  };
  bool maySitAcross(Node value) const;
  void prepare(Root& root);
  void fuseAxes(Root& root);
  bool isFlat(const Root& root) const;
  Result<void> flatNest(Root root);
  Result<void> nest(const Root& root);
  Result<void> store(const Value& value, const Root& root, Axis p, const Axes& fs, const Env& env);

  // roles.cc: which axes go where
  struct Roles {
    Axis partition = kNoAxis;
    Axes free, loops;
    bool row_statistics = false, contracts = false, mixed = false;
  };
  Roles chooseRoles(const Root& root);
  spec::AxisSet batchAxes(Node value) const;
  spec::AxisSet statisticAxes(Node value);

  // generator.cc: demand, scopes, names
  Result<Value> need(Node e, Axis p, Axes fs, const Env& env);
  Result<Value> gen(Node e, Axis p, const Axes& fs, const Env& env);
  std::string demandKey(Node e, Axis p, const Axes& fs, const Env& env);
  int nodeKey(Node e, Axis p, const Axes& fs, const Env& env, spec::AxisSet hidden,
              std::map<std::pair<Node, spec::AxisSet>, int>& done);
  const Value* find(const std::string& key) const;
  void remember(const std::string& key, const Value& value) { top().memo[key] = value; }
  spec::AxisSet freeOf(Node e) const { return e->free & ~removed_; }
  bool depends(Node e, Axis axis) const { return axis != kNoAxis && (freeOf(e) & spec::axisBit(axis)) != 0; }
  bool dependsAny(Node e, const Axes& axes) const;
  int levelOf(Node e, const Env& env) const;
  Scope& top() { return *stack_.back(); }
  void emit(tile::Stmt stmt) { top().block.push_back(std::move(stmt)); }
  std::string fresh(const std::string& hint);
  // Opens "for v in 0..extent step `step`" with v's width; the range starts at base + v.
  Range openLoop(const std::string& hint, const SymInt& extent, const SymInt& step);
  SymInt let(const std::string& hint, const SymInt& value);
  void closeTo(size_t depth);
  Range whole(const SymInt& extent) const { return {0, extent, extent, extent, 0}; }

  // values.cc: tiles and operands
  SymInt partitionsOf(Node e, Axis p, const Env& env) const;
  // The most elements per partition that `e` can have over `fs`, if that is bounded.
  std::optional<int64_t> mostElements(Node e, const Axes& fs, const Env& env) const;
  std::vector<bool> presence(Node e, const Axes& fs) const;
  Value allocate(const std::string& hint, const SymInt& partitions, const std::vector<bool>& present, const Axes& fs,
                 const Env& env, tile::Dtype dtype = tile::Dtype::kF32, tile::Memory memory = tile::Memory::kSbuf);
  Value allocateFor(Node e, Axis p, const Axes& fs, const Env& env);
  tile::View view(const Value& value, const SymInt& partitions) const;
  Result<tile::View> view(const Value& value, const SymInt& partitions, const Axes& fs,
                          const std::vector<bool>& present, const Env& env) const;
  // A per-partition operand: an immediate or an fp32 column.
  tile::Scalar scalar(const Value& value, const SymInt& partitions);
  Value toSbuf(const Value& value);
  Value copyAs(const Value& value, tile::Dtype dtype, const SymInt& partitions);
  Result<Value> column(const Value& value, const SymInt& partitions);
  Value ones();
  void copy(tile::View dst, tile::View src) { emit(tile::tensorCopy(std::move(dst), std::move(src))); }
  std::optional<tile::Number> numberOf(Node e) const;

  // load.cc
  Result<Value> genLoad(Node e, Axis p, const Axes& fs, const Env& env);
  Value genParam(Node e);

  // gather.cc: loads with one index that is data
  struct Clamped {
    Value index, inside;  // a number inside the buffer; 1 where it is the index
  };
  bool guardsOnlyData(Node e, size_t dim) const;
  Result<Clamped> clampIndex(Node e, size_t dim, const Value& index, const SymInt& partitions);
  // `read` where the index was inside, what a guarded load gives outside elsewhere.
  Result<Value> whereInside(Node e, const Value& read, const Value& inside, Axis p, const Axes& fs, const Env& env);
  Result<Value> genGather(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> gatherRows(Node e, size_t dim, Axis p, const Axes& fs, const Env& env);
  Result<Value> gatherInRow(Node e, size_t dim, Axis p, const Axes& fs, const Env& env);
  const Access& accessOf(Node load);
  tile::View hbmView(const std::string& tensor, const Access& access, Axis p, const Axes& fs, const SymInt& partitions,
                     const std::vector<bool>& present, const Env& env) const;

  // pad.cc: fills `out` with a padded load
  Result<void> paddedInto(const Value& out, Node e, Axis p, const Axes& fs, const SymInt& partitions,
                          const std::vector<bool>& present, const Env& env);
  Result<void> paddedRows(const Value& out, Node e, Axis p, const Axes& fs, const SymInt& partitions, const Env& env);

  // recurrence.cc
  spec::AxisSet scanAxes(Node value) const;
  Result<Value> genRecurrence(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> genCoord(Node e, Axis p, const Axes& fs, const Env& env);

  // map.cc
  struct Split {
    tile::Function op;
    Node data = nullptr, uniform = nullptr;
    bool reverse = false;
  };
  bool uniform(Node e, const Axes& fs) const { return !dependsAny(e, fs); }
  bool fusable(Node e, Axis p, const Axes& fs, const Env& env);
  std::optional<Split> split(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> genBinary(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> genWithUniform(Node e, tile::Function op, Node data, Node uniform, bool reverse, Axis p, const Axes& fs,
                               const Env& env);
  Result<Value> genUnary(Node e, Axis p, const Axes& fs, const Env& env, const tile::View* sum);
  Result<Value> genSelect(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> genLogic(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> genCast(Node e, Axis p, const Axes& fs, const Env& env);

  // integer.cc
  std::optional<SymInt> integralBound(Node e) const;
  Result<Value> genIntegerSum(Node e, Axis p, const Axes& fs, const Env& env);

  // reduce.cc
  // A reduction with its axis told apart from an outer one of the same number.
  struct Reduction {
    Node node = nullptr;  // type, operation, extent, free axes
    Axis axis = kNoAxis;
    Node body = nullptr;
  };
  Reduction open(Node e, const Env& env);
  Node renamed(Node e, const spec::Substitution& map,
               const std::map<Axis, std::vector<std::pair<Axis, spec::SizeExpr>>>& parts);
  Result<Value> genReduction(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> rowReduction(const Reduction& r, Axis p, const Axes& fs, const Env& env);
  Result<Value> scalarReduction(const Reduction& r, Axis p, const Env& env);
  Result<Value> foldPartitions(spec::RedOp op, const Value& column, const SymInt& partitions);

  // contract.cc
  struct Factors {
    std::vector<Node> stationary, moving, outside;
  };
  std::optional<Factors> factorsOf(const Reduction& r, Axis p, const Axes& fs) const;
  Result<Value> contract(const Reduction& r, const Factors& factors, Axis p, const Axes& fs, const Env& env);
  Result<Value> contractWide(Node e, Axis p, const Axes& fs, const Env& env);
  Result<Value> operandValue(const std::vector<Node>& factors, Axis k, const Axes& fs, const Env& env, bool resident);
  Result<Value> residentOperand(Node factor, Axis k, Axis f, const Env& env, const SymInt& extent);
  bool isPlainLoad(Node e) const;

  // transpose.cc
  bool mustTranspose(Node e, Axis p, const Axes& fs);
  Result<Value> transpose(Node e, Axis p, Axis f, const Env& env);

  const spec::Spec& spec_;
  spec::Arena& arena_;
  Facts& facts_;
  std::vector<std::shared_ptr<Scope>> stack_;
  std::set<std::string> taken_;
  std::unordered_map<std::string, int> node_keys_;
  std::map<Node, Access> accesses_;  // of this statement
  std::map<Node, int> uses_;         // of this statement
  std::map<Node, spec::AxisSet> statistics_;
  spec::AxisSet removed_ = 0;  // axes fused into their neighbour
  spec::AxisSet batch_ = 0;
  std::map<spec::Axis, spec::SizeExpr> root_extents_;  // of this statement's axes
  int64_t resident_columns_ = 0;                       // elements a partition may hold of operands kept for one sum
  int64_t group_bound_ = 0;                            // see Range::grouped
  int64_t row_limit_ = 0;                              // elements of a row that may be on chip at once
};

// The tile type of a Spec type that NeuronCores have.
Result<tile::Dtype> toTileDtype(spec::DType type);

// nodes of a value that is built from nodes: x*y*z
void flattenProduct(Node e, std::vector<Node>& out);

}  // namespace np::kernel_port::schedule
