// graph: which Python-visible op reaches which kernel, through which launches. Answers "what is in this extension"
// before anything is ported. Nothing is executed, no CUDA toolkit is needed.

#include "cli/commands/graph.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "analyzer/api/analyze.h"
#include "analyzer/api/rules.h"
#include "cli/commands/commands.h"
#include "cli/commands/project_request.h"
#include "cli/term/progress.h"

namespace np::cli {
namespace {

std::string placeOf(const SourceRange& where) { return where.path + ":" + std::to_string(where.start.line); }

std::string count(std::size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

bool reaches(const Kernel& kernel, const Binding& binding) {
  return std::any_of(kernel.bindings.begin(), kernel.bindings.end(), [&](const Binding& other) {
    return other.name == binding.name && other.where.path == binding.where.path &&
           other.where.range == binding.where.range;
  });
}

void addKernel(const Kernel& kernel, const char* indent, std::string& out) {
  out += std::string(indent) + kernel.name + "  " + placeOf(kernel.where) + "\n";
  for (const Launch& launch : kernel.launches) {
    out += std::string(indent) + "  launched in " + (launch.function.empty() ? "?" : launch.function) + "  " +
           placeOf(launch.where) + "  grid " + launch.grid + "  block " + launch.block;
    if (!launch.shared.empty() && launch.shared != "0") out += "  shared " + launch.shared;
    out += "\n";
  }
}

Result<void> write(const OutputRequest& request, const std::string& text) {
  if (request.file.empty()) {
    std::fputs(text.c_str(), stdout);
    return {};
  }
  std::ofstream out(request.file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) return makeError("io", "cannot write \"" + request.file + "\"", request.file);
  return {};
}

int fail(const Error& error, int code) {
  std::fprintf(stderr, "neuron-port: %s\n", error.text().c_str());
  return code;
}

}  // namespace

std::string graphText(const analyzer::CudaAnalysis& cuda) {
  std::string out;
  for (const analyzer::BindingFacts& facts : cuda.bindings) {
    const Binding& binding = facts.binding;
    out += binding.name + "  (" + binding.kind + ")  " + placeOf(binding.where) + "\n";
    if (!facts.no_kernel.empty()) out += "  no kernel: " + facts.no_kernel + "\n";
    for (const Kernel& kernel : cuda.kernels)
      if (reaches(kernel, binding)) addKernel(kernel, "  ", out);
  }
  std::string unreached;
  std::size_t launches = cuda.loose_launches.size(), unbound = 0;
  for (const Kernel& kernel : cuda.kernels) {
    launches += kernel.launches.size();
    if (!kernel.bindings.empty()) continue;
    ++unbound;
    addKernel(kernel, "  ", unreached);
  }
  if (unbound) out += "kernels that no op reaches\n" + unreached;
  if (!cuda.loose_launches.empty()) out += "launches of kernels that are not known\n";
  for (const Launch& launch : cuda.loose_launches)
    out += "  " + launch.kernel + "  " + placeOf(launch.where) + "  in " +
           (launch.function.empty() ? "?" : launch.function) + "\n";
  std::size_t partial = 0;
  for (const analyzer::CudaFile& file : cuda.files) partial += file.status != analyzer::FileStatus::Analysed;
  out += count(cuda.bindings.size(), "op", "ops") + ", " + count(cuda.kernels.size(), "kernel", "kernels") + ", " +
         count(launches, "launch", "launches") + ", " + count(cuda.files.size(), "file", "files") + " (" +
         std::to_string(partial) + " in part)\n";
  return out;
}

int runGraph(const Invocation& given) {
  Invocation invocation = given;
  const auto rules = analyzer::builtinRules();
  if (!rules.ok()) return fail(rules.error(), kInternal);
  const auto request = projectRequest(invocation);
  if (!request.ok()) return fail(request.error(), kUsage);
  Progress progress(detectTerminal(2));
  progress.show("analysing " + request->root);
  const auto analysis = analyzer::analyze(*request, *rules);
  progress.clear();
  if (!analysis.ok()) return fail(analysis.error(), kUsage);
  const analyzer::CudaAnalysis empty;
  const analyzer::CudaAnalysis& cuda = analysis->cuda ? *analysis->cuda : empty;
  for (const OutputRequest& output : invocation.outputs) {
    const auto written = write(output, output.format == "json"  ? graphJson(cuda)
                                       : output.format == "svg" ? graphSvg(cuda)
                                                                : graphText(cuda));
    if (!written.ok()) return fail(written.error(), kUsage);
  }
  return kDone;
}

}  // namespace np::cli
