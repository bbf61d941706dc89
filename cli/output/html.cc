// The report as one page that opens from a CI artifact without a network: counts as an inline SVG bar, kernels with
// their gates, findings by file with source frames. All text from the project is escaped.

#include <map>

#include "cli/output/output.h"
#include "cli/output/places.h"
#include "cli/output/source_frame.h"

namespace np::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

constexpr char kStyle[] =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}"
    "pre{background:#f5f5f5;padding:.6em;overflow-x:auto;font-size:13px}table{border-collapse:collapse}"
    "td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
    ".error{color:#b00020}.warning{color:#946200}.hint{color:#06c}summary{cursor:pointer}"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#222}td,th{border-color:#444}"
    "}";

// A bar split by what to do: safe, unsafe, by hand.
std::string bar(const Summary& s) {
  const double total = s.safe + s.unsafe + s.by_hand;
  if (total == 0) return "";
  std::string out = "<svg width=\"640\" height=\"24\" role=\"img\" aria-label=\"findings by what to do\">";
  double x = 0;
  const auto part = [&](std::uint32_t n, const char* colour, const char* label) {
    if (n == 0) return;
    const double width = 640 * n / total;
    out += "<rect x=\"" + std::to_string(x) + "\" width=\"" + std::to_string(width) + "\" height=\"24\" fill=\"" +
           colour + "\"><title>" + std::to_string(n) + " " + label + "</title></rect>";
    x += width;
  };
  part(s.safe, "#2e7d32", "safe to fix");
  part(s.unsafe, "#f9a825", "fix with review");
  part(s.by_hand, "#c62828", "by hand");
  return out + "</svg><p>" + std::to_string(s.safe) + " safe to fix, " + std::to_string(s.unsafe) + " with review, " +
         std::to_string(s.by_hand) + " by hand</p>";
}

void addKernels(std::string& out, const Report& report) {
  if (report.kernels.empty()) return;
  out += "<h2>Kernels</h2><table><tr><th>kernel</th><th>where</th><th>status</th><th>what it computes, gates</th></tr>";
  for (const Kernel& k : report.kernels) {
    out += "<tr><td>" + escaped(k.name) + "</td><td>" + escaped(k.where.path) + ":" +
           std::to_string(k.where.start.line) + "</td><td>" + toString(k.port.status) + "</td><td>";
    if (k.port.reason)
      out += escaped(k.port.reason->code + " " + k.port.reason->message) + "<br>" + escaped(k.port.reason->advice);
    if (!k.port.spec.empty()) out += "<pre>" + escaped(k.port.spec) + "</pre>";
    for (const Gate& gate : k.port.gates)
      out += std::string(gate.passed ? "✓ " : "✗ ") + escaped(gate.name + ": " + gate.detail) + "<br>";
    if (k.port.cost)
      out += "estimated " + std::to_string(k.port.cost->estimate_us) + " µs (" + std::to_string(k.port.cost->low_us) +
             " to " + std::to_string(k.port.cost->high_us) + ") on " + escaped(k.port.cost->target) + ", bound by " +
             escaped(k.port.cost->bound);
    out += "</td></tr>";
  }
  out += "</table>";
}

}  // namespace

std::string writeHtml(const Report& report, const OutputContext& context) {
  std::string out = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>neuron-port report</title><style>";
  out += kStyle;
  out += "</style><h1>neuron-port report</h1><p>neuron-port " + escaped(report.tool_version) + ", target " +
         escaped(report.target) + "</p>";
  out += "<p>" + escaped(coverageLine(report.coverage)) + "</p>" + bar(summarize(report));
  if (report.validation)
    out += "<p><b>" + std::to_string(report.validation->passed) + " of " +
           std::to_string(report.validation->passed + report.validation->failed) +
           " tests pass on neuron</b> (stand-in, not Trainium)</p>";
  addKernels(out, report);
  std::map<std::string, std::vector<const Finding*>> by_file;
  for (const Finding& f : report.findings) by_file[f.path].push_back(&f);
  out += "<h2>Findings</h2>";
  OutputContext plain = context;
  plain.terminal.colour = false;
  for (const auto& [path, findings] : by_file) {
    out += "<details open><summary><b>" + escaped(path) + "</b> (" + std::to_string(findings.size()) + ")</summary>";
    for (const Finding* f : findings) {
      out += std::string("<p class=\"") + toString(f->severity) + "\">" + std::to_string(f->start.line) + ":" +
             std::to_string(f->start.column) + " " + f->rule + " " + escaped(f->message) + "</p>";
      const SourceText* text = context.source ? context.source(path) : nullptr;
      if (text) out += "<pre>" + escaped(sourceFrame(*text, f->range, plain.terminal)) + "</pre>";
    }
    out += "</details>";
  }
  if (!report.coverage.skipped.empty()) {
    out += "<h2>Not analysed</h2><ul>";
    for (const SkippedFile& file : report.coverage.skipped)
      out += "<li>" + escaped(file.path) + ": " + escaped(file.reason) + "</li>";
    out += "</ul>";
  }
  return out + "</html>\n";
}

}  // namespace np::cli
