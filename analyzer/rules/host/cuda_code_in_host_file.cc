// NPT1026 cuda-code-in-host-file
//
// Headers, kernels and helpers of CUDA in a file that a build without nvcc has to compile. They go behind the switch;
// neighbours share one condition.

#include <algorithm>

#include "analyzer/rules/host/cuda_words.h"
#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

Offset lineStart(std::string_view bytes, Offset at) {
  const std::size_t before = at == 0 ? std::string_view::npos : bytes.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : static_cast<Offset>(before + 1);
}

Offset lineEndOffset(std::string_view bytes, Offset at) {
  std::size_t end = bytes.find('\n', at);
  if (end == std::string_view::npos) end = bytes.size();
  if (end > at && bytes[end - 1] == '\r') --end;
  return static_cast<Offset>(end);
}

void add(const CppFile& file, Range run, const std::string& subject, const std::string& message, bool fixed,
         Range place, HostFindings& out) {
  Finding& finding = out.add("NPT1026", file, place, subject, message);
  if (!fixed) return;
  const std::string_view bytes = file.text->bytes();
  Fix fix;
  fix.safety = FixSafety::Unsafe;
  fix.title = "leave it out of builds for Neuron";
  fix.group = kNeuronBuild;
  const Offset start = std::max(lineStart(bytes, run.start), file.text->bomLength());
  const Offset end = lineEndOffset(bytes, run.end);
  fix.edits.push_back({file.path(), {start, start}, "#ifndef WITH_NEURON" + lineEnd(file)});
  fix.edits.push_back({file.path(), {end, end}, lineEnd(file) + "#endif"});
  finding.fixes.push_back(std::move(fix));
}

bool directiveBetween(const CppFile& file, Offset from, Offset to) {
  for (const Directive& directive : file.lexed.directives)
    if (directive.range.start >= from && directive.range.end <= to) return true;
  return false;
}

void items(const CppFile& file, const FilePlan& plan, bool fixed, HostFindings& out) {
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    if (plan.items[i].fate != Fate::Switch) continue;
    const Item& first = *plan.items[i].item;
    std::size_t last = i;
    while (last + 1 < plan.items.size() && plan.items[last + 1].fate == Fate::Switch &&
           plan.items[last + 1].item->scope == first.scope &&
           !directiveBetween(file, plan.items[last].item->range.end, plan.items[last + 1].item->range.start))
      ++last;
    const std::string subject = first.name.empty() ? std::string(file.tokens()[first.first].text) : first.name;
    const std::string more = last > i ? " and " + std::to_string(last - i) + " more" : "";
    add(file, {first.range.start, plan.items[last].item->range.end}, subject,
        "\"" + subject + "\"" + more + " needs CUDA to compile, in a file that a build without it compiles", fixed,
        first.name.empty() ? file.tokens()[first.first].range : first.name_range, out);
    i = last;
  }
}

bool needsCuda(const Directive& directive) {
  const std::string header = directive.header();
  return isCudaHeader(header) || header.ends_with(".cuh");
}

constexpr const char* kGuardHeader = "c10/cuda/CUDAGuard.h";

// True when every guard of the file stands in code that is compiled for Neuron too.
bool hasNeutralGuards(const CppFile& file, const NeuronPlan& neuron) {
  bool any = false;
  const auto all_neutral = [&](const std::vector<Token>& tokens) {
    return std::all_of(tokens.begin(), tokens.end(), [&](const Token& token) {
      if (!token.is("CUDAGuard") && !token.is("OptionalCUDAGuard")) return true;
      any = true;
      return !isCudaOnly(file, neuron, token.range.start);
    });
  };
  bool all = all_neutral(file.tokens());
  for (const Directive& directive : file.lexed.directives)
    if (directive.name == "define") all = all_neutral(directive.body) && all;
  return any && all && !file.isDevice();
}

void includes(const CppFile& file, const NeuronPlan& neuron, bool fixed, HostFindings& out) {
  const std::vector<Directive>& all = file.lexed.directives;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!needsCuda(all[i]) || isSwitched(file, all[i].range.start)) continue;
    if (all[i].header() == kGuardHeader && hasNeutralGuards(file, neuron)) continue;  // NPT1027 replaces it
    std::size_t last = i;
    while (last + 1 < all.size() && needsCuda(all[last + 1]) && all[last + 1].token == all[i].token &&
           all[last + 1].header() != kGuardHeader)
      ++last;
    add(file, {all[i].range.start, all[last].range.end}, all[i].header(),
        "\"" + all[i].header() + "\" comes with CUDA, in a file that a build without it compiles", fixed, all[i].range,
        out);
    i = last;
  }
}

}  // namespace

void cudaCodeInHostFile(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    const auto plan = input.plan.files.find(file.path());
    if (plan == input.plan.files.end()) continue;
    includes(file, input.plan, input.plan.problem.empty(), out);
    items(file, plan->second, input.plan.problem.empty(), out);
  }
}

}  // namespace np::analyzer::host
