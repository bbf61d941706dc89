// An item is CUDA's when it spells CUDA's words, or names an item that is. The second is repeated until nothing
// changes: a helper of a launcher goes with it. What a .cuh defines is CUDA's too, its header is not compiled.

#include "analyzer/rules/host/neuron_plan.h"

#include <algorithm>

#include "analyzer/rules/host/bridge.h"
#include "analyzer/rules/host/cuda_words.h"

namespace np::analyzer::host {
namespace {

// What an item brings into scope.
std::set<std::string> namesOf(const CppFile& file, const Item& item) {
  const std::vector<Token>& tokens = file.tokens();
  if (!item.name.empty()) return {item.name};
  std::set<std::string> out;
  for (std::size_t i = item.first; i < item.last; ++i) {
    const bool type = tokens[i].is("struct") || tokens[i].is("class") || tokens[i].is("union") || tokens[i].is("using");
    if (tokens[i].is("{")) break;
    if (type && tokens[i + 1].kind == TokenKind::Word) {
      if (tokens[i + 1].is("namespace")) return {};
      out.insert(std::string(tokens[i + 1].text));
    }
  }
  if (tokens[item.first].is("typedef") && tokens[item.last - 1].kind == TokenKind::Word)
    out.insert(std::string(tokens[item.last - 1].text));
  return out;
}

class Planner {
 public:
  Planner(const HostProject& project, NeuronPlan& out) : project_(project), out_(out) {}

  void plan() {
    for (const CppFile& file : project_.files()) {
      if (file.path().ends_with(".cuh")) addCudaNames(file);
      if (project_.isHost(file)) closures_[&file] = project_.closure(file);
    }
    for (const CppFile& file : project_.files())
      if (project_.isHost(file)) start(file);
    while (spread()) {
    }
    for (const CppFile& file : project_.files())
      if (project_.isHost(file)) checkUses(file);
    for (const auto& [path, file] : out_.files)
      if (out_.problem.empty() && !file.problem.empty()) out_.problem = "\"" + path + "\": " + file.problem;
  }

 private:
  void addCudaNames(const CppFile& file) {
    for (const Directive& directive : file.lexed.directives)
      if (directive.name == "define" && !directive.body.empty())
        for (const Token& token : directive.body)
          if (token.is("__device__") || token.is("__global__") || token.is("blockIdx")) {
            cuda_names_[&file].insert(std::string(directive.body[0].text));
            break;
          }
    for (const Item& item : file.items)
      if (item.kind == ItemKind::Function) cuda_names_[&file].merge(namesOf(file, item));
  }

  // True when the file, or one that it includes, defines the name and the definition is CUDA's.
  bool isCudaName(const CppFile& file, const std::string& name) const {
    const auto closure = closures_.find(&file);
    return std::any_of(closure->second.begin(), closure->second.end(), [&](const CppFile* one) {
      const auto names = cuda_names_.find(one);
      return names != cuda_names_.end() && names->second.contains(name);
    });
  }

  bool speaksCuda(const CppFile& file, const Item& item) const {
    const bool guards = file.isDevice();  // in .cu the guard's header is not compiled either
    for (std::size_t i = item.first; i <= item.last; ++i)
      if (isCudaWord(file.tokens(), i, guards) && !isSwitched(file, file.tokens()[i].range.start)) return true;
    return false;
  }

  void start(const CppFile& file) {
    FilePlan& plan = out_.files[file.path()];
    if (!file.is_balanced) {
      if (std::any_of(file.items.begin(), file.items.end(), [&](const Item& item) { return speaksCuda(file, item); }))
        plan.problem = "its brackets or conditions do not close";
      plan.items.resize(file.items.size());
      for (std::size_t i = 0; i < file.items.size(); ++i) plan.items[i].item = &file.items[i];
      return;
    }
    for (const Item& item : file.items) {
      Planned planned{&item, Fate::Keep, "", "", false};
      if (item.kind == ItemKind::Declaration && project_.isDefinedByNvcc(item) && !item.is_template)
        declaration(file, planned);
      else if (isBridgedBody(file, item))
        planned.done = true, out_.bridged.insert(item.name);
      else if (speaksCuda(file, item))
        cuda(file, planned);
      plan.items.push_back(std::move(planned));
    }
  }

  // A function whose body an earlier run has given a bridge.
  bool isBridgedBody(const CppFile& file, const Item& item) const {
    if (item.kind != ItemKind::Function) return false;
    for (std::size_t i = item.brace; i <= item.last; ++i)
      if (file.tokens()[i].is("neuron_op")) return true;
    return false;
  }

