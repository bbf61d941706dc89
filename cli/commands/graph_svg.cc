// A picture without a layout engine: ops left, the functions that launch in the middle, kernels right, each column in
// the order of the analysis. Extensions have tens of kernels, so straight lines stay readable; a project with more gets
// a tall picture, never a cut one.

#include <algorithm>
#include <map>
#include <set>

#include "cli/commands/graph.h"

namespace np::cli {
namespace {

constexpr int kRow = 24, kTop = 40, kColumn = 380, kLeft = 20, kBox = 300;
constexpr std::size_t kMaxLabel = 42;

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

std::string shortened(const std::string& text) {
  return text.size() <= kMaxLabel ? text : "…" + text.substr(text.size() - kMaxLabel + 1);
}

class Column {
 public:
  Column(const char* title, int index) : title_(title), x_(kLeft + index * kColumn) {}

  std::size_t row(const std::string& key, const std::string& label) {
    const auto [at, is_new] = rows_.try_emplace(key, labels_.size());
    if (is_new) labels_.push_back(label);
    return at->second;
  }
  int left() const { return x_; }
  int right() const { return x_ + kBox; }
  static int middle(std::size_t row) { return kTop + static_cast<int>(row) * kRow + kRow / 2; }
  std::size_t size() const { return labels_.size(); }

  std::string draw() const {
    std::string out = "<text class=\"title\" x=\"" + std::to_string(x_) + "\" y=\"24\">" + title_ + "</text>\n";
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const std::string y = std::to_string(kTop + static_cast<int>(i) * kRow + 2);
      out += "<g><title>" + escaped(labels_[i]) + "</title><rect x=\"" + std::to_string(x_) + "\" y=\"" + y +
             "\" width=\"" + std::to_string(kBox) + "\" height=\"" + std::to_string(kRow - 4) +
             "\" rx=\"3\"/><text x=\"" + std::to_string(x_ + 6) + "\" y=\"" + std::to_string(middle(i) + 4) + "\">" +
             escaped(shortened(labels_[i])) + "</text></g>\n";
    }
    return out;
  }

 private:
  const char* title_;
  int x_;
  std::map<std::string, std::size_t> rows_;
  std::vector<std::string> labels_;
};

std::string line(int x1, int y1, int x2, int y2) {
  const int half = (x1 + x2) / 2;
  return "<path d=\"M" + std::to_string(x1) + " " + std::to_string(y1) + " C" + std::to_string(half) + " " +
         std::to_string(y1) + " " + std::to_string(half) + " " + std::to_string(y2) + " " + std::to_string(x2) + " " +
         std::to_string(y2) + "\"/>\n";
}

}  // namespace

std::string graphSvg(const analyzer::CudaAnalysis& cuda) {
  Column ops("Python-visible op", 0), functions("launched in", 1), kernels("kernel", 2);
  std::set<std::string> lines;
  for (const analyzer::BindingFacts& facts : cuda.bindings) ops.row(facts.binding.name, facts.binding.name);
  for (std::size_t i = 0; i < cuda.kernels.size(); ++i) {
    const Kernel& kernel = cuda.kernels[i];
    const std::size_t at = kernels.row(std::to_string(i), kernel.name);
    for (const Launch& launch : kernel.launches) {
      const std::size_t function = functions.row(launch.function, launch.function.empty() ? "?" : launch.function);
      lines.insert(line(functions.right(), Column::middle(function), kernels.left(), Column::middle(at)));
      for (const Binding& binding : kernel.bindings)
        lines.insert(line(ops.right(), Column::middle(ops.row(binding.name, binding.name)), functions.left(),
                          Column::middle(function)));
    }
  }
  const std::size_t rows = std::max({ops.size(), functions.size(), kernels.size()});
  const std::string width = std::to_string(kLeft * 2 + 2 * kColumn + kBox);
  const std::string height = std::to_string(kTop + static_cast<int>(rows) * kRow + 10);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height +
                    "\">\n<style>rect{fill:#eef2f7;stroke:#8aa0b8}text{font:12px monospace;fill:#1b2733}"
                    ".title{font-weight:bold}path{fill:none;stroke:#5b7ea6;stroke-opacity:.6}</style>\n"
                    "<rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n";
  for (const std::string& one : lines) out += one;
  return out + ops.draw() + functions.draw() + kernels.draw() + "</svg>\n";
}

}  // namespace np::cli
