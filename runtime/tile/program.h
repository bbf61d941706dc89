// TileProgram: what a translated kernel does on a NeuronCore, with symbolic sizes.
//
// Buffers live in HBM, SBUF or PSUM; instructions are one-to-one with nisa calls and carry the same argument names
// (schema.h), so that emitting NKI is printing and tracing NKI is parsing. The body has affine loops, clamps (let) and
// conditions over sizes only; instantiate() (flat.h) unrolls it at concrete sizes into a FlatProgram, which is what the
// verifier, the interpreter and the cost model read. Text form: README.md.
//
//   kernel @scale(in %x: f32[M, N], out %y: f32[M, N]) sizes(M, N) {
//     for r in 0..M step 128 {
//       let p = min(128, M - r)
//       tile %t: sbuf f32[p <= 128, N]
//       dma_copy %t, %x[r+:p, 0:N]
//       activation %t, exp, %t, scale=0.5
//       dma_copy %y[r+:p, 0:N], %t
//     }
//   }
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/tile/expr.h"
#include "runtime/tile/names.h"

namespace np::tile {

enum class Opcode {
  kDmaCopy,
  kTensorCopy,
  kMemset,
  kTensorCopyPredicated,
  kNcMatmul,
  kNcTranspose,
  kTensorTensor,
  kTensorScalar,
  kScalarTensorTensor,
  kTensorReduce,
  kActivation,
  kReciprocal,
  kTensorTensorScan,
  kAffineSelect,
  kIota,
  kMax8,
  kNcFindIndex8,
  kNcNGather,
  kSelectReduce,
  kTensorScalarReduce,
};

// One dimension of a slice: `size` elements from `start`, every `step`-th.
struct Slice {
  Expr start, size, step = 1;
};

// One pair of an access pattern, in elements; the outermost pair comes first.
struct ApDim {
  Expr step, size;
};

struct Broadcast {
  int dim = 0;  // of the view so far; must have size 1 there
  Expr size;
};

// Part of a buffer: all of it, a slice per dimension, or an access pattern over its flattened storage (on-chip the
// first pair is the partition: its step is the number of elements a partition holds). Then, in this order,
// permutation, broadcasts, reinterpretation, indirection.
struct View {
  std::string buffer;
  std::vector<Slice> slices;     // empty: whole buffer, or `pattern`
  std::vector<ApDim> pattern;    // empty: slices
  Expr offset;                   // with `pattern`, in elements
  std::vector<int> permutation;  // result dimension d is dimension permutation[d] so far; empty: none
  std::vector<Broadcast> broadcasts;
  std::optional<Dtype> as;  // same element size
  // nki `.ap(vector_offset=, indirect_dim=0)` on HBM: 0 or 1 view of a (P,1) i32 or u32 SBUF tile; row p of the view
  // starts at index[p] rows of the buffer instead of p.
  std::vector<View> index;

  View() = default;
  View(std::string name) : buffer(std::move(name)) {}  // NOLINT(google-explicit-constructor): the whole buffer
  View(const char* name) : buffer(name) {}             // NOLINT(google-explicit-constructor)
  View(std::string name, std::vector<Slice> parts) : buffer(std::move(name)), slices(std::move(parts)) {}
  static View ap(std::string name, std::vector<ApDim> pattern, Expr offset = 0);
};

// An immediate. Its value is scale * numerator / denominator, in double, in this order, as Python would; factors that
// are the constant 1 are skipped. So 1/N is Number{1.0, 1, N}.
struct Number {
  double scale = 0;
  Expr numerator = 1, denominator = 1;

  Number(double value = 0) : scale(value) {}  // NOLINT(google-explicit-constructor)
  Number(double value, Expr num, Expr den) : scale(value), numerator(std::move(num)), denominator(std::move(den)) {}
};

// The value of one argument; std::monostate where an optional argument is absent. Which alternative an argument takes
// is its ArgumentKind in schema.h.
using Argument = std::variant<std::monostate, View, Number, bool, Expr, Function, Engine, ReduceCommand, OobMode,
                              std::vector<int>, std::vector<ApDim>>;

// Arguments in the order of the schema; build.h makes well-formed ones.
struct Instruction {
  Opcode opcode = Opcode::kDmaCopy;
  std::vector<Argument> arguments;
};

// Sizes are checked against `maxima` (absent: no bound stated) at every instantiation.
struct Alloc {
  std::string name;
  Memory memory = Memory::kSbuf;
  Dtype dtype = Dtype::kF32;
  std::vector<Expr> shape;
  std::vector<std::optional<int64_t>> maxima;  // empty, or one per dimension
};

struct Let {
  std::string name;
  Expr value;
};

struct Stmt;
using Block = std::vector<Stmt>;

// Names allocated or let inside the body are not visible after it; each iteration allocates anew.
struct For {
  std::string variable;
  Expr lower, upper, step = 1;
  Block body;
};

struct If {
  std::vector<Condition> conditions;  // all must hold
  Block then_body, else_body;
};

struct Stmt {
  std::variant<Alloc, Let, For, If, Instruction> node;
  template <class T>
  Stmt(T value) : node(std::move(value)) {}  // NOLINT(google-explicit-constructor)
};

enum class Role { kIn, kOut };

// A tensor in HBM. Inputs are read only; outputs are allocated by the kernel and returned in this order, so a CUDA
// `inout` buffer is one input and one output.
struct Param {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<Expr> extents;
  Role role = Role::kIn;
};

struct TileProgram {
  std::string name;
  std::vector<std::string> sizes;
  std::vector<Condition> requirements;  // the entry guard: instantiate() refuses sizes that break one
  std::vector<Param> params;
  Block body;
};

}  // namespace np::tile
