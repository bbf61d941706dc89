// The interpreter's state: storages of the live buffers, and row-wise access to views. Internal to this folder.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/tile/interpret.h"
#include "runtime/tile/storage.h"

namespace np::tile {

class Machine {
 public:
  Machine(const FlatProgram& program, RunReport& report);

  void bindParam(size_t buffer, std::byte* data, bool known);
  // False after an error; then error() says what.
  bool step(size_t position);
  bool checkOutputs();
  const std::string& error() const { return error_; }

 private:
  using Row = std::vector<float>;

  bool fail(std::string message);
  Storage& storage(const FlatView& view);
  const FlatBuffer& buffer(const FlatView& view) const { return program_.buffers[static_cast<size_t>(view.buffer)]; }
  bool unknown(const FlatView& view, int64_t element);

  // Row p of an on-chip view: its elements in partition p of the view, in row-major order.
  bool load(const FlatView& view, int64_t p, float* out);
  void store(const FlatView& view, int64_t p, const float* values);
  bool loadIntegers(const FlatView& view, int64_t p, int64_t* out);
  void storeIntegers(const FlatView& view, int64_t p, const int64_t* values);
  // The (P,1) column or immediate of a scalar argument, at partition p.
  bool loadScalar(const FlatArgument& argument, int64_t p, float& out);

  // All elements of a view, any memory, as bytes of its dtype; gathered rows included. `skipped` marks rows that
  // oob_mode=skip leaves out.
  bool pack(const FlatView& view, bool skip, std::vector<std::byte>& out, std::vector<bool>& skipped);
  bool unpack(const FlatView& view, bool skip, const std::vector<std::byte>& bytes, std::vector<bool>& skipped);
  template <class Run>
  bool forEachRowRun(const FlatView& view, bool skip, std::vector<bool>& skipped, Run run);

  bool execute(const FlatInstruction& instruction);
  bool copy(const FlatInstruction& i, std::string_view src);  // dma_copy, tensor_copy
  bool fill(const FlatInstruction& i);
  bool copyPredicated(const FlatInstruction& i);
  bool matmul(const FlatInstruction& i);
  bool transpose(const FlatInstruction& i);
  bool tensorTensor(const FlatInstruction& i);
  bool tensorTensorIntegers(const FlatInstruction& i);
  bool tensorScalar(const FlatInstruction& i);
  bool tensorScalarBitwise(const FlatInstruction& i);
  bool scalarTensorTensor(const FlatInstruction& i);
  bool reduce(const FlatInstruction& i);
  bool activate(const FlatInstruction& i);
  bool reciprocal(const FlatInstruction& i);
  bool scan(const FlatInstruction& i);
  bool affine(const FlatInstruction& i);  // affine_select, iota
  bool max8(const FlatInstruction& i);
  bool findIndex8(const FlatInstruction& i);
  bool gatherFree(const FlatInstruction& i);
  bool selectReduce(const FlatInstruction& i);
  bool scalarReduce(const FlatInstruction& i);
  bool combine(const FlatInstruction& i, std::string_view op, std::string_view operand, std::string_view reverse,
               int64_t p, Row& row);

  const FlatProgram& program_;
  RunReport& report_;
  std::vector<std::optional<Storage>> storages_;
  std::vector<size_t> last_use_;
  size_t position_ = 0;
  std::string error_;
};

}  // namespace np::tile
