// Builds a Fix and applies the rules of the contract that hold for every fix: none in a statement with a parse error,
// none that relies on undocumented facts, `safe` only where the project's torch pin admits it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

class FixBuilder {
 public:
  FixBuilder(const RuleInput& input, FixSafety safety, std::string title);

  FixBuilder& replace(python::NodeId node, std::string text);
  FixBuilder& replace(Range range, std::string text, python::NodeId statement_of);
  FixBuilder& insert(Offset offset, std::string text, python::NodeId statement_of);
  FixBuilder& requireTorch(std::string_view version);
  FixBuilder& lowerTo(FixSafety safety);
  FixBuilder& group(std::string name);
  // Takes over the edits of another fix: both places change together.
  FixBuilder& include(const Fix& other);

  // The name of the torch module at a place, imported if need be. When the name is taken there, the fix is given up.
  std::string torchAt(python::NodeId place);

  // The device-neutral texts, for this target (see neutral texts in fix_builder.cc).
  std::string deviceArgument(python::NodeId place);  // a torch.device, None without an accelerator
  std::string deviceText(python::NodeId place);      // a string, "cuda" without an accelerator
  std::string deviceObject(python::NodeId place);    // a torch.device, torch.device("cuda") without an accelerator
  std::string isAvailable(python::NodeId place);     // the call

  bool givenUp() const { return given_up_; }
  const Fix& fix() const { return fix_; }
  // Attaches the fix unless it was given up.
  void addTo(Finding& finding) &&;

 private:
  void touch(python::NodeId node, std::string_view text);

  const RuleInput& input_;
  Fix fix_;
  bool given_up_ = false;
  bool of_cuda_class_ = false;   // in a class that is CUDA's by its name
  bool scripted_ = false;        // in code that TorchScript compiles
  bool one_of_several_ = false;  // in code that tells backends apart
};

// f"cuda:{rank}" → TYPE + f":{rank}": the same index of whatever device there is. Quotes need no care that way. False
// when the text has another form.
bool replaceType(const RuleInput& input, const python::DeviceString& device, FixBuilder& fix);

// True when version `a` is older than `b` ("2.6" < "2.10"); an empty one is the oldest.
bool olderTorch(std::string_view a, std::string_view b);

}  // namespace np::analyzer
