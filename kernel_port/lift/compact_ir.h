// Compact form of a device function: flat operations over numbered slots, made once from LLVM IR (translate.h) and then
// executed millions of times. No LLVM below this line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace np::kernel_port::lift {

enum class Code : uint8_t {
  // dst = a CODE b, `width` bits
  Add,
  Sub,
  Mul,
  SDiv,
  UDiv,
  SRem,
  URem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  OrDisjoint,
  Xor,
  SMax,
  SMin,
  UMax,
  UMin,
  ICmp,  // aux: Predicate, width of the operands
  // floats
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRcp,
  FNeg,
  Fma,
  FMax,
  FMin,
  FCmp,    // aux: Relation, flags: kNegated
  FCall,   // aux: spec::UnOp
  FCall2,  // aux: spec::BinOp
  FRound,  // aux: spec::DType
  Select,  // a ? b : c, by the kind of dst
  Move,
  SExt,
  ZExt,
  Trunc,       // aux: width of the operand
  IntToFloat,  // imm: width of the operand, aux: the same if unsigned, else 0
  FloatToInt,  // imm: 1 to an unsigned integer
  BitsToFloat,
  FloatToBits,
  // memory; aux: bytes of one element
  Gep,  // a + imm + sum of scaled slots (scales[first .. first + count])
  Load,
  Store,   // Store: value b to address a
  Copy,    // imm bytes from b to a
  Fill,    // imm zero bytes at a
  Extent,  // how many elements of b bytes the buffer at a has
  Alloca,  // imm: number of the local array
  AtomicAdd,
  AtomicMax,
  AtomicMin,  // dst may be -1 when the old value is not used
  // threads
  Special,  // aux: SpecialRegister
  Barrier,
  Shuffle,  // aux: ShuffleMode; value a, lane operand b, clamp operand c
  // control
  Jump,    // edge b
  Branch,  // condition a, edges b and c
  Return,
  Nop,
  Unsupported,  // imm: index into `messages`; refused when executed
};

enum class Predicate : uint8_t { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge };
enum class Relation : uint8_t { Lt, Le, Eq, True, False };  // a REL b, false on NaN
enum class SpecialRegister : uint8_t {
  TidX,
  TidY,
  TidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NtidX,
  NtidY,
  NtidZ,
  NctaidX,
  NctaidY,
  NctaidZ
};
enum class ShuffleMode : uint8_t { Idx, Up, Down, Xor };
enum class Kind : uint8_t { None, Int, Bool, Float, Pointer };  // Bool: one bit

constexpr uint8_t kFloatValue = 1;  // Load, Store, atomics: the value is a float
constexpr uint8_t kNoWrap = 4;      // Add, Sub, Mul, Shl: overflow is undefined
constexpr uint8_t kNegated = 2;     // FCmp: the result is inverted (unordered relations)

struct Operation {
  Code code = Code::Nop;
  uint8_t aux = 0;
  uint8_t width = 0;
  uint8_t flags = 0;
  int32_t dst = -1, a = -1, b = -1, c = -1;
  int64_t imm = 0;
  int32_t first = 0, count = 0;
  int32_t place = 0;
};

struct Edge {
  int32_t target = 0;
  std::vector<std::pair<int32_t, int32_t>> copies;  // phi: (to, from), all at once
};

struct Block {
  int32_t first = 0;            // operation
  int32_t post_dominator = -1;  // where both ways of its branch meet again; -1: not before the return
  bool leaves_loop = false;     // one way of its branch leaves the loop that the other stays in
  bool guards_loop = false;     // its branch decides whether a loop below is entered
  int32_t place = 0;
};

struct SharedArray {
  std::string name;
  int64_t bytes = 0;  // 0: dynamic shared memory
  bool constant = false;
};

struct Constant {
  int32_t slot = 0;
  Kind kind = Kind::Int;
  int64_t integer = 0;  // Pointer: byte offset
  double real = 0;
  int32_t array = -1;  // Pointer: index into `arrays`, -1 for null
};

struct Place {
  std::string file;
  int32_t line = 0, column = 0;
  std::string text() const {
    return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

struct CompactFunction {
  std::string name;
  std::vector<Operation> operations;
  std::vector<Block> blocks;
  std::vector<Edge> edges;
  std::vector<std::pair<int32_t, int64_t>> scales;  // Gep: (slot, bytes)
  std::vector<Constant> constants;
  std::vector<SharedArray> arrays;
  std::vector<Kind> slots;
  std::vector<int32_t> arguments;  // slots
  std::vector<std::string> messages;
  std::vector<Place> places;
  int32_t locals = 0;
};

}  // namespace np::kernel_port::lift
