// Stops at the first stage that says no, and reports what was known until then. The module is written only after every
// gate has passed: a file on disk is a translation that holds.

#include "kernel_port/driver/translate.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "kernel_port/certify/certify.h"
#include "kernel_port/driver/integer_assumptions.h"
#include "kernel_port/driver/start_assumptions.h"
#include "kernel_port/emit/emit.h"
#include "kernel_port/frontend/device_module.h"
#include "kernel_port/frontend/ir_text.h"
#include "kernel_port/launch/launch_file.h"
#include "kernel_port/lift/lift.h"
#include "kernel_port/schedule/schedule.h"
#include "kernel_port/simt/run.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/cost.h"
#include "runtime/tile/text.h"

namespace np::kernel_port::driver {
namespace {

namespace fs = std::filesystem;

constexpr char kTool[] = "neuron-port 0.1.0";

// "path:line:column" of an error as a range; nothing when it names no line.
std::optional<SourceRange> rangeOf(const std::string& location) {
  const std::size_t second = location.rfind(':');
  if (second == std::string::npos || second == 0) return std::nullopt;
  std::size_t first = location.rfind(':', second - 1);
  std::string line = location.substr(second + 1), column = "1", path = location.substr(0, second);
  const auto isNumber = [](const std::string& t) {
    return !t.empty() && t.size() < 9 && t.find_first_not_of("0123456789") == std::string::npos;
  };
  if (first != std::string::npos && isNumber(location.substr(first + 1, second - first - 1))) {
    column = line;
    line = location.substr(first + 1, second - first - 1);
    path = location.substr(0, first);
  }
  if (!isNumber(line) || !isNumber(column)) return std::nullopt;
  SourceRange out;
  out.path = path;
  out.start = out.end = {static_cast<std::uint32_t>(std::max(1, std::stoi(line))),
                         static_cast<std::uint32_t>(std::max(1, std::stoi(column))), 0};
  return out;
}

PortReason reasonOf(const Error& error, const std::string& advice) {
  PortReason out{error.code, error.message, rangeOf(error.location), advice};
  if (out.advice.empty() && !error.notes.empty()) out.advice = error.notes.front();
  return out;
}

bool mentionsFinite(const std::vector<std::string>& assumptions) {
  return std::any_of(assumptions.begin(), assumptions.end(),
                     [](const std::string& a) { return a.find("finite") != std::string::npos; });
}

// A folder for the module while it is being judged.
class Workshop {
 public:
  Workshop() {
    path_ = (fs::temp_directory_path() / "neuron-port-kernel-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Workshop() {
    std::error_code ec;
    if (!path_.empty()) fs::remove_all(path_, ec);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Translator {
 public:
  explicit Translator(const TranslateRequest& request) : request_(request) {}

  Result<Translation> run() {
    NP_TRY(open());
    NP_ASSIGN(DeviceModule module, compile());
    out_.ir = irText(module);
    auto executor = simt::Executor::create(module, kernelNames());
    if (!executor.ok()) {
      if (executor.error().code == "no-kernel") return executor.error();
      return stop(PortStatus::Unsupported,
                  reasonOf(executor.error(), "rewrite the line without it, or keep this kernel on CUDA"));
    }
    NP_ASSIGN(const certify::SourceCheck source, certify::checkSource(file_, *executor, request_.seed));
    out_.port.gates = source.gates;
    if (!source.sound()) return stop(PortStatus::Refused, *source.reason);

    const auto lifted = lift::lift(module, file_, {});
    if (!lifted.ok()) {
      const bool refused = lift::isRefusal(lifted.error().code);
      return stop(refused ? PortStatus::Refused : PortStatus::Unsupported,
                  reasonOf(lifted.error(), lift::adviceFor(lifted.error().code)));
    }
    out_.spec = spec::printSpec(lifted->spec);
    out_.port.spec = spec::printFormulas(lifted->spec);
    out_.port.assumptions = lifted->assumptions;

    const auto starts = startAssumptions(lifted->spec, lifted->assumptions);
    if (!starts)
      return stop(PortStatus::Unsupported,
                  reasonOf(makeError("SCHED-EXTREMUM-START",
                                     "a maximum or minimum of computed values starts at FLT_MAX; where all of them are "
                                     "infinite or NaN the start would be lost"),
                           "start from -INFINITY or from the first value"));
    const auto scheduled = schedule::schedule(lifted->spec, {.name = out_.entry});
    if (!scheduled.ok())
      return stop(PortStatus::Unsupported,
                  reasonOf(scheduled.error(), "the formula is known; there is no tile schedule for it yet"));
    for (const schedule::Excluded& excluded : scheduled->excluded) {
      if (auto sizes = caseWhere(excluded.where))
        return stop(PortStatus::Unsupported,
                    reasonOf(makeError(excluded.reason.code, excluded.reason.message + ", at " + *sizes),
                             "the formula is known; there is no tile schedule for it at this size case yet"));
      out_.port.assumptions.push_back("not at " + excluded.text());
    }
    out_.tile = tile::print(scheduled->program);
    emit::ModuleInfo info = moduleInfo(lifted->assumptions);
    info.data_assumptions.insert(info.data_assumptions.end(), starts->begin(), starts->end());
    const auto integers = integerAssumptions(lifted->spec);
    info.data_assumptions.insert(info.data_assumptions.end(), integers.begin(), integers.end());
    NP_ASSIGN(out_.nki, emit::emitModule(scheduled->program, info));
    return judge(*executor, *lifted, scheduled->program);
  }

 private:
  Result<void> open() {
    NP_ASSIGN(file_, launch::readLaunchFile(request_.launch_file));
    if (!request_.source.empty()) file_.source = request_.source;
    if (!request_.only.empty()) NP_TRY(launch::selectKernel(file_, request_.only));
    std::string stem = fs::path(request_.launch_file).filename().string();
    stem = stem.substr(0, stem.find('.'));
    out_.entry = identifier(stem);
    return {};
  }

  // The first size case at which `condition` holds.
  std::optional<std::string> caseWhere(const tile::Condition& condition) const {
    for (const auto& values : file_.cases) {
      tile::Bindings sizes;
      std::string text;
      for (std::size_t i = 0; i < values.size(); ++i) {
        sizes[file_.size_names[i]] = values[i];
        text += (i == 0 ? "" : ", ") + file_.size_names[i] + " = " + std::to_string(values[i]);
      }
      const auto holds = condition.holds(sizes);
      if (holds.ok() && holds.value()) return text;
    }
    return std::nullopt;
  }

  std::vector<std::string> kernelNames() const {
    std::vector<std::string> out;
    for (const launch::Launch& l : file_.launches)
      if (std::find(out.begin(), out.end(), l.kernel) == out.end()) out.push_back(l.kernel);
    return out;
  }

  Result<DeviceModule> compile() const {
    CompileOptions options;
    options.source = file_.source;
    options.kernels = kernelNames();
    options.includes = request_.includes;
    options.defines = request_.defines;
    return DeviceModule::compile(options);
  }

  emit::ModuleInfo moduleInfo(const std::vector<std::string>& assumptions) const {
    emit::ModuleInfo out;
    out.source = request_.origin.empty() ? fs::path(file_.source).filename().string() : request_.origin;
    out.tool = kTool;
    out.spec = out_.port.spec;
    out.assumptions = assumptions;
    for (const launch::Buffer& buffer : file_.buffers) {
      if (!launch::isFloat(buffer.type) || (buffer.role != launch::Role::In && buffer.role != launch::Role::InOut))
        continue;
      if (mentionsFinite(assumptions)) out.data_assumptions.push_back("finite(" + buffer.name + "[i])");
    }
    for (const launch::Scalar& scalar : file_.scalars)
      if (launch::isFloat(scalar.type)) out.scalars.push_back(scalar.name);
    return out;
  }

  Result<Translation> judge(const simt::Executor& executor, const lift::LiftResult& lifted,
                            const tile::TileProgram& program) {
    const Workshop workshop;
    const std::string module = workshop.path() + "/" + out_.entry + "_nki.py";
    if (workshop.path().empty() || !(std::ofstream(module) << out_.nki))
      return makeError("io", "cannot write a temporary file");
    const auto hardware = tile::hardwareFor(request_.target);
    if (!hardware) return makeError("usage", "unknown target \"" + request_.target + "\" (trn2 or trn3)");

    certify::Subject subject;
    subject.file = &file_;
    subject.executor = &executor;
    subject.spec = &lifted.spec;
    subject.symbolic = symbolicGate(lifted);
    subject.coverage = {"coverage", lifted.statistics.blocks > 0,
                        "all " + std::to_string(lifted.statistics.blocks) + " basic blocks executed"};
    subject.lift_assumes_finite = mentionsFinite(lifted.assumptions);
    subject.program = &program;
    subject.module_file = module;
    subject.entry = out_.entry;
    certify::CertifyOptions options;
    options.seed = request_.seed;
    options.hardware = *hardware;
    options.python = request_.python;
    options.python_path = request_.python_path;
    options.library_dir = request_.library_dir;
    NP_ASSIGN(certify::Certificate certificate, certify::certify(subject, options));
    out_.port.gates.insert(out_.port.gates.end(), certificate.gates.begin(), certificate.gates.end());
    out_.port.gates_missing = {"mutation"};
    out_.port.sizes = certificate.sizes;
    if (!certificate.passed())
      return stop(certificate.ours ? PortStatus::Failed : PortStatus::Refused, *certificate.reason);
    addCost(program, *hardware);
    out_.port.status = PortStatus::Translated;
    out_.port.proof = lifted.proof;
    if (!request_.out_dir.empty()) NP_TRY(publish());
    return std::move(out_);
  }

  static Gate symbolicGate(const lift::LiftResult& lifted) {
    std::size_t held_out = 0, elements = 0;
    for (const lift::CheckedSize& size : lifted.sizes) {
      held_out += size.held_out ? 1 : 0;
      elements += static_cast<std::size_t>(size.elements);
    }
    return {"symbolic", held_out > 0 && elements > 0,
            std::to_string(lifted.sizes.size()) + " sizes, " + std::to_string(held_out) + " held out, " +
                std::to_string(elements) + " elements, " + lifted.form};
  }

  void addCost(const tile::TileProgram& program, const tile::Hardware& hardware) {
    tile::Bindings sizes;
    for (std::size_t i = 0; i < file_.size_names.size(); ++i) sizes[file_.size_names[i]] = file_.cases.back()[i];
    const auto flat = tile::instantiate(program, sizes);
    if (!flat.ok()) return;
    const tile::Cost cost = tile::estimateCost(*flat, hardware);
    out_.port.cost =
        CostEstimate{std::string(hardware.target), cost.low_us, cost.estimate_us, cost.high_us, cost.bound};
  }

  Result<void> publish() {
    std::error_code ec;
    fs::create_directories(request_.out_dir, ec);
    const fs::path target = fs::path(request_.out_dir) / (out_.entry + "_nki.py"),
                   partial = target.string() + ".partial";
    bool good = !ec;
    if (good) {
      std::ofstream out(partial, std::ios::binary | std::ios::trunc);
      out << out_.nki;
      out.flush();
      good = static_cast<bool>(out);
    }
    if (good) fs::rename(partial, target, ec);
    if (!good || ec) return makeError("io", "cannot write \"" + target.string() + "\"", target.string());
    out_.port.files = {target.string()};
    return {};
  }

  Translation stop(PortStatus status, PortReason reason) {
    out_.port.status = status;
    out_.port.reason = std::move(reason);
    return std::move(out_);
  }

  const TranslateRequest& request_;
  launch::LaunchFile file_;
  Translation out_;
};

}  // namespace

std::string identifier(const std::string& text) {
  std::string out;
  for (char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(out.begin(), 'k');
  return out;
}

Result<Translation> translate(const TranslateRequest& request) { return Translator(request).run(); }

}  // namespace np::kernel_port::driver
