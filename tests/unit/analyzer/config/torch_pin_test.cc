// Which versions a requirement allows, and where it is found.

#include "analyzer/config/torch_pin.h"

#include <gtest/gtest.h>

namespace np::analyzer {
namespace {

struct Case {
  const char* specifier;
  const char* version;
  bool admitted;
};

TEST(TorchPin, AdmitsByUpperBound) {
  const Case cases[] = {
      {"", "2.9", true},       {">=1.13", "2.9", true},    {">=1.13,<2.1", "2.0", true}, {">=1.13,<2.1", "2.1", false},
      {"<3", "2.9", true},     {"==1.13.1", "1.13", true}, {"==1.13.1", "2.6", false},   {"==2.10.*", "2.9", true},
      {"~=2.1", "2.6", true},  {"~=2.1.3", "2.1", true},   {"~=2.1.3", "2.6", false},    {"<=2.6", "2.6", true},
      {"<=2.6", "2.7", false}, {"!=2.0.1", "2.6", true},   {"==2.7", "2.7", true},       {"< 2.10", "2.9", true},
  };
  for (const Case& one : cases)
    EXPECT_EQ(TorchPin::ofSpecifier(one.specifier).admits(one.version), one.admitted)
        << one.specifier << " " << one.version;
}

TEST(TorchPin, APromisedMinimumAllowsNothingNewer) {
  EXPECT_TRUE(TorchPin::atLeast("2.7").admits("2.6"));
  EXPECT_FALSE(TorchPin::atLeast("2.1").admits("2.6"));
  EXPECT_TRUE(TorchPin::atLeast("2.1").admits(""));
}

TEST(TorchPin, IsFoundInEveryKindOfFile) {
  const auto pin = [](const char* text) {
    const auto found = findTorchPin(text);
    return found ? (found->empty() ? "unpinned" : found->text()) : "none";
  };
  EXPECT_EQ(pin("numpy\ntorch>=1.13,<2.1  # why\ntqdm\n"), "torch>=1.13,<2.1");
  EXPECT_EQ(pin("setup(install_requires=['torch >= 1.6', 'numpy'])"), "torch>=1.6");
  EXPECT_EQ(pin("dependencies = [\n  \"torch==2.0.1\",\n]"), "torch==2.0.1");
  EXPECT_EQ(pin("install_requires=[\"torch\"]"), "unpinned");
  EXPECT_EQ(pin("torchvision==0.14\ntorch-scatter==2.1\n"), "none");
  EXPECT_EQ(pin("import torch\nx = torch.zeros(2)\n"), "none");
  EXPECT_EQ(pin("torch = load()\n"), "none");
}

}  // namespace
}  // namespace np::analyzer
