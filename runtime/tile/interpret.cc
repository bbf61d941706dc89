// Runs a flat program instruction by instruction. Tiles get memory at their first use and lose it after their last, so
// an unrolled program needs no more memory than the tiles that live at once. What an instruction computes is in
// engines.cc; here is memory: binding, poison, copies.
#include "runtime/tile/interpret.h"

#include <cstring>

#include "runtime/tile/convert.h"
#include "runtime/tile/machine.h"
#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

template <class Visit>
void forEachBuffer(const FlatView& view, Visit visit) {
  visit(static_cast<size_t>(view.buffer));
  for (const FlatView& index : view.index) forEachBuffer(index, visit);
}

void copyElements(std::byte* to, int64_t to_step, const std::byte* from, int64_t from_step, int64_t count,
                  int64_t bytes) {
  if (to_step == 1 && from_step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count * bytes));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_step * bytes, from + i * from_step * bytes, static_cast<size_t>(bytes));
  }
}

}  // namespace

Machine::Machine(const FlatProgram& program, RunReport& report)
    : program_(program), report_(report), storages_(program.buffers.size()), last_use_(program.buffers.size(), 0) {
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    for (const FlatArgument& argument : program.instructions[i].arguments) {
      const auto* view = std::get_if<FlatView>(&argument);
      if (view) forEachBuffer(*view, [&](size_t id) { last_use_[id] = i; });
    }
  }
}

void Machine::bindParam(size_t id, std::byte* data, bool known) {
  storages_[id].emplace(program_.buffers[id], data, known);
}

bool Machine::fail(std::string message) {
  const std::string_view name = schemaOf(program_.instructions[position_].opcode).name;
  error_ = "instruction " + std::to_string(position_) + " (" + std::string(name) + "): " + std::move(message);
  return false;
}

Storage& Machine::storage(const FlatView& view) {
  std::optional<Storage>& storage = storages_[static_cast<size_t>(view.buffer)];
  if (!storage) storage.emplace(buffer(view));
  return *storage;
}

bool Machine::unknown(const FlatView& view, int64_t element) {
  return fail("reads element " + std::to_string(element) + " of \"%" + buffer(view).name +
              "\", which was never written");
}

bool Machine::step(size_t position) {
  position_ = position;
  const FlatInstruction& instruction = program_.instructions[position];
  if (!execute(instruction)) return false;
  for (const FlatArgument& argument : instruction.arguments) {
    const auto* view = std::get_if<FlatView>(&argument);
    if (!view) continue;
    forEachBuffer(*view, [&](size_t id) {
      const FlatBuffer& buffer = program_.buffers[id];
      if (last_use_[id] == position && !buffer.is_input && !buffer.is_output) storages_[id].reset();
    });
  }
  return true;
}

bool Machine::checkOutputs() {
  for (size_t id = 0; id < program_.buffers.size(); ++id) {
    if (!program_.buffers[id].is_output) continue;
    const int64_t hole = storages_[id]->firstUnknown();
    if (hole < 0) continue;
    error_ = "element " + std::to_string(hole) + " of output \"%" + program_.buffers[id].name + "\" was never written";
    return false;
  }
  return true;
}

bool Machine::load(const FlatView& view, int64_t p, float* out) {
  Storage& from = storage(view);
  return forEachRun(view.dims.data() + 1, view.dims.size() - 1, view.offset + p * view.dims[0].step,
                    [&](int64_t first, int64_t step, int64_t count) {
                      if (const int64_t hole = from.firstUnknown(first, step, count); hole >= 0) {
                        return unknown(view, hole);
                      }
                      loadAsFloat(view.dtype, from.at(first), step, count, out);
                      out += count;
                      return true;
                    });
}

void Machine::store(const FlatView& view, int64_t p, const float* values) {
  Storage& to = storage(view);
  forEachRun(view.dims.data() + 1, view.dims.size() - 1, view.offset + p * view.dims[0].step,
             [&](int64_t first, int64_t step, int64_t count) {
               storeFromFloat(view.dtype, values, count, to.at(first), step);
               to.markKnown(first, step, count);
               values += count;
               return true;
             });
}

bool Machine::loadIntegers(const FlatView& view, int64_t p, int64_t* out) {
  Storage& from = storage(view);
  return forEachRun(view.dims.data() + 1, view.dims.size() - 1, view.offset + p * view.dims[0].step,
                    [&](int64_t first, int64_t step, int64_t count) {
                      if (const int64_t hole = from.firstUnknown(first, step, count); hole >= 0) {
                        return unknown(view, hole);
                      }
                      loadAsInteger(view.dtype, from.at(first), step, count, out);
                      out += count;
                      return true;
                    });
}

void Machine::storeIntegers(const FlatView& view, int64_t p, const int64_t* values) {
  Storage& to = storage(view);
  forEachRun(view.dims.data() + 1, view.dims.size() - 1, view.offset + p * view.dims[0].step,
             [&](int64_t first, int64_t step, int64_t count) {
               storeFromInteger(view.dtype, values, count, to.at(first), step);
               to.markKnown(first, step, count);
               values += count;
               return true;
             });
}

bool Machine::loadScalar(const FlatArgument& argument, int64_t p, float& out) {
  if (const auto* view = std::get_if<FlatView>(&argument)) return load(*view, p, &out);
  const double* number = std::get_if<double>(&argument);
  out = number ? static_cast<float>(*number) : 0.0f;
  return true;
}

