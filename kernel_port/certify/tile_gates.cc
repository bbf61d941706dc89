// The program is judged at concrete sizes: the entry guard decides which it accepts, and what it accepts must be legal.

#include "kernel_port/certify/tile_gates.h"

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "analyzer/base/process.h"
#include "kernel_port/certify/values.h"
#include "runtime/tile/text.h"
#include "runtime/tile/verify.h"

namespace np::kernel_port::certify {
namespace {

tile::Bindings bindings(const launch::LaunchFile& file, const std::vector<std::int64_t>& values) {
  tile::Bindings out;
  for (std::size_t i = 0; i < values.size(); ++i) out[file.size_names[i]] = values[i];
  return out;
}

std::string sizeText(const tile::Bindings& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes) out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return out.empty() ? "no sizes" : out;
}

// First line in which two texts differ.
std::string firstDifference(const std::string& a, const std::string& b) {
  std::size_t start = 0;
  int line = 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i)
    if (a[i] == '\n') start = i + 1, ++line;
  const auto lineAt = [&](const std::string& text) {
    return start < text.size() ? text.substr(start, text.find('\n', start) - start) : std::string("(end)");
  };
  return "line " + std::to_string(line) + ": program \"" + lineAt(a) + "\", text \"" + lineAt(b) + "\"";
}

// A file that is gone when the gate is done.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    path_ = (std::filesystem::temp_directory_path() / ("np_trace_XXXXXX")).string();
    const int fd = mkstemp(path_.data());
    if (fd >= 0) close(fd);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<std::string> trace(const Subject& subject, const CertifyOptions& options, const tile::Bindings& sizes) {
  const TemporaryFile arguments(traceArguments(*subject.program, sizes));
  ProcessRequest request;
  request.argv = {options.python, "-m",          "nki.trace", subject.module_file,
                  "--entry",      subject.entry, "--args",    arguments.path()};
  request.environment = {"PYTHONPATH=" + options.python_path, "PYTHONDONTWRITEBYTECODE=1",
                         "NEURON_PORT_LIB_DIR=" + options.library_dir};
  request.timeout = std::chrono::minutes(5);
  NP_ASSIGN(const ProcessOutput output, runProcess(request));
  if (output.timed_out) return makeError("trace", "tracing took more than 5 minutes at " + sizeText(sizes));
  if (output.exit_code != 0)
    return makeError("trace", "tracing fails at " + sizeText(sizes) + ": " +
                                  output.err.substr(output.err.size() > 600 ? output.err.size() - 600 : 0));
  return output.out;
}

}  // namespace

Result<TileResults> tileResults(const tile::TileProgram& program, const tile::FlatProgram& flat,
                                const launch::LaunchFile& file, const Trial& trial) {
  NP_ASSIGN(std::vector<TileOutput> outputs, runTile(program, flat, file, trial.inputs));
  TileResults out;
  for (TileOutput& output : outputs) {
    std::string name = output.param;
    if (!file.findBuffer(name) && name.ends_with("_out")) name.resize(name.size() - 4);
    out[name] = std::move(output.values);
  }
  return out;
}

Gate tileGate(const Subject& subject, const CertifyOptions& options,
              const std::vector<std::vector<std::int64_t>>& required,
              const std::vector<std::vector<std::int64_t>>& others) {
  std::size_t legal = 0, guarded = 0, instructions = 0;
  const auto check = [&](const std::vector<std::int64_t>& values, bool must) -> std::optional<std::string> {
    const tile::Bindings sizes = bindings(*subject.file, values);
    const auto flat = tile::instantiate(*subject.program, sizes);
    if (!flat.ok()) {
      if (must) return flat.error().message + " at " + sizeText(sizes);
      ++guarded;
      return std::nullopt;
    }
    const auto violations = tile::verify(*flat, options.hardware);
    if (!violations.empty()) return violations.front().message + " at " + sizeText(sizes);
    ++legal;
    instructions = std::max(instructions, flat->instructions.size());
    return std::nullopt;
  };
  for (const auto& values : required)
    if (const auto wrong = check(values, true)) return {"tile", false, *wrong};
  for (const auto& values : others)
    if (const auto wrong = check(values, false)) return {"tile", false, *wrong};
  return {"tile", legal > 0,
          std::to_string(legal) + " sizes legal on " + std::string(options.hardware.target) + ", up to " +
              std::to_string(instructions) + " instructions" +
              (guarded ? ", " + std::to_string(guarded) + " sizes refused by the entry guard" : "")};
}

Gate roundtripGate(const Subject& subject, const CertifyOptions& options,
                   const std::vector<std::vector<std::int64_t>>& all_sizes) {
  std::size_t equal = 0;
  for (const auto& values : all_sizes) {
    const tile::Bindings sizes = bindings(*subject.file, values);
    const auto flat = tile::instantiate(*subject.program, sizes);
    const auto traced = trace(subject, options, sizes);
    if (!flat.ok()) {
      // The text must refuse what the program refuses.
      if (traced.ok()) return {"roundtrip", false, "the text accepts " + sizeText(sizes) + ", the program does not"};
      continue;
    }
    if (!traced.ok()) return {"roundtrip", false, traced.error().message};
    const std::string expected = tile::printFlat(*flat);
    if (*traced != expected) return {"roundtrip", false, firstDifference(expected, *traced) + " at " + sizeText(sizes)};
    ++equal;
  }
  return {"roundtrip", equal > 0, std::to_string(equal) + " sizes traced from the emitted text, equal to the program"};
}

}  // namespace np::kernel_port::certify
