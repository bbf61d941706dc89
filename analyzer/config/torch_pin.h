// Which versions of torch a project allows, read from requirement texts such as "torch>=1.13,<2.1".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace np::analyzer {

class TorchPin {
 public:
  TorchPin() = default;  // no pin: every version is allowed

  // Reads the version part of a requirement (">=1.13,<2.1", "==1.13.1", "~=2.0", "" for none).
  static TorchPin ofSpecifier(std::string_view specifier);
  // A project that promises to keep working from this version on: nothing newer may be needed.
  static TorchPin atLeast(std::string_view version);

  // True when a version of torch that has everything of `min_torch` is allowed, and (for atLeast) no allowed one lacks
  // it.
  bool admits(std::string_view min_torch) const;
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  std::string below_;     // exclusive upper bound, empty for none
  std::string exactly_;   // "1.13.1" of "=="; its release series is all that is allowed
  std::string promised_;  // of atLeast
};

// The torch requirement in the text of a requirements file, setup.py, setup.cfg or pyproject.toml; none when it has
// none. Only the distribution "torch" counts, not "torchvision" or "torch-scatter".
std::optional<TorchPin> findTorchPin(std::string_view text);

}  // namespace np::analyzer