  void declaration(const CppFile& file, Planned& planned) {
    const Item& item = *planned.item;
    if (file.isUnder(item.range.start, kNeuronSwitch)) {
      planned.done = true;
      out_.bridged.insert(item.name);
      return;
    }
    if (isSwitched(file, item.range.start)) return;
    planned.fate = Fate::BridgeDeclaration;
    bridge(file, planned, ItemKind::Declaration);
  }

  void cuda(const CppFile& file, Planned& planned) {
    const Item& item = *planned.item;
    planned.fate = Fate::Switch;
    if (item.kind == ItemKind::Function && !item.is_device && !item.is_template && project_.bound(item.name)) {
      planned.fate = Fate::BridgeBody;
      bridge(file, planned, ItemKind::Function);
    }
    if (planned.fate == Fate::Switch || !planned.problem.empty()) cuda_names_[&file].merge(namesOf(file, item));
  }

  void bridge(const CppFile& file, Planned& planned, ItemKind kind) {
    const Item& item = *planned.item;
    auto body = bridgeBody(item, project_.opOf(file, item));
    if (HostProject::countOf(file, item.name, kind) > 1)
      planned.problem = "has overloads, which an op cannot have";
    else if (!body.ok())
      planned.problem = body.error().message;
    else
      planned.bridge = std::move(*body);
    if (planned.problem.empty())
      out_.bridged.insert(item.name);
    else
      unbridged_.insert(item.name);
  }

  bool mentionsCuda(const CppFile& file, const Item& item) const {
    for (std::size_t i = item.first; i <= item.last; ++i) {
      const Token& token = file.tokens()[i];
      if (token.kind != TokenKind::Word || token.range == item.name_range) continue;
      if (i > 0 && (file.tokens()[i - 1].is(".") || file.tokens()[i - 1].is("->"))) continue;
      if (isCudaName(file, std::string(token.text)) && !out_.bridged.contains(std::string(token.text)) &&
          !isSwitched(file, token.range.start))
        return true;
    }
    return false;
  }

  bool spread() {
    bool changed = false;
    for (const CppFile& file : project_.files()) {
      if (!project_.isHost(file)) continue;
      for (Planned& planned : out_.files[file.path()].items) {
        const bool fixed = planned.fate != Fate::Keep || planned.done || planned.item->kind == ItemKind::Binding;
        if (fixed || out_.files[file.path()].problem.size() || !mentionsCuda(file, *planned.item)) continue;
        cuda(file, planned);
        changed = true;
      }
    }
    return changed;
  }

  // A use of something that is not compiled: what is bound, and what only nvcc has.
  void checkUses(const CppFile& file) {
    FilePlan& plan = out_.files[file.path()];
    for (const Planned& planned : plan.items) {
      if (planned.fate != Fate::Keep) continue;
      const bool binding = planned.item->kind == ItemKind::Binding;
      for (std::size_t i = planned.item->first; i <= planned.item->last; ++i) {
        const Token& token = file.tokens()[i];
        const std::string word(token.text);
        if (token.kind != TokenKind::Word || token.range == planned.item->name_range || out_.bridged.contains(word))
          continue;
        const bool missing = unbridged_.contains(word) || (binding && isCudaName(file, word));
        if (missing && !isSwitched(file, token.range.start))
          plan.problem = "\"" + word + "\", which it uses, has no bridge";
      }
    }
  }

  const HostProject& project_;
  NeuronPlan& out_;
  std::map<const CppFile*, std::set<std::string>> cuda_names_;  // that a file defines
  std::map<const CppFile*, std::vector<const CppFile*>> closures_;
  std::set<std::string> unbridged_;
};

}  // namespace

bool isCudaOnly(const CppFile& file, const NeuronPlan& plan, Offset at) {
  if (isSwitched(file, at)) return true;
  const auto found = plan.files.find(file.path());
  if (found == plan.files.end()) return true;
  return std::any_of(found->second.items.begin(), found->second.items.end(), [&](const Planned& planned) {
    return (planned.fate == Fate::BridgeBody || planned.fate == Fate::Switch) && planned.problem.empty() &&
           planned.item->range.start <= at && at < planned.item->range.end;
  });
}

NeuronPlan planNeuronBuild(const HostProject& project) {
  NeuronPlan out;
  Planner(project, out).plan();
  return out;
}

}  // namespace np::analyzer::host
