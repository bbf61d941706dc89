// Engines by opcode, from the NKI call table.
#include "runtime/tile/engine.h"

#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

constexpr Engine kDma[] = {Engine::kDma};
constexpr Engine kTensor[] = {Engine::kTensor};
constexpr Engine kVector[] = {Engine::kVector};
constexpr Engine kScalar[] = {Engine::kScalar};
constexpr Engine kGpsimd[] = {Engine::kGpsimd};
constexpr Engine kCopy[] = {Engine::kVector, Engine::kScalar, Engine::kGpsimd};
constexpr Engine kTranspose[] = {Engine::kTensor, Engine::kVector};
constexpr Engine kVectorOrGpsimd[] = {Engine::kVector, Engine::kGpsimd};

bool isWideInteger(const FlatProgram& program, const FlatInstruction& i) {
  for (const char* name : {"dst", "data1", "data2"}) {
    const FlatView& view = *i.view(name);
    const Memory memory = program.buffers[static_cast<size_t>(view.buffer)].memory;
    if ((view.dtype != Dtype::kI32 && view.dtype != Dtype::kU32) || memory != Memory::kSbuf) return false;
  }
  return true;
}

}  // namespace

std::span<const Engine> enginesOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kDmaCopy:
      return kDma;
    case Opcode::kTensorCopy:
      return kCopy;
    case Opcode::kTensorScalar:
      return kCopy;
    case Opcode::kMemset:
    case Opcode::kTensorTensor:
      return kVectorOrGpsimd;
    case Opcode::kNcMatmul:
      return kTensor;
    case Opcode::kNcTranspose:
      return kTranspose;
    case Opcode::kActivation:
      return kScalar;
    case Opcode::kAffineSelect:
    case Opcode::kIota:
    case Opcode::kNcNGather:
      return kGpsimd;
    default:
      return kVector;
  }
}

Engine chooseEngine(const FlatProgram& program, const FlatInstruction& instruction) {
  if (const int index = argumentIndex(instruction.opcode, "engine"); index >= 0) {
    if (const auto* asked = std::get_if<Engine>(&instruction.arguments[static_cast<size_t>(index)])) return *asked;
  }
  if (instruction.opcode == Opcode::kTensorTensor) {
    const bool power = instruction.function("op") == Function::kPower;
    // Bitwise operations of 32-bit integers stay on VectorE.
    const bool exact =
        isWideInteger(program, instruction) && functionClass(*instruction.function("op")) == FunctionClass::kArithmetic;
    if (power || exact) return Engine::kGpsimd;
  }
  if (instruction.opcode == Opcode::kTensorScalar && instruction.function("op0") == Function::kRsqrt) {
    return Engine::kGpsimd;
  }
  if (instruction.opcode == Opcode::kNcTranspose) {
    const FlatView& dst = *instruction.view("dst");
    const bool psum = program.buffers[static_cast<size_t>(dst.buffer)].memory == Memory::kPsum;
    return psum ? Engine::kTensor : Engine::kVector;
  }
  return enginesOf(instruction.opcode).front();
}

}  // namespace np::tile
