// NPT1030 cuda-device-type, NPT1031 host-read-of-device-data
//
// Host code that names CUDA as a device (`torch::kCUDA`), and host code that waits for the device to read a value. The
// second is legal everywhere, but on Neuron the value then decides a shape, and every new shape is compiled anew.

#include "analyzer/rules/host/rule_input.h"

namespace np::analyzer::host {
namespace {

void look(const CppFile& file, const std::vector<Token>& tokens, HostFindings& out) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool type = tokens[i].is("kCUDA") ||
                      (tokens[i].is("CUDA") && i >= 2 && tokens[i - 1].is("::") && tokens[i - 2].is("DeviceType"));
    if (type)
      out.add("NPT1030", file, tokens[i].range, std::string(tokens[i].text),
              "a CUDA device is named; take the device of an input instead: \"x.options()\"");
  }
}

// `x.cpu().data_ptr<…>()`, `x.item<…>()` and `x.item()` of a function that also launches or calls CUDA's runtime.
void reads(const CppFile& file, const Item& item, HostFindings& out) {
  const std::vector<Token>& tokens = file.tokens();
  bool launches = false;
  for (std::size_t i = item.brace; i <= item.last; ++i) launches = launches || tokens[i].is("<<<");
  if (!launches) return;
  for (std::size_t i = item.brace; i + 4 <= item.last; ++i) {
    if (!tokens[i].is(".")) continue;
    const bool copied = tokens[i + 1].is("cpu") && tokens[i + 2].is("(") && tokens[i + 4].is(".");
    const bool item_read = tokens[i + 1].is("item") && (tokens[i + 2].is("(") || tokens[i + 2].is("<"));
    if (copied || item_read)
      out.add("NPT1031", file, tokens[i + 1].range, item.name,
              "the host waits for the device to read a value; a shape made of it is compiled anew each time");
  }
}

}  // namespace

void hostHazards(const HostRuleInput& input, HostFindings& out) {
  for (const CppFile& file : input.project.files()) {
    look(file, file.tokens(), out);
    for (const Directive& directive : file.lexed.directives)
      if (directive.name == "define") look(file, directive.body, out);
    for (const Item& item : file.items)
      if (item.kind == ItemKind::Function && !item.is_device && item.brace > item.open) reads(file, item, out);
  }
}

}  // namespace np::analyzer::host
