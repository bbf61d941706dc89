// State of one verification: what was written so far and the violations found. Internal to this folder.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "runtime/tile/schema.h"
#include "runtime/tile/verify.h"

namespace np::tile {

class Checker {
 public:
  Checker(const FlatProgram& program, const Hardware& hardware, size_t limit);
  std::vector<Violation> run();

 private:
  enum Known : uint8_t { kUnwritten, kWritten, kByMatmul };

  void report(std::string_view rule, const std::string& message);
  // Reports `rule` unless `holds`; returns `holds`.
  bool require(bool holds, std::string_view rule, const std::string& message);
  const FlatBuffer& buffer(const FlatView& view) const { return program_.buffers[static_cast<size_t>(view.buffer)]; }
  Memory memory(const FlatView& view) const { return buffer(view).memory; }
  std::string name(const FlatView& view) const { return "\"%" + buffer(view).name + "\""; }

  // verify.cc: buffers and data flow
  void checkBuffers();
  void checkCapacity();
  void checkOutputs();
  void checkReads(const FlatInstruction& i);
  void markWrites(const FlatInstruction& i);
  void forgetDead(const FlatInstruction& i);
  bool isWritten(const FlatView& view);
  std::vector<uint8_t>& known(const FlatView& view);
  void checkAccumulate(const FlatInstruction& i);

  // verify_operands.cc: views, engines
  void checkOperands(const FlatInstruction& i);
  void checkEngineView(const FlatView& view, std::string_view argument);
  void checkDmaView(const FlatView& view, std::string_view argument);
  void checkGather(const FlatView& view);
  void checkDestination(const FlatView& view);
  void checkOverlap(const FlatView& dst, const FlatView& src);
  void checkScalar(const FlatInstruction& i, std::string_view argument, int64_t partitions, bool bitwise);
  Engine engineOf(const FlatInstruction& i);  // reports an engine that cannot run it
  void checkEngineMemory(const FlatInstruction& i, Engine engine);

  // verify_instructions.cc: one per family
  void checkInstruction(const FlatInstruction& i);
  void sameShape(const FlatView& dst, std::initializer_list<const FlatView*> others);
  void atMostOnePsum(std::initializer_list<const FlatView*> views);
  void arithmetic(const FlatInstruction& i, std::string_view op, bool bitwise);
  void bitwiseIntegers(std::initializer_list<const FlatView*> views);
  void dmaCopy(const FlatInstruction& i);
  void matmul(const FlatInstruction& i);
  void transpose(const FlatInstruction& i, Engine engine);
  void inOneBank(const FlatView& dst);
  void tensorScalar(const FlatInstruction& i, Engine engine);
  void reduce(const FlatInstruction& i);
  void activation(const FlatInstruction& i);
  void affine(const FlatInstruction& i);
  void max8(const FlatInstruction& i);
  void gatherFree(const FlatInstruction& i);
  void select(const FlatInstruction& i);
  void fill(const FlatInstruction& i);

  const FlatProgram& program_;
  const Hardware& hardware_;
  size_t limit_;
  int64_t position_ = -1;
  std::vector<Violation> violations_;
  std::vector<std::vector<uint8_t>> known_;  // per buffer; empty until first touched and after its last use
  std::vector<size_t> last_use_;
};

}  // namespace np::tile
