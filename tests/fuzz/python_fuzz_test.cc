// Broken Python, notebooks, environment files and settings through everything that reads them. What must hold whatever
// comes in: it ends, ranges lie inside the text, trees are nested, edits are in order, answers repeat.
//
// NP_FUZZ_ROUNDS (default 1500) and NP_FUZZ_SEED make longer runs and other ones.

#include <gtest/gtest.h>

#include <cstdlib>

#include "analyzer/config/config.h"
#include "analyzer/config/torch_pin.h"
#include "analyzer/project/ignore.h"
#include "analyzer/project/suppressions.h"
#include "analyzer/python/calls.h"
#include "analyzer/python/device_values.h"
#include "analyzer/python/guards.h"
#include "analyzer/python/notebook.h"
#include "analyzer/python/project_names.h"
#include "analyzer/python/quick_check.h"
#include "analyzer/rules/environment/analyze_environment.h"
#include "analyzer/rules/registry.h"
#include "analyzer/rules/torch/analyze_python.h"
#include "analyzer/rules/torch/pages.h"
#include "tests/fuzz/mutator.h"

namespace np::analyzer {
namespace {

using fuzz::Mutator;

unsigned setting(const char* name, unsigned fallback) {
  const char* text = std::getenv(name);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : fallback;
}
unsigned rounds() { return setting("NP_FUZZ_ROUNDS", 1500); }
unsigned seed() { return setting("NP_FUZZ_SEED", 1); }

// The Python examples of the rules' pages: every construct that some rule looks for.
std::vector<std::string> pythonSeeds() {
  std::vector<std::string> out;
  for (std::string_view page : torchRulePages()) {
    for (std::size_t at = 0; (at = page.find("```python", at)) != std::string_view::npos;) {
      const std::size_t start = page.find('\n', at) + 1, end = page.find("```", start);
      if (end == std::string_view::npos) break;
      out.emplace_back(page.substr(start, end - start));
      at = end + 3;
    }
  }
  out.push_back(
      "import torch, argparse\nfrom .common import *\nclass A:\n    device: str = 'cuda'\n    def __init__(self, "
      "device=None):\n"
      "        self.device = device or torch.device('cuda')\n    @property\n    def dev(self):\n        return "
      "self.device\n"
      "p = argparse.ArgumentParser()\np.add_argument('--device', default='cuda')\nargs = p.parse_args()\n"
      "a = A(args.device)\nx = [y.to(a.dev) for y in z if (w := y.device) == a.device]\n");
  return out;
}

std::string name(const char* what, unsigned round) {
  return std::string(what) + ", seed " + std::to_string(seed()) + ", round " + std::to_string(round);
}

void checkTree(const python::SyntaxTree& tree, std::size_t size, const std::string& where) {
  for (python::NodeId id = 1; id < tree.nodes().size(); ++id) {
    const python::Node& node = tree[id];
    const python::Node& parent = tree[node.parent];
    ASSERT_TRUE(node.range.start <= node.range.end && node.range.end <= size) << where;
    ASSERT_TRUE(parent.range.contains(node.range)) << where;
    ASSERT_TRUE(node.parent < id && node.subtree_end > id && node.subtree_end <= parent.subtree_end) << where;
  }
}

// Questions that rules ask, about every node.
std::string askEverything(const python::Module& module, const python::ProjectNames& project) {
  const python::DeviceValues devices(module, &project);
  std::string out;
  std::size_t asked = 0;
  for (python::NodeId id = 0; id < module.tree().nodes().size() && asked < 300; ++id) {
    const python::Kind kind = module.tree().kind(id);
    if (kind != python::Kind::Identifier && kind != python::Kind::Attribute && kind != python::Kind::Call &&
        kind != python::Kind::String)
      continue;
    ++asked;
    const python::DeviceValue value = devices.of(id);
    out += toString(value) + ";" + devices.flowOf(id).name + ";" + module.qualifiedName(id) + "\n";
    for (const Related& step : value.trace) EXPECT_LE(step.range.start, step.range.end);
  }
  for (const python::ApiUse& use : python::findApiUses(module)) out += use.name + "\n";
  return out;
}

void checkFindings(const PythonResult& result, const SourceText& text, const std::string& where) {
  for (const Finding& finding : result.findings) {
    ASSERT_LE(finding.range.end, text.bytes().size()) << where;
    ASSERT_LE(finding.range.start, finding.range.end) << where;
    for (const Fix& fix : finding.fixes)
      for (const Edit& edit : fix.edits) {
        ASSERT_EQ(edit.path, text.path()) << where;
        ASSERT_TRUE(edit.range.start <= edit.range.end && edit.range.end <= text.bytes().size()) << where;
      }
  }
}

class PythonFuzz : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(registry_.addPages(torchRulePages()).ok());
    ASSERT_TRUE(registry_.addPages(environmentRulePages()).ok());
    auto table = ApiTable::load();
    ASSERT_TRUE(table.ok());
    table_ = std::make_unique<ApiTable>(std::move(*table));
  }
  RuleRegistry registry_;
  std::unique_ptr<ApiTable> table_;
};

