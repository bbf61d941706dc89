// The memory of a concolic run: cells that hold expressions, addressed by concrete element numbers.
//
// Global buffers are the launch file's and live through all launches; shared and local arrays live for one block. A
// cell that was never written reads as the buffer's initial element (in, inout) or is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/launch/inputs.h"
#include "kernel_port/lift/compact_ir.h"
#include "kernel_port/lift/expr_dag.h"

namespace np::kernel_port::lift {

// A slot's content; which fields count follows from the slot's static kind.
struct Value {
  int64_t i = 0;        // Int: the number; Pointer: byte offset
  NodeId n = 0;         // Float: the expression; Int, Pointer: the expression if it depends on data, else 0
  int32_t buffer = -1;  // Pointer; -1 is null
  int8_t bits = 0;      // Int with an expression: anything but so many bits (negative: unsigned ones) is undefined
  friend bool operator==(const Value& a, const Value& b) { return a.i == b.i && a.n == b.n && a.buffer == b.buffer; }
};

struct Cell {
  Value value;
  Kind kind = Kind::None;  // None: never written
  bool partial = false;    // written under a condition on data only
  int32_t writer = -1;     // global buffers: the last thread that wrote it, counted over the grid
};

struct Scatter {
  std::vector<NodeId> index;  // one integer expression per dimension
  Value value;
  bool is_float = false;
};

struct Memory {
  enum class Where : uint8_t { Global, Shared, Local, Bytes };
  Where where = Where::Global;
  std::string name;
  int32_t element = 0;  // bytes of one cell; shared and local arrays take it from the first access
  int64_t limit = -1;   // cells; -1: unknown yet (arrays), grows up to `bytes`
  int64_t bytes = 0;
  std::vector<Cell> cells;
  // Global only.
  launch::ElementType type = launch::ElementType::F32;
  launch::Role role = launch::Role::In;
  std::vector<int64_t> extents;
  std::vector<uint8_t> data;                           // initial contents (Bytes: the argument)
  std::vector<std::pair<int64_t, NodeId>> parameters;  // Bytes: float fields that are scalars of the launch file
  std::vector<Scatter> scatters;
  bool written = false;
  int64_t rewrites = 0;  // stores to a cell that another thread had written
};

// Contents of a cell before the first launch, at the run's concrete data.
double initialValue(const Memory& memory, int64_t element);

// The value of a cell after the additions in the memory's log.
Value resolveScatters(ExprDag& dag, const Memory& memory, int64_t cell, Value value);

// Which dimension an index expression belongs to is open where a dimension has one element only, as it has the stride
// of the one before it. Such an index counts to the last dimension before it with more elements (or the first), and is
// 0 itself: `spread` puts the zeros into an index without these dimensions, `fold` rewrites one that has them.
void spreadUnitDimensions(ExprDag& dag, const std::vector<int64_t>& extents, std::vector<NodeId>& index);
void foldUnitDimensions(ExprDag& dag, const std::vector<int64_t>& extents, std::vector<NodeId>& index);

}  // namespace np::kernel_port::lift
