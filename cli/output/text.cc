// The default and the full text form. A person reads the first screen: it says what blocks the port, what the tool can
// do about the rest and with which command. Everything else comes after.

#include <algorithm>
#include <map>

#include "analyzer/base/report/readiness.h"
#include "cli/output/output.h"
#include "cli/output/places.h"
#include "cli/output/source_frame.h"

namespace np::cli {
namespace {

Style severityStyle(Severity severity) {
  return severity == Severity::Error ? Style::Red : severity == Severity::Warning ? Style::Yellow : Style::Blue;
}

std::string heading(const Finding& f, const Terminal& t) {
  return t.paint(Style::Bold, printable(place(f))) + ": " + t.paint(severityStyle(f.severity), toString(f.severity)) +
         " " + f.rule + " " + printable(f.message) + t.paint(Style::Dim, " [" + f.name + "]") + "\n";
}

void addFrame(std::string& out, const Finding& f, const OutputContext& context) {
  if (!context.source) return;
  if (const SourceText* text = context.source(f.path)) out += sourceFrame(*text, f.range, context.terminal);
}

void addFixes(std::string& out, const Finding& f, const OutputContext& context) {
  for (const Fix& fix : f.fixes) {
    out += "  fix (" + std::string(toString(fix.safety)) + "): " + fix.title;
    if (!fix.min_torch.empty()) out += ", needs torch " + fix.min_torch;
    out += "\n";
    if (!context.source) continue;
    for (const Edit& edit : fix.edits) {
      const SourceText* text = context.source(edit.path);
      if (text == nullptr || edit.text.size() > 200 || edit.range.end - edit.range.start > 200) continue;
      out += context.terminal.paint(Style::Red, "    - " + printable(text->slice(edit.range))) + "\n";
      out += context.terminal.paint(Style::Green, "    + " + edit.text) + "\n";
    }
  }
}

// Kernels that stop a port: launched, and not translated.
void addKernels(std::string& out, const Report& report, const OutputContext& context) {
  if (report.kernels.empty()) return;
  const auto by_status = summarize(report).kernels_by_status;
  out += context.terminal.paint(Style::Bold, counted(report.kernels.size(), "CUDA kernel")) + ":";
  for (const auto& [status, count] : by_status)
    out += " " + std::to_string(count) + " " + (status == "not_tried" ? "not tried yet" : status);
  out += "\n";
  std::size_t shown = 0;
  for (const Kernel& k : report.kernels) {
    if (shown++ == 12) {
      out += "  … " + counted(report.kernels.size() - 12, "more kernel") + " (--output-format full)\n";
      break;
    }
    out += "  " + k.name + "  " + printable(k.where.path) + ":" + std::to_string(k.where.start.line) + "  " +
           (k.launches.size() == 1 ? std::string("1 launch") : std::to_string(k.launches.size()) + " launches");
    for (const Binding& binding : k.bindings) out += ", from Python as " + binding.name;
    if (k.port.status != PortStatus::NotTried) out += ", " + std::string(toString(k.port.status));
    if (k.port.reason) out += " (" + k.port.reason->code + " " + k.port.reason->message + ")";
    out += "\n";
  }
}

void addBlockers(std::string& out, const Report& report, const OutputContext& context) {
  std::map<std::string, std::vector<const Finding*>> by_rule;
  for (const Finding& f : report.findings)
    if (f.severity == Severity::Error && bestFix(f) == FixSafety::Display && f.effort >= Effort::Hours)
      by_rule[f.rule].push_back(&f);
  if (by_rule.empty()) return;
  out +=
      context.terminal.paint(Style::Bold, "Blockers") + " (need work by hand before the project can run on Neuron):\n";
  for (const auto& [rule, findings] : by_rule) {
    out += "  " + context.terminal.paint(Style::Red, rule) + " " + findings[0]->name + ", " +
           counted(findings.size(), "place") + ", first at " +
           printable(place(*findings[0]) + ": " + findings[0]->message) + "\n";
  }
  out += "\n";
}

void addCounts(std::string& out, const Report& report, const OutputContext& context) {
  const Summary s = summarize(report);
  const Terminal& t = context.terminal;
  const std::string paths = context.command_paths.empty() ? "." : context.command_paths;
  out += t.paint(Style::Bold, counted(report.findings.size(), "finding")) + ": " + counted(s.errors, "error") + ", " +
         counted(s.warnings, "warning") + ", " + counted(s.hints, "hint") + "\n";
  if (s.safe) out += "  " + std::to_string(s.safe) + " safe to fix      neuron-port fix " + paths + "\n";
  if (s.unsafe)
    out += "  " + std::to_string(s.unsafe) + " fix with review  neuron-port fix --unsafe-fixes --diff " + paths + "\n";
  if (s.by_hand) out += "  " + std::to_string(s.by_hand) + " by hand          neuron-port explain RULE\n";
}

// How far the project is, and what to do in which order. Blockers stand above, with their messages.
void addReadiness(std::string& out, const Report& report, const OutputContext& context) {
  constexpr std::size_t kShown = 6;
  const Readiness r = readinessOf(report);
  const std::uint32_t all = r.automatic + r.minutes + r.hours + r.rewrite;
  if (all == 0) return;
  out += context.terminal.paint(Style::Bold, "Readiness") + ": " + std::to_string(r.automatic * 100 / all) +
         " % automatic; " + std::to_string(r.minutes) + " need minutes, " + std::to_string(r.hours) + " hours, " +
         std::to_string(r.rewrite) + " a rewrite; " + counted(r.blockers, "blocker") + "\n";
  std::size_t shown = 0, left = 0;
  for (const WorkItem& item : r.worklist) {
    if (item.blocker || item.work == Work::Automatic) continue;
    if (shown == kShown) {
      ++left;
      continue;
    }
    std::string work = toString(item.work);
    work.resize(8, ' ');
    out += "  " + std::to_string(++shown) + ". " + work + " " + item.rule + " " + item.name + ", " +
           counted(item.places, "place") + " in " + counted(item.files, "file") + ", first at " + printable(item.path) +
           ":" + std::to_string(item.line) + "\n";
  }
  if (left) out += "  … and " + counted(left, "rule") + " more (summary.readiness.worklist in --output-format json)\n";
}

void addStatistics(std::string& out, const Report& report, const OutputContext& context) {
  const Summary s = summarize(report);
  std::vector<std::pair<std::uint32_t, std::string>> rows;
  for (const auto& [rule, count] : s.by_rule) rows.emplace_back(count, rule);
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  out += "\n" + context.terminal.paint(Style::Bold, "By rule") + ":\n";
  for (const auto& [count, rule] : rows) {
    const analyzer::RuleInfo* info = context.rules ? context.rules->find(rule) : nullptr;
    std::string number = std::to_string(count);
    out += "  " + std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + rule + "  " +
           (info ? info->name : "") + "\n";
  }
}

void addCoverage(std::string& out, const Report& report) {
  out += "\n" + coverageLine(report.coverage) + "\n";
  const auto list = [&out](const char* what, const std::vector<SkippedFile>& files) {
    for (std::size_t i = 0; i < files.size() && i < 5; ++i)
      out += std::string("  ") + what + " " + printable(files[i].path) + ": " + files[i].reason + "\n";
    if (files.size() > 5) out += "  … and " + std::to_string(files.size() - 5) + " more\n";
  };
  list("not analysed:", report.coverage.skipped);
  list("partly:", report.coverage.partial_files);
}

void addNext(std::string& out, const Report& report, const OutputContext& context) {
  const Summary s = summarize(report);
  const std::string paths = context.command_paths.empty() ? "." : context.command_paths;
  std::vector<std::string> steps;
  if (s.safe) steps.push_back("neuron-port fix " + paths + "   applies the safe fixes");
  if (!report.findings.empty())
    steps.push_back("neuron-port explain " + report.findings.front().rule + "   explains a rule");
  if (!context.ported_to.empty()) {
    steps = {"cd " + context.ported_to + " && neuron-port run -- python -m pytest   runs its tests on the stand-in"};
    if (!report.findings.empty())
      steps.push_back("neuron-port explain " + report.findings.front().rule + "   explains a rule");
  } else if (!report.kernels.empty()) {
    steps.push_back("neuron-port port DIR --out-dir OUT   ports the project with its kernels");
  } else if (!report.findings.empty() && s.safe == 0 && s.unsafe > 0) {
    steps.insert(steps.begin(), "neuron-port fix --unsafe-fixes --diff " + paths + "   shows the fixes to review");
  }
  if (steps.empty()) return;
  out += "\n" + context.terminal.paint(Style::Bold, "Next") + ":\n";
  for (const std::string& step : steps) out += "  " + step + "\n";
}

void addValidation(std::string& out, const Report& report, const OutputContext& context) {
  if (!report.validation) return;
  const Validation& v = *report.validation;
  const std::uint32_t total = v.passed + v.failed;
  const bool good = v.failed == 0 && v.passed > 0;
  out += "\n" +
         context.terminal.paint(good ? Style::Green : Style::Red,
                                std::to_string(v.passed) + " of " + std::to_string(total) + " tests pass on neuron") +
         (v.skipped ? ", " + std::to_string(v.skipped) + " skipped" : "") + "\n";
}

std::string summaryText(const Report& report, const OutputContext& context, bool with_places) {
  std::string out;
  addBlockers(out, report, context);
  addCounts(out, report, context);
  addReadiness(out, report, context);
  addKernels(out, report, context);
  if (with_places && !report.findings.empty()) {
    const auto top = mostImportant(report, 10);
    out += "\n" + context.terminal.paint(Style::Bold, "Most important places") + ":\n";
    for (const Finding* f : top) {
      out += heading(*f, context.terminal);
      addFrame(out, *f, context);
    }
  }
  if (context.statistics) addStatistics(out, report, context);
  addCoverage(out, report);
  addValidation(out, report, context);
  addNext(out, report, context);
  return out;
}

}  // namespace

std::string coverageLine(const Coverage& c) {
  std::string out = "Coverage: " + counted(c.files, "file") + ", " + std::to_string(c.analysed) + " analysed, " +
                    std::to_string(c.partial) + " partly, " + std::to_string(c.skipped.size()) + " not";
  if (c.unknown_calls) out += "; " + counted(c.unknown_calls, "call") + " could not be resolved";
  if (c.suppressed) out += "; " + counted(c.suppressed, "finding") + " suppressed";
  return out;
}

std::string writeText(const Report& report, const OutputContext& context) { return summaryText(report, context, true); }

std::string writeFull(const Report& report, const OutputContext& context) {
  std::string out;
  for (const Finding& f : report.findings) {
    out += heading(f, context.terminal);
    addFrame(out, f, context);
    for (const Related& step : f.trace)
      out += "  from " + printable(step.path) + ":" + std::to_string(step.start.line) + ": " + printable(step.message) +
             "\n";
    for (const std::string& note : f.notes) out += "  note: " + printable(note) + "\n";
    addFixes(out, f, context);
    out += "\n";
  }
  return out + summaryText(report, context, false);
}

}  // namespace np::cli