TEST_F(PythonFuzz, ModulesAndRules) {
  const std::vector<std::string> seeds = pythonSeeds();
  ASSERT_GT(seeds.size(), 50u);
  Mutator mutator(seed());
  PythonContext context{registry_, *table_};
  context.own_modules = {"common", "pkg"};
  for (unsigned round = 0; round < rounds(); ++round) {
    const std::string where = name("modules", round);
    const SourceText text("pkg/a.py", mutator.next(seeds)), other("pkg/common.py", mutator.next(seeds)),
        package("pkg/__init__.py", "from .a import *\nfrom .common import *\n");
    python::looksWellFormed(text.bytes());
    const python::ProjectNames project({&text, &other, &package});
    const auto module = python::Module::parse(text, &project);
    if (module.ok()) {
      checkTree(module->tree(), text.bytes().size(), where);
      EXPECT_EQ(askEverything(*module, project), askEverything(*module, project)) << where;
      python::findAvailabilityTests(*module);
    }
    context.project = &project;
    checkFindings(analyzePython(text, context), text, where);
    Suppressions::parse(text);
    if (HasFatalFailure()) return;
  }
}

TEST_F(PythonFuzz, Notebooks) {
  std::vector<std::string> seeds;
  for (const std::string& code : pythonSeeds())
    seeds.push_back(
        R"({"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": [")" +
        python::escapedForJson("%matplotlib inline\n!nvidia-smi\n" + code) +
        R"(", "x.cuda()\n"]}, {"cell_type": "markdown", "metadata": {}, "source": "text"}],)"
        R"( "metadata": {"kernelspec": {"language": "python", "name": "p"}}, "nbformat": 4, "nbformat_minor": 5})");
  Mutator mutator(seed() + 1);
  const PythonContext context{registry_, *table_};
  for (unsigned round = 0; round < rounds(); ++round) {
    const SourceText text("a.ipynb", mutator.next(seeds));
    checkFindings(analyzeNotebook(text, context), text, name("notebooks", round));
    const auto notebook = python::Notebook::parse(text);
    if (!notebook.ok()) continue;
    for (Offset at = 0; at < notebook->code().size(); at += 13) {
      const Range json = notebook->jsonRange({at, std::min<Offset>(at + 5, notebook->code().size())});
      ASSERT_TRUE(json.start <= json.end && json.end <= text.bytes().size()) << name("notebooks", round);
    }
    if (HasFatalFailure()) return;
  }
}

TEST_F(PythonFuzz, EnvironmentFilesAndSettings) {
  const std::vector<std::string> seeds = {
      "torch>=1.13,<2.1\nflash-attn==2.5 ; python_version < '3.12'\n-r other.txt\n",
      "[tool.neuron-port]\nselect = [\"NPT3\"]\nfail-on = \"error\"\n[project]\nrequires-python = "
      "\">=3.8\"\ndependencies = "
      "[\"torch==2.1.0\", \"xformers\"]\n",
      "FROM nvidia/cuda:12.1-devel\nRUN pip install torch==2.0.1+cu118\nENV "
      "CUDA_VISIBLE_DEVICES=0\n",
      "name: x\nchannels: [nvidia]\ndependencies:\n  - python=3.9\n  - pytorch-cuda=12.1\n  - pip:\n    - torch\n",
      "#!/bin/sh\nexport CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node=2 train.py --device cuda\nnvidia-smi\n",
      "{\"fp16\": {\"enabled\": true}, \"device\": \"cuda\", \"zero_optimization\": {\"stage\": 2}}",
      "*.py\n!a/**/b\n[a-z]?\\*\n/x/\n"};
  const char* const paths[] = {"requirements.txt", "pyproject.toml", "Dockerfile", "environment.yml",
                               "run.sh",           "ds_config.json", ".gitignore"};
  Mutator mutator(seed() + 2);
  for (unsigned round = 0; round < rounds() * 2; ++round) {
    const std::string bytes = mutator.next(seeds);
    const SourceText text(paths[round % 7], bytes);
    for (const Finding& finding : analyzeEnvironment(text, registry_))
      ASSERT_LE(finding.range.end, bytes.size()) << name("environment", round);
    (void)parseConfig(bytes, "neuron-port.toml", false);
    (void)parseConfig(bytes, "pyproject.toml", true);
    findTorchPin(bytes);
    isIgnored(parseIgnoreFile(bytes, ""), "a/b/c.py", false);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace np::analyzer
