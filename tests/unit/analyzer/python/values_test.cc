// What expressions are, what device strings are used for, and what guards guard.

#include <gtest/gtest.h>

#include "analyzer/python/device_strings.h"
#include "analyzer/python/guards.h"
#include "analyzer/python/value_types.h"

namespace np::analyzer::python {
namespace {

// The type of the receiver of the last `.cuda()`.
ValueType receiverType(const std::string& code) {
  const SourceText text("m.py", "import torch\nfrom torch import nn\n" + code);
  const Result<Module> module = Module::parse(text);
  const SyntaxTree& tree = module->tree();
  NodeId receiver = kNoNode;
  for (NodeId id = 0; id < tree.nodes().size(); ++id)
    if (tree.is(id, Kind::Attribute) && module->slice(tree.child(id, Field::Attribute)) == "cuda")
      receiver = tree.child(id, Field::Object);
  return valueType(*module, receiver);
}

TEST(ValueType, KnowsTorchAndNothingElse) {
  EXPECT_EQ(receiverType("torch.zeros(2).cuda()"), ValueType::Tensor);
  EXPECT_EQ(receiverType("torch.zeros(2).float().unsqueeze(0).cuda()"), ValueType::Tensor);
  EXPECT_EQ(receiverType("x = torch.zeros(2)\nx.cuda()"), ValueType::Tensor);
  EXPECT_EQ(receiverType("x = torch.zeros(2)\nx = x.cuda()"), ValueType::Tensor);
  EXPECT_EQ(receiverType("def f(x: torch.Tensor):\n    x.cuda()"), ValueType::Tensor);
  EXPECT_EQ(receiverType("nn.Linear(2, 2).eval().cuda()"), ValueType::NnModule);
  EXPECT_EQ(receiverType("class M(nn.Module):\n    pass\nM().cuda()"), ValueType::NnModule);
  EXPECT_EQ(receiverType("class M(nn.Module):\n    pass\nclass N(M):\n    pass\nm = N()\nm.cuda()"),
            ValueType::NnModule);
  EXPECT_EQ(receiverType("class M(nn.Module):\n    def cuda(self):\n        return 1\nM().cuda()"), ValueType::Unknown);
  EXPECT_EQ(receiverType("x = torch.zeros(2)\nx = load()\nx.cuda()"), ValueType::Unknown);
  EXPECT_EQ(receiverType("def f(x):\n    x.cuda()"), ValueType::Unknown);
  EXPECT_EQ(receiverType("torch.load(p).cuda()"), ValueType::Unknown);
  EXPECT_EQ(receiverType("self.model.cuda()"), ValueType::Unknown);
}

struct UseCase {
  const char* code;
  DeviceUse use;
};

TEST(DeviceStrings, AreClassifiedByTheirPlace) {
  const UseCase cases[] = {
      {"torch.device(\"cuda\")", DeviceUse::TorchDevice},
      {"torch.zeros(2, device='cuda')", DeviceUse::FactoryKeyword},
      {"torch.nn.Linear(2, 2, device='cuda')", DeviceUse::FactoryKeyword},
      {"x.to('cuda')", DeviceUse::ToArgument},
      {"x.to(device=\"cuda\")", DeviceUse::ToArgument},
      {"f(device='cuda')", DeviceUse::DeviceKeyword},
      {"torch.autocast('cuda')", DeviceUse::Autocast},
      {"torch.amp.autocast(device_type='cuda')", DeviceUse::Autocast},
      {"torch.load(p, map_location='cuda')", DeviceUse::MapLocation},
      {"x.device.type == 'cuda'", DeviceUse::Comparison},
      {"x.device == torch.device('cuda')", DeviceUse::Comparison},
      {"d.startswith('cuda')", DeviceUse::Comparison},
      {"x.type in ('cuda', 'xpu')", DeviceUse::Comparison},
      {"'cuda' if a else 'cpu'", DeviceUse::Choice},
      {"def f(d='cuda'): pass", DeviceUse::Default},
      {"def f(d: str = 'cuda'): pass", DeviceUse::Default},
      {"d = 'cuda'", DeviceUse::Assigned},
      {"def f():\n    return 'cuda'", DeviceUse::Returned},
      {"p.add_argument('--device', default='cuda')", DeviceUse::CommandLine},
      {"f('cuda')", DeviceUse::OtherArgument},
      {"t = {'cuda': 1}", DeviceUse::Data},
      {"DataLoader(x, pin_memory_device='cuda')", DeviceUse::PinMemory},
      {"torch.accelerator.current_accelerator(check_available=True) or torch.device('cuda')", DeviceUse::Fallback},
  };
  for (const UseCase& one : cases) {
    const SourceText text("m.py", "import torch\n" + std::string(one.code) + "\n");
    const Result<Module> module = Module::parse(text);
    const std::vector<DeviceString> found = findDeviceStrings(*module);
    ASSERT_EQ(found.size(), 1u) << one.code;
    EXPECT_EQ(found[0].use, one.use) << one.code;
  }
}

TEST(DeviceStrings, DocstringsAndOtherTextHoldNone) {
  for (const char* code : {"\"\"\"cuda\"\"\"\n", "# \"cuda\"\nx = 1\n", "x = 'cuda-12'\n", "x = b'cuda'\n",
                           "print('cuda:', 1)\n", "class A:\n    'cuda'\n", "x = f'{a}cuda'\n"}) {
    const SourceText text("m.py", code);
    const Result<Module> module = Module::parse(text);
    EXPECT_TRUE(findDeviceStrings(*module).empty()) << code;
  }
}

struct GuardCase {
  const char* code;
  TestRole role;
  bool decisive;
  std::size_t guarded;
};

TEST(Guards, SayWhatTheyGuard) {
  const GuardCase cases[] = {
      {"if T():\n    a()", TestRole::Guard, true, 1},
      {"if x and T():\n    a()", TestRole::Guard, true, 1},
      {"if x or T():\n    a()", TestRole::Guard, false, 1},
      {"if not (x or T()):\n    return_()\nelse:\n    a()", TestRole::Guard, false, 1},
      {"if not (x and T()):\n    return_()\nelse:\n    a()", TestRole::Guard, true, 1},
      {"def f():\n    if not T() or x:\n        return\n    a()", TestRole::Guard, true, 1},
      {"def f():\n    if not T() and x:\n        return\n    a()", TestRole::Guard, false, 1},
      {"def f():\n    if not T():\n        return\n    a()\n    b()", TestRole::Guard, true, 2},
      {"def f():\n    if not T():\n        sys.exit(1)\n    a()", TestRole::Guard, true, 1},
      {"def f():\n    if not T():\n        log()\n    a()", TestRole::Guard, true, 0},
      {"assert T(), 'x'\na()\nb()", TestRole::Guard, true, 2},
      {"x = 1 if T() else 2", TestRole::Choice, true, 1},
      {"flag = T()", TestRole::Flag, true, 0},
      {"flag = a and T()", TestRole::Flag, true, 0},
      {"@skipIf(not T(), 'x')\ndef f(): pass", TestRole::Skip, true, 0},
      {"print(T())", TestRole::Query, true, 0},
      {"def f():\n    return T()", TestRole::Query, true, 0},
  };
  for (const GuardCase& one : cases) {
    const SourceText text("m.py", "from torch.cuda import is_available as T\n" + std::string(one.code) + "\n");
    const Result<Module> module = Module::parse(text);
    const std::vector<AvailabilityTest> tests = findAvailabilityTests(*module);
    ASSERT_EQ(tests.size(), 1u) << one.code;
    EXPECT_EQ(tests[0].role, one.role) << one.code;
    EXPECT_EQ(tests[0].decisive, one.decisive) << one.code;
    EXPECT_EQ(tests[0].guarded.size(), one.guarded) << one.code;
  }
}

}  // namespace
}  // namespace np::analyzer::python
