// C interface. Owns nothing but the loaded programs; every string goes out as malloc'ed memory.
#include "runtime/tile/capi.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/tile/cost.h"
#include "runtime/tile/interpret.h"
#include "runtime/tile/schema.h"
#include "runtime/tile/text.h"
#include "runtime/tile/verify.h"

struct np_tile_program {
  np::tile::FlatProgram flat;
};

namespace np::tile {
namespace {

char* copyOut(const std::string& text) {
  char* out = static_cast<char*>(std::malloc(text.size() + 1));
  if (out) std::memcpy(out, text.c_str(), text.size() + 1);
  return out;
}

Result<Bindings> parseSizes(std::string_view text) {
  Bindings out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    int64_t value = 0;
    const char* last = item.data() + item.size();
    if (equals == std::string_view::npos || equals == 0 ||
        std::from_chars(item.data() + equals + 1, last, value).ptr != last || equals + 1 == item.size()) {
      return makeError("tile-sizes", "\"" + std::string(item) + "\" is no size, write NAME=INTEGER");
    }
    out[std::string(item.substr(0, equals))] = value;
  }
  return out;
}

Result<FlatProgram> load(const char* text, const char* sizes) {
  NP_ASSIGN(const TileProgram program, parse(text));
  NP_ASSIGN(const Bindings bindings, parseSizes(sizes ? sizes : ""));
  return instantiate(program, bindings);
}

Result<Hardware> target(const char* name) {
  const std::optional<Hardware> hardware = hardwareFor(name);
  if (!hardware) return makeError("tile-target", "\"" + std::string(name) + "\" is no target, choose trn2 or trn3");
  return *hardware;
}

std::string numberJson(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

constexpr std::string_view kKindNames[] = {"view",     "scalar", "number",  "flag",   "tristate",       "integer",
                                           "function", "axes",   "pattern", "engine", "reduce_command", "oob_mode"};

std::string schemaText() {
  std::string out;
  for (const InstructionSchema& schema : allSchemas()) {
    out += schema.name;
    for (const ArgumentSchema& argument : schema.arguments) {
      out += " " + std::string(argument.name) + ":" + std::string(kKindNames[static_cast<size_t>(argument.kind)]) +
             (argument.required ? ":required" : ":optional");
    }
    out += "\n";
  }
  return out;
}

std::string costJson(const FlatProgram& program, const Hardware& hardware) {
  const Cost cost = estimateCost(program, hardware);
  const Roofline roof = roofline(program, hardware);
  std::string out = "{\"low_us\": " + numberJson(cost.low_us) + ", \"estimate_us\": " + numberJson(cost.estimate_us) +
                    ", \"high_us\": " + numberJson(cost.high_us) + ", \"bound\": \"" + cost.bound +
                    "\", \"dma_bytes\": " + std::to_string(cost.dma_bytes) +
                    ", \"dma_count\": " + std::to_string(cost.dma_count) +
                    ", \"instructions\": " + std::to_string(cost.instructions) + ", \"busy_us\": {";
  const char* separator = "";
  for (const auto& [engine, busy] : cost.busy_us) {
    out += separator + ("\"" + engine + "\": " + numberJson(busy));
    separator = ", ";
  }
  return out + "}, \"roofline_us\": {\"dma\": " + numberJson(roof.dma_us) +
         ", \"tensor\": " + numberJson(roof.tensor_us) + "}}";
}

}  // namespace
}  // namespace np::tile

extern "C" {

np_tile_program* np_tile_load(const char* text, const char* sizes, char** error) {
  np::Result<np::tile::FlatProgram> flat = np::tile::load(text, sizes);
  if (flat.ok()) return new np_tile_program{std::move(*flat)};
  *error = np::tile::copyOut(flat.error().text());
  return nullptr;
}

void np_tile_release(np_tile_program* program) { delete program; }
void np_tile_free(char* text) { std::free(text); }

char* np_tile_schema(void) { return np::tile::copyOut(np::tile::schemaText()); }

char* np_tile_text(const np_tile_program* program) { return np::tile::copyOut(np::tile::printFlat(program->flat)); }

char* np_tile_verify(const np_tile_program* program, const char* target) {
  const np::Result<np::tile::Hardware> hardware = np::tile::target(target);
  if (!hardware.ok()) return np::tile::copyOut(hardware.error().text());
  std::string out;
  for (const np::tile::Violation& violation : np::tile::verify(program->flat, *hardware)) {
    out += (out.empty() ? "" : "\n") + violation.message;
  }
  return out.empty() ? nullptr : np::tile::copyOut(out);
}

char* np_tile_run(const np_tile_program* program, const void* const* inputs, const size_t* input_bytes,
                  size_t input_count, void* const* outputs, const size_t* output_bytes, size_t output_count) {
  std::vector<std::span<const std::byte>> in;
  std::vector<std::span<std::byte>> out;
  for (size_t i = 0; i < input_count; ++i) in.emplace_back(static_cast<const std::byte*>(inputs[i]), input_bytes[i]);
  for (size_t i = 0; i < output_count; ++i) out.emplace_back(static_cast<std::byte*>(outputs[i]), output_bytes[i]);
  const np::Result<np::tile::RunReport> report = np::tile::interpret(program->flat, in, out);
  return report.ok() ? nullptr : np::tile::copyOut(report.error().text());
}

char* np_tile_cost(const np_tile_program* program, const char* target, char** error) {
  const np::Result<np::tile::Hardware> hardware = np::tile::target(target);
  if (hardware.ok()) return np::tile::copyOut(np::tile::costJson(program->flat, *hardware));
  *error = np::tile::copyOut(hardware.error().text());
  return nullptr;
}

}  // extern "C"
