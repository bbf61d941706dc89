// What the contract says of every fix: pins, targets, groups, parse errors, and that nothing hangs.

#include <map>

#include "tests/rules/python_rules.h"

namespace np::analyzer {
namespace {

const Fix* fixOf(const std::vector<Finding>& findings, std::string_view rule) {
  for (const Finding& finding : findings)
    if (finding.rule == rule && !finding.fixes.empty()) return &finding.fixes[0];
  return nullptr;
}

constexpr const char* kSafe = "import torch\n\ndef f():\n    return torch.zeros(2).cuda()\n";

TEST_F(PythonRules, PinThatDoesNotAdmitTheFixMakesItUnsafe) {
  ASSERT_NE(fixOf(analyse(kSafe), "NPT3002"), nullptr);
  EXPECT_EQ(fixOf(analyse(kSafe), "NPT3002")->safety, FixSafety::Safe);
  EXPECT_EQ(fixOf(analyse(kSafe), "NPT3002")->min_torch, "2.7");
  pin_ = TorchPin::ofSpecifier("==1.13.1");
  const std::vector<Finding> findings = analyse(kSafe);
  EXPECT_EQ(fixOf(findings, "NPT3002")->safety, FixSafety::Unsafe);
  ASSERT_FALSE(findings[0].notes.empty());
  EXPECT_NE(findings[0].notes[0].find("torch==1.13.1"), std::string::npos);
  pin_ = TorchPin::ofSpecifier(">=1.10");
  EXPECT_EQ(fixOf(analyse(kSafe), "NPT3002")->safety, FixSafety::Safe);
}

TEST_F(PythonRules, NothingAimedAtNeuronAloneIsSafe) {
  target_ = Target::Neuron;
  const std::string code =
      "import torch\n\ndef f(x):\n    torch.cuda.synchronize()\n    y = torch.zeros(2).cuda()\n"
      "    d = \"cuda\" if torch.cuda.is_available() else \"cpu\"\n    return x.to(d), y.to(\"cuda\")\n";
  for (const Finding& finding : analyse(code))
    for (const Fix& fix : finding.fixes) EXPECT_NE(fix.safety, FixSafety::Safe) << finding.rule;
  EXPECT_EQ(fixed(code, FixSafety::Unsafe),
            "import torch\n\ndef f(x):\n    torch.neuron.synchronize()\n    y = torch.zeros(2).to(\"neuron\")\n"
            "    d = \"neuron\" if torch.neuron.is_available() else \"cpu\"\n    return x.to(d), y.to(\"neuron\")\n");
}

// current_accelerator() alone names what torch was built for and is None in a CPU build.
TEST_F(PythonRules, TheAcceleratorIsNeverAssumed) {
  for (const RuleInfo& rule : registry_.all()) {
    const std::string page(rule.page);
    EXPECT_EQ(page.find("current_accelerator()."), std::string::npos) << rule.name;
    EXPECT_EQ(page.find("current_accelerator())"), std::string::npos) << rule.name;
  }
}

TEST_F(PythonRules, FixesOfOneDeviceFlowShareAGroup) {
  const std::vector<Finding> findings = analyse(
      "import torch\n\ndef f(x):\n    device = \"cuda\"\n    if device == \"cuda\":\n        x = x.contiguous()\n"
      "    return x.to(device)\n");
  const Fix *assigned = fixOf(findings, "NPT3001"), *compared = fixOf(findings, "NPT3005");
  ASSERT_NE(assigned, nullptr);
  ASSERT_NE(compared, nullptr);
  EXPECT_FALSE(assigned->group.empty());
  EXPECT_EQ(assigned->group, compared->group);
}

TEST_F(PythonRules, ATakenNameGetsNoFix) {
  const std::string code = "def f(torch, x):\n    return x.cuda()\n";
  ASSERT_EQ(analyse(code).size(), 1u);
  EXPECT_TRUE(analyse(code)[0].fixes.empty());
}

TEST_F(PythonRules, AMissingImportIsAdded) {
  EXPECT_EQ(fixed("\"\"\"Doc.\"\"\"\nfrom m import g\n\ndef f(x):\n    return g(x).cuda()\n", FixSafety::Unsafe),
            "\"\"\"Doc.\"\"\"\nimport torch\nfrom m import g\n\ndef f(x):\n    return "
            "g(x).to(torch.accelerator.current_accelerator(check_available=True))\n");
}

TEST_F(PythonRules, BrokenStatementsAreLeftAlone) {
  const std::string code = "import torch\ndef f(x):\n    y = x.cuda(\n    return torch.zeros(2, device=\"cuda\"\n";
  EXPECT_EQ(fixed(code, FixSafety::Unsafe), code);
  const SourceText text("example.py", code);
  EXPECT_NE(result(text).partial, "");
}

TEST_F(PythonRules, ACudaExtensionKeepsItsGuardShut) {
  cuda_modules_ = {"mypkg._ops"};
  const std::string code =
      "import torch\nif torch.cuda.is_available():\n    from mypkg import _ops\n    y = torch.zeros(1)\n";
  EXPECT_EQ(fixed(code, FixSafety::Unsafe), code);
}

TEST_F(PythonRules, OwnModulesAreNoPackages) {
  const std::string code = "import flash_attn\n";
  EXPECT_EQ(analyse(code).size(), 1u);
  own_modules_ = {"flash_attn"};
  EXPECT_TRUE(analyse(code).empty());
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Every one of these took minutes or a stack overflow in some design.
TEST_F(PythonRules, HostileFilesComeToAnEnd) {
  const std::map<std::string, std::string> files = {
      {"deep", "import torch\nx = " + repeated("(", 30000) + "'cuda'" + repeated(")", 30000) + "\n"},
      {"chain", "import torch\nx = a" + repeated(".cuda()", 5000) + "\n"},
      {"and", "import torch\nif " + repeated("torch.cuda.is_available() and ", 1500) + "True:\n  x.cuda()\n"},
      {"elif", "import torch\nif torch.cuda.is_available():\n  x.cuda()\n" +
                   repeated("elif torch.cuda.is_available():\n  x.cuda()\n", 600)},
      {"bindings", "import torch\n" + repeated("a = b\nb = a\n", 800) + repeated("a.cuda()\n", 200)},
      {"unclosed", "cuda = " + repeated("[", 20000)},
      {"line", "import torch\nx = [" + repeated("'cuda', ", 60000) + "]\n"},
  };
  for (const auto& [name, code] : files) {
    const SourceText text(name + ".py", code);
    const PythonResult found = result(text);
    EXPECT_LE(found.findings.size(), FileFindings::kMost + 1) << name;
  }
}

TEST_F(PythonRules, BytesOutsideTheFixStayAsTheyWere) {
  const std::string code =
      "\xEF\xBB\xBFimport torch\r\n# caf\xC3\xA9 .cuda()\r\ndef f():\r\n    return torch.zeros(2).cuda()  # x.cuda()";
  EXPECT_EQ(fixed(code, FixSafety::Safe),
            "\xEF\xBB\xBFimport torch\r\n# caf\xC3\xA9 .cuda()\r\ndef f():\r\n    return "
            "torch.zeros(2).to(torch.accelerator.current_accelerator(check_available=True))  # x.cuda()");
}

}  // namespace
}  // namespace np::analyzer
