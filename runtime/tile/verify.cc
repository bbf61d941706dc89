// The verifier's data flow: capacity by lifetime, initialised reads, accumulation, outputs. Each instruction is checked
// in program order with the set of elements written before it; operands and families are checked in the files beside.
#include "runtime/tile/verify.h"

#include <algorithm>

#include "runtime/tile/checker.h"
#include "runtime/tile/storage.h"

namespace np::tile {
namespace {

constexpr int64_t kSbufAlign = 32;  // bytes; AWS's allocator default, the minimum is not published

constexpr RuleText kRules[] = {
    {"partitions", "a tile has at most 128 partitions"},
    {"sbuf-capacity", "tiles alive at once fit the usable bytes of a partition"},
    {"psum-capacity", "PSUM tiles alive at once fit the 8 banks, each tile starting on a bank"},
    {"start-partition", "up to 32 partitions start at 0, 32, 64 or 96; up to 64 at 0 or 64; more at 0"},
    {"free-dims", "an engine operand has at most 4 free dimensions, a DMA view at most 5 dimensions"},
    {"free-range", "sizes of free dimensions fit 16 bits, steps 16 bits with sign"},
    {"broadcast-partition", "the partition dimension is never broadcast or strided"},
    {"memory", "engines work on SBUF and PSUM, DMA on HBM and SBUF, GpSimd not on PSUM"},
    {"engine", "the engine can run the instruction"},
    {"two-psum", "an instruction reads at most one operand from PSUM"},
    {"same-partitions", "operands have the same number of partitions"},
    {"same-elements", "operands have the same number of elements per partition"},
    {"write-once", "a destination names each of its elements once"},
    {"read-only", "inputs are not written"},
    {"overlap", "a destination is its source or apart from it, never shifted against it"},
    {"dtype", "the element types are among those the instruction takes"},
    {"bitwise", "bitwise operations go with bitwise operations and integer types"},
    {"scalar-operand", "a scalar operand is an immediate or a (P,1) tile of fp32"},
    {"function", "the function may stand in this place"},
    {"initialised", "every element is written before it is read"},
    {"accumulate", "accumulation only onto what a matmul wrote; `accumulate` is said where something is there"},
    {"matmul-shape", "K <= 128, M <= 128, N <= 512, and the shapes agree"},
    {"matmul-bank", "a TensorE result lies in one PSUM bank"},
    {"transpose-size", "TensorE transposes up to 128 x 128, VectorE up to 32 x 32"},
    {"reduce-axes", "a reduction takes the last free axes"},
    {"reduce-result", "reduce_res, reduce_op and reduce_cmd come together; the result is a (P,1) fp32 tile"},
    {"pattern", "an affine pattern has up to 4 pairs and as many elements as the tile"},
    {"affine-start", "an affine value that counts partitions starts at partition 0"},
    {"max8", "max8 and nc_find_index8 take 8 to 16384 elements and 8 values"},
    {"gather", "an indirect DMA takes HBM rows by a (P,1) i32 or u32 SBUF tile"},
    {"memset-value", "a memset value is one of the destination's type"},
    {"output-written", "every element of every output is written"},
};

template <class Visit>
void forEachBuffer(const FlatView& view, Visit visit) {
  visit(static_cast<size_t>(view.buffer));
  for (const FlatView& index : view.index) forEachBuffer(index, visit);
}

}  // namespace

std::span<const RuleText> verifierRules() { return kRules; }

Checker::Checker(const FlatProgram& program, const Hardware& hardware, size_t limit)
    : program_(program),
      hardware_(hardware),
      limit_(limit),
      known_(program.buffers.size()),
      last_use_(program.buffers.size(), 0) {}

void Checker::report(std::string_view rule, const std::string& message) {
  if (violations_.size() >= limit_) return;
  std::string text;
  if (position_ >= 0) {
    const FlatInstruction& i = program_.instructions[static_cast<size_t>(position_)];
    text = "instruction " + std::to_string(position_) + " (" + std::string(schemaOf(i.opcode).name) + "): ";
  }
  text += "rule " + std::string(rule) + ": " + message;
  violations_.push_back({position_, std::string(rule), std::move(text)});
}

bool Checker::require(bool holds, std::string_view rule, const std::string& message) {
  if (!holds) report(rule, message);
  return holds;
}

std::vector<Violation> Checker::run() {
  checkBuffers();
  checkCapacity();
  for (size_t i = 0; i < program_.instructions.size() && violations_.size() < limit_; ++i) {
    position_ = static_cast<int64_t>(i);
    const FlatInstruction& instruction = program_.instructions[i];
    const size_t before = violations_.size();
    checkOperands(instruction);
    // Family rules rely on well-formed operands.
    if (violations_.size() == before) checkInstruction(instruction);
    checkReads(instruction);
    markWrites(instruction);
    forgetDead(instruction);
  }
  position_ = -1;
  checkOutputs();
  return std::move(violations_);
}

void Checker::checkBuffers() {
  for (const FlatBuffer& buffer : program_.buffers) {
    if (buffer.memory == Memory::kHbm) continue;
    require(buffer.shape[0] <= hardware_.partitions, "partitions",
            "\"%" + buffer.name + "\" has " + std::to_string(buffer.shape[0]) + " partitions, at most " +
                std::to_string(hardware_.partitions) + " exist");
  }
}

void Checker::checkCapacity() {
  const size_t count = program_.instructions.size();
  std::vector<size_t> first(program_.buffers.size(), count);
  for (size_t i = 0; i < count; ++i) {
    for (const FlatArgument& argument : program_.instructions[i].arguments) {
      const auto* view = std::get_if<FlatView>(&argument);
      if (!view) continue;
      forEachBuffer(*view, [&](size_t id) {
        first[id] = std::min(first[id], i);
        last_use_[id] = i;
      });
    }
  }
  struct Change {
    int64_t sbuf = 0, banks = 0;
  };
  std::vector<Change> changes(count + 1);
  for (size_t id = 0; id < program_.buffers.size(); ++id) {
    const FlatBuffer& buffer = program_.buffers[id];
    if (buffer.memory == Memory::kHbm || first[id] == count) continue;
    const int64_t bytes = buffer.partitionPitch() * dtypeBytes(buffer.dtype);
    const bool psum = buffer.memory == Memory::kPsum;
    const int64_t sbuf = psum ? 0 : (bytes + kSbufAlign - 1) / kSbufAlign * kSbufAlign;
    const int64_t banks = psum ? (bytes + hardware_.psum_bank_bytes - 1) / hardware_.psum_bank_bytes : 0;
    changes[first[id]].sbuf += sbuf;
    changes[first[id]].banks += banks;
    changes[last_use_[id] + 1].sbuf -= sbuf;
    changes[last_use_[id] + 1].banks -= banks;
  }
  int64_t sbuf = 0, banks = 0;
  bool sbuf_full = false, psum_full = false;
  for (size_t i = 0; i < count; ++i) {
    position_ = static_cast<int64_t>(i);
    sbuf += changes[i].sbuf;
    banks += changes[i].banks;
    if (sbuf > hardware_.sbuf_usable_bytes && !sbuf_full) {
      sbuf_full = true;
      report("sbuf-capacity", std::to_string(sbuf) + " bytes per partition are alive, " +
                                  std::to_string(hardware_.sbuf_usable_bytes) + " are usable");
    }
    if (banks > hardware_.psum_banks && !psum_full) {
      psum_full = true;
      report("psum-capacity",
             std::to_string(banks) + " banks are alive, " + std::to_string(hardware_.psum_banks) + " exist");
    }
  }
  position_ = -1;
}

std::vector<uint8_t>& Checker::known(const FlatView& view) {
  std::vector<uint8_t>& out = known_[static_cast<size_t>(view.buffer)];
  if (out.empty()) {
    const FlatBuffer& of = buffer(view);
    out.assign(static_cast<size_t>(of.elements()), of.is_input ? kWritten : kUnwritten);
  }
  return out;
}

bool Checker::isWritten(const FlatView& view) {
  const FlatBuffer& of = buffer(view);
  if (of.is_input) return true;
  const std::vector<uint8_t>& state = known(view);
  // Which rows a gather reads is not known here: all of the table must be there.
  if (!view.index.empty()) return std::count(state.begin(), state.end(), kUnwritten) == 0;
  return forEachRun(view.dims.data(), view.dims.size(), view.offset, [&](int64_t first, int64_t step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      if (state[static_cast<size_t>(first + i * step)] == kUnwritten) return false;
    }
    return true;
  });
}