template <class Run>
bool Machine::forEachRowRun(const FlatView& view, bool skip, std::vector<bool>& skipped, Run run) {
  const size_t rank = view.dims.size();
  if (view.index.empty()) return forEachRun(view.dims.data(), rank, view.offset, run);
  const FlatView& index = view.index.front();
  const FlatBuffer& table = buffer(view);
  skipped.assign(static_cast<size_t>(view.dims[0].size), false);
  for (int64_t p = 0; p < view.dims[0].size; ++p) {
    int64_t row = 0;
    if (!loadIntegers(index, p, &row)) return false;
    const bool inside = row >= 0 && row < table.shape[0];
    if (!inside && !skip) {
      return fail("index " + std::to_string(row) + " at partition " + std::to_string(p) + " is outside \"%" +
                  table.name + "\" with " + std::to_string(table.shape[0]) + " rows");
    }
    skipped[static_cast<size_t>(p)] = !inside;
    const int64_t base = view.offset + (inside ? row : 0) * table.partitionPitch();
    if (!forEachRun(view.dims.data() + 1, rank - 1, base, [&](int64_t first, int64_t step, int64_t count) {
          return run(inside ? first : -1, step, count);
        })) {
      return false;
    }
  }
  return true;
}

bool Machine::pack(const FlatView& view, bool skip, std::vector<std::byte>& out, std::vector<bool>& skipped) {
  Storage& from = storage(view);
  const int64_t bytes = from.elementBytes();
  out.resize(static_cast<size_t>(view.elements() * bytes));
  std::byte* to = out.data();
  return forEachRowRun(view, skip, skipped, [&](int64_t first, int64_t step, int64_t count) {
    if (first >= 0) {
      if (const int64_t hole = from.firstUnknown(first, step, count); hole >= 0) return unknown(view, hole);
      copyElements(to, 1, from.at(first), step, count, bytes);
    }
    to += count * bytes;
    return true;
  });
}

bool Machine::unpack(const FlatView& view, bool skip, const std::vector<std::byte>& bytes, std::vector<bool>& skipped) {
  Storage& to = storage(view);
  const int64_t element_bytes = to.elementBytes();
  const int64_t row_elements = view.perPartition();
  const std::byte* from = bytes.data();
  int64_t element = 0;
  std::vector<bool> skipped_here;
  return forEachRowRun(view, skip, skipped_here, [&](int64_t first, int64_t step, int64_t count) {
    // A row that the source skipped leaves the destination as it was.
    const bool leave = !skipped.empty() && skipped[static_cast<size_t>(element / row_elements)];
    if (first >= 0 && !leave) {
      copyElements(to.at(first), step, from, 1, count, element_bytes);
      to.markKnown(first, step, count);
    }
    from += count * element_bytes;
    element += count;
    return true;
  });
}

bool Machine::copy(const FlatInstruction& i, std::string_view source) {
  const FlatView& dst = *i.view("dst");
  const FlatView& src = *i.view(source);
  const bool skip = i.opcode == Opcode::kDmaCopy && std::holds_alternative<OobMode>(i.argument("oob_mode"));
  std::vector<std::byte> bytes;
  std::vector<bool> skipped;
  if (!pack(src, skip, bytes, skipped)) return false;
  if (dst.dtype != src.dtype) {
    const int64_t count = src.elements();
    Row values(static_cast<size_t>(count));
    loadAsFloat(src.dtype, bytes.data(), 1, count, values.data());
    bytes.resize(static_cast<size_t>(count * dtypeBytes(dst.dtype)));
    storeFromFloat(dst.dtype, values.data(), count, bytes.data(), 1);
  }
  return unpack(dst, skip, bytes, skipped);
}

Result<RunReport> interpret(const FlatProgram& program, std::span<const std::span<const std::byte>> inputs,
                            std::span<const std::span<std::byte>> outputs) {
  RunReport report;
  Machine machine(program, report);
  size_t next_input = 0, next_output = 0;
  for (size_t id = 0; id < program.buffers.size(); ++id) {
    const FlatBuffer& buffer = program.buffers[id];
    if (!buffer.is_input && !buffer.is_output) continue;
    const auto bytes = static_cast<size_t>(buffer.elements() * dtypeBytes(buffer.dtype));
    size_t& next = buffer.is_input ? next_input : next_output;
    if (next >= (buffer.is_input ? inputs.size() : outputs.size())) {
      return makeError("tile-run", "no data for \"%" + buffer.name + "\"");
    }
    const size_t given = buffer.is_input ? inputs[next].size() : outputs[next].size();
    if (given != bytes) {
      return makeError("tile-run", "\"%" + buffer.name + "\" takes " + std::to_string(bytes) + " bytes, " +
                                       std::to_string(given) + " are given");
    }
    // Inputs are never written: the verifier refuses it, and instructions on them fail before they run.
    std::byte* data = buffer.is_input ? const_cast<std::byte*>(inputs[next].data()) : outputs[next].data();
    machine.bindParam(id, data, buffer.is_input);
    ++next;
  }
  for (size_t position = 0; position < program.instructions.size(); ++position) {
    if (!machine.step(position)) return makeError("tile-run", machine.error());
  }
  if (!machine.checkOutputs()) return makeError("tile-run", machine.error());
  return report;
}

}  // namespace np::tile
