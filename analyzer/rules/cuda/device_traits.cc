// NPT2001, 2003, 2004, 2006, 2007, 2013, 2020: properties of device code that decide how a kernel can be ported. The
// facts come from the AST; here each kind gets its rule and its sentence.

#include "analyzer/rules/cuda/rule_input.h"

namespace np::analyzer {
namespace {

struct TraitRule {
  const char* kind;
  const char* rule;
  const char* message;
};

constexpr TraitRule kRules[] = {
    {"inline-ptx", "NPT2001", "inline PTX cannot be translated; write it in C++"},
    {"shared-dynamic", "NPT2003", "is sized by the launch; the launch file must give its bytes"},
    {"shared-static", "NPT2020", "becomes tiles in SBUF"},
    {"constant-memory", "NPT2004", "is set by the host between launches; pass it as a kernel argument"},
    {"device-global", "NPT2007", "keeps state between launches; pass it as a kernel argument"},
    {"dynamic-parallelism", "NPT2006", "is launched from device code; launch it from the host"},
    {"device-allocation", "NPT2013", "allocates on the device; give every thread its place in a tensor"},
};

std::string shortened(const std::string& text) { return text.size() <= 40 ? text : text.substr(0, 37) + "..."; }

}  // namespace

void deviceTraits(const CudaRuleInput& input, CudaFindings& out) {
  for (const DeviceTrait& trait : input.analysis.traits) {
    for (const TraitRule& rule : kRules) {
      if (trait.kind != rule.kind) continue;
      const bool ptx = trait.kind == "inline-ptx";
      out.add(rule.rule, trait.where, shortened(trait.text),
              ptx ? rule.message : "\"" + trait.text + "\" " + rule.message);
    }
  }
}

}  // namespace np::analyzer