void Checker::checkReads(const FlatInstruction& i) {
  const auto arguments = schemaOf(i.opcode).arguments;
  const bool skips = i.opcode == Opcode::kDmaCopy && std::holds_alternative<OobMode>(i.argument("oob_mode"));
  for (size_t a = 0; a < arguments.size(); ++a) {
    const auto* view = std::get_if<FlatView>(&i.arguments[a]);
    if (!view) continue;
    const bool destination = arguments[a].access != Access::kRead;
    // A destination that may be left partly as it was counts as read; matmul has its own rule.
    const bool kept = i.opcode == Opcode::kTensorCopyPredicated || skips || (destination && !view->index.empty());
    if (!view->index.empty() && !isWritten(view->index.front())) {
      report("initialised", "the index " + name(view->index.front()) + " is read before all of it is written");
    }
    if (destination && !kept) continue;
    if (!isWritten(*view)) report("initialised", name(*view) + " is read before all of it is written");
  }
  if (i.opcode == Opcode::kNcMatmul) checkAccumulate(i);
}

void Checker::checkAccumulate(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const bool* accumulate = std::get_if<bool>(&i.argument("accumulate"));
  if (accumulate && !*accumulate) return;
  const std::vector<uint8_t>& state = known(dst);
  const bool must_exist = accumulate != nullptr;
  const bool fine =
      forEachRun(dst.dims.data(), dst.dims.size(), dst.offset, [&](int64_t first, int64_t step, int64_t n) {
        for (int64_t k = 0; k < n; ++k) {
          const uint8_t at = state[static_cast<size_t>(first + k * step)];
          if (must_exist ? at != kByMatmul : at != kUnwritten) return false;
        }
        return true;
      });
  require(fine, "accumulate",
          must_exist ? name(dst) + " is accumulated onto, but not all of it was written by a matmul"
                     : name(dst) + " was written before, say accumulate=true or accumulate=false");
}

