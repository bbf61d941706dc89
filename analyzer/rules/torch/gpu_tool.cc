// NPT3026 gpu-tool
//
// Programs of the CUDA world that are started from Python: nvidia-smi, nvcc, nsys. A string counts only where it is
// run or is nothing but the command: messages that mention one are left alone.

#include <array>

#include "analyzer/python/strings.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

struct Tool {
  std::string_view name, instead;
};

constexpr std::array<Tool, 6> kTools = {{{"nvidia-smi", "neuron-ls, neuron-top or neuron-monitor"},
                                         {"nvcc", "nothing: there is no CUDA compiler, and NKI kernels need none"},
                                         {"nsys", "Neuron Explorer"},
                                         {"ncu", "Neuron Explorer"},
                                         {"nvprof", "Neuron Explorer"},
                                         {"cuobjdump", "nothing"}}};

bool runsPrograms(std::string_view callee) {
  for (std::string_view name :
       {"run", "Popen", "check_output", "check_call", "call", "system", "popen", "getoutput", "getstatusoutput",
        "which", "find_executable", "create_subprocess_exec", "create_subprocess_shell", "execute", "exec_command"})
    if (callee == name || callee.ends_with("." + std::string(name))) return true;
  return false;
}

// The call that a string is an argument of, through lists, concatenations and formatting.
bool isRun(const RuleInput& input, NodeId string) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId at = tree[string].parent; at != kNoNode && !tree.isStatement(at); at = tree[at].parent)
    if (tree.is(at, Kind::Call) && runsPrograms(textOf(input, tree.child(at, Field::Function)))) return true;
  return false;
}

// The program's name is the last part of the first word: "/usr/bin/nvidia-smi --query-gpu=…".
std::string_view programOf(std::string_view command) {
  command = command.substr(0, command.find_first_of(" \t\n|;"));
  const auto slash = command.rfind('/');
  return slash == std::string_view::npos ? command : command.substr(slash + 1);
}

}  // namespace

void gpuTool(const RuleInput& input, FileFindings& out) {
  for (NodeId id : input.strings) {
    const std::string text = python::leadingText(input.module, id);
    if (text.size() < 3 || text[0] == ' ') continue;
    const std::string_view program = programOf(text);
    for (const Tool& tool : kTools) {
      if (program != tool.name) continue;
      const bool is_command =
          text.size() == tool.name.size() ? tool.name.size() > 4 || isRun(input, id) : isRun(input, id);
      if (!is_command && text.find(" -") == std::string::npos && text.find('/') == std::string::npos) continue;
      out.add("NPT3026", id, text.substr(0, text.find('\n')),
              "a tool of CUDA; on neuron: " + std::string(tool.instead));
    }
  }
}

}  // namespace np::analyzer