void Checker::markWrites(const FlatInstruction& i) {
  const auto arguments = schemaOf(i.opcode).arguments;
  for (size_t a = 0; a < arguments.size(); ++a) {
    const auto* view = std::get_if<FlatView>(&i.arguments[a]);
    if (!view || (arguments[a].access != Access::kWrite && arguments[a].access != Access::kReadWrite)) continue;
    if (!view->index.empty() || buffer(*view).is_input) continue;
    std::vector<uint8_t>& state = known(*view);
    const Known value = i.opcode == Opcode::kNcMatmul ? kByMatmul : kWritten;
    forEachRun(view->dims.data(), view->dims.size(), view->offset, [&](int64_t first, int64_t step, int64_t count) {
      for (int64_t k = 0; k < count; ++k) state[static_cast<size_t>(first + k * step)] = value;
      return true;
    });
  }
}

// An unrolled program has thousands of tiles; what is dead needs no memory.
void Checker::forgetDead(const FlatInstruction& i) {
  for (const FlatArgument& argument : i.arguments) {
    const auto* view = std::get_if<FlatView>(&argument);
    if (!view) continue;
    forEachBuffer(*view, [&](size_t id) {
      if (last_use_[id] == static_cast<size_t>(position_) && !program_.buffers[id].is_output) {
        std::vector<uint8_t>().swap(known_[id]);
      }
    });
  }
}

void Checker::checkOutputs() {
  for (size_t id = 0; id < program_.buffers.size(); ++id) {
    const FlatBuffer& buffer = program_.buffers[id];
    if (!buffer.is_output) continue;
    const std::vector<uint8_t>& state = known_[id];
    const int64_t missing = state.empty() ? buffer.elements() : std::count(state.begin(), state.end(), kUnwritten);
    require(missing == 0, "output-written",
            std::to_string(missing) + " of " + std::to_string(buffer.elements()) + " elements of output \"%" +
                buffer.name + "\" are not written");
  }
}

std::vector<Violation> verify(const FlatProgram& program, const Hardware& hardware, size_t limit) {
  return Checker(program, hardware, limit).run();
}

}  // namespace np::tile
