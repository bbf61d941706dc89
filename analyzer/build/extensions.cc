// Build scripts compute their lists: `glob.glob(osp.join(dir, '*.cu'))`, `sources + extra`, loops. What is written out
// is taken: literals, concatenations, joined paths, names bound once, appends to a list. Everything else only clears
// `complete`, because the analysis can guess include folders and needs no source list to find files.

#include "analyzer/build/extensions.h"

#include <algorithm>
#include <optional>

#include "analyzer/python/calls.h"
#include "analyzer/python/module.h"
#include "analyzer/python/strings.h"

namespace np::analyzer {
namespace {

using python::Field;
using python::Kind;
using python::kNoNode;
using python::Module;
using python::NodeId;

constexpr int kMaxDepth = 20;

bool isJoin(const std::string& name) {
  return name == "os.path.join" || name == "pathlib.Path" || name == "posixpath.join";
}

bool endsWith(const std::string& text, const char* tail) { return text.ends_with(tail); }

class Evaluator {
 public:
  explicit Evaluator(const Module& module) : module_(module) {}
  bool complete = true;

  // The strings that an expression of a list, tuple or single string holds.
  std::vector<std::string> strings(NodeId id, int depth = 0) {
    std::vector<std::string> out;
    if (id == kNoNode || depth > kMaxDepth) return out;
    const python::SyntaxTree& tree = module_.tree();
    id = tree.unparenthesized(id);
    switch (tree.kind(id)) {
      case Kind::List:
      case Kind::Tuple:
        for (NodeId item : tree.children(id)) append(out, strings(item, depth + 1));
        return out;
      case Kind::BinaryOperator:
        append(out, strings(tree.child(id, Field::Left), depth + 1));
        append(out, strings(tree.child(id, Field::Right), depth + 1));
        return out;
      case Kind::Identifier:
        return ofName(id, depth);
      case Kind::Call:
        if (auto text = path(id, depth))
          out.push_back(*text);
        else
          complete = false;
        return out;
      case Kind::None:
        return out;
      default:
        if (auto text = path(id, depth))
          out.push_back(*text);
        else
          complete = false;
        return out;
    }
  }

  // One string: a literal, a joined path with unknown folders left out, `str(path)`.
  std::optional<std::string> path(NodeId id, int depth = 0) {
    const python::SyntaxTree& tree = module_.tree();
    if (id == kNoNode || depth > kMaxDepth) return std::nullopt;
    if (auto text = python::literalText(module_, id)) return text;
    if (tree.is(id, Kind::Identifier)) {
      const NodeId value = module_.assignedValue(id);
      return value == kNoNode ? std::nullopt : path(value, depth + 1);
    }
    if (!tree.is(id, Kind::Call)) return std::nullopt;
    const std::string callee = module_.calleeName(id);
    const std::vector<python::Argument> arguments = python::argumentsOf(module_, id);
    if (endsWith(callee, "path.dirname") || endsWith(callee, "path.abspath") || endsWith(callee, "path.realpath"))
      return std::string();  // the folder of the build file itself, as far as it is used here
    if (!isJoin(callee) || arguments.empty()) return std::nullopt;
    std::string joined;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto part = path(arguments[i].value, depth + 1);
      if (!part && i > 0) return std::nullopt;
      if (!part || part->empty()) continue;
      joined += (joined.empty() ? "" : "/") + *part;
    }
    return joined;
  }

  // `[("NAME", None), ("NAME", "1")]`
  std::vector<std::string> macros(NodeId id, int depth = 0) {
    std::vector<std::string> out;
    if (id == kNoNode || depth > kMaxDepth) return out;
    const python::SyntaxTree& tree = module_.tree();
    id = tree.unparenthesized(id);
    if (tree.is(id, Kind::Identifier)) {
      for (NodeId value : valuesOf(id)) append(out, macros(value, depth + 1));
    } else if (tree.is(id, Kind::BinaryOperator)) {
      append(out, macros(tree.child(id, Field::Left), depth + 1));
      append(out, macros(tree.child(id, Field::Right), depth + 1));
    } else if (tree.is(id, Kind::List)) {
      for (NodeId item : tree.children(id)) append(out, macros(item, depth + 1));
    } else if (tree.is(id, Kind::Tuple)) {
      const std::vector<NodeId> pair = tree.children(id);
      const auto name = pair.empty() ? std::nullopt : python::literalText(module_, pair[0]);
      if (!name) return out;
      const auto value = pair.size() > 1 ? python::literalText(module_, pair[1]) : std::nullopt;
      out.push_back(value ? *name + "=" + *value : *name);
    }
    return out;
  }

  // A list, or a dictionary of lists by compiler.
  std::vector<std::string> flags(NodeId id, int depth = 0) {
    std::vector<std::string> out;
    if (id == kNoNode || depth > kMaxDepth) return out;
    const python::SyntaxTree& tree = module_.tree();
    if (tree.is(id, Kind::Identifier)) {
      for (NodeId value : valuesOf(id)) append(out, flags(value, depth + 1));
      return out;
    }
    if (!tree.is(id, Kind::Dictionary)) return strings(id, depth);
    for (NodeId pair : tree.children(id))
      if (tree.is(pair, Kind::Pair)) append(out, strings(tree.child(pair, Field::Value), depth + 1));
    return out;
  }

 private:
  static void append(std::vector<std::string>& out, std::vector<std::string> more) {
    out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  // Every value that a name is given: `x = […]`, and `x += […]` as another.
  std::vector<NodeId> valuesOf(NodeId identifier) {
    std::vector<NodeId> out;
    const python::Symbol* symbol = module_.symbolOf(identifier);
    if (!symbol) {
      complete = false;
      return out;
    }
    const python::SyntaxTree& tree = module_.tree();
    for (const python::Binding& binding : symbol->bindings) {
      if (binding.value != kNoNode) {
        out.push_back(binding.value);
        continue;
      }
      const NodeId statement = tree.ancestor(binding.node, Kind::AugmentedAssignment);
      if (statement != kNoNode)
        out.push_back(tree.child(statement, Field::Right));
      else
        complete = false;
    }
    return out;
  }

  std::vector<std::string> ofName(NodeId identifier, int depth) {
    std::vector<std::string> out;
    for (NodeId value : valuesOf(identifier)) append(out, strings(value, depth + 1));
    return out;
  }

  const Module& module_;
};

std::optional<std::string> extensionKind(const std::string& callee) {
  const std::size_t dot = callee.rfind('.');
  const std::string last = dot == std::string::npos ? callee : callee.substr(dot + 1);
  if (callee.rfind("torch.utils.cpp_extension.", 0) != 0 && callee.rfind("torch.utils.", 0) != 0) return std::nullopt;
  if (last == "CUDAExtension" || last == "CppExtension" || last == "load" || last == "load_inline") return last;
  return std::nullopt;
}

// `Extension = CppExtension`, later `Extension = CUDAExtension`: what a call through the name can build. CUDA wins.
std::optional<std::string> kindOfCall(const Module& module, NodeId call) {
  if (auto kind = extensionKind(module.calleeName(call))) return kind;
  const NodeId callee = module.tree().child(call, Field::Function);
  const python::Symbol* symbol = module.tree().is(callee, Kind::Identifier) ? module.symbolOf(callee) : nullptr;
  std::optional<std::string> out;
  for (const python::Binding& binding : symbol ? symbol->bindings : std::vector<python::Binding>()) {
    if (binding.kind != python::BindingKind::Assignment || binding.value == kNoNode) continue;
    const auto kind = extensionKind(module.qualifiedName(binding.value));
    if (kind && (!out || *kind == "CUDAExtension")) out = kind;
  }
  return out;
}

NodeId argument(const Module& module, NodeId call, std::string_view name, std::size_t position) {
  const NodeId keyword = python::keywordValue(module, call, name);
  if (keyword != kNoNode) return keyword;
  const std::vector<python::Argument> arguments = python::argumentsOf(module, call);
  std::size_t at = 0;
  for (const python::Argument& item : arguments) {
    if (!item.name.empty()) continue;
    if (at++ == position) return item.value;
  }
  return kNoNode;
}

// -D and -I among compiler flags.
void splitFlags(Extension& extension) {
  for (const std::string& flag : extension.flags) {
    if (flag.rfind("-D", 0) == 0 && flag.size() > 2) extension.defines.push_back(flag.substr(2));
    if (flag.rfind("-I", 0) == 0 && flag.size() > 2) extension.include_dirs.push_back(flag.substr(2));
  }
}

Extension readCall(const Module& module, NodeId call, const std::string& kind) {
  Extension out;
  out.kind = kind;
  const SourceText& text = module.text();
  out.where.path = text.path();
  out.where.range = module.tree()[call].range;
  out.where.start = text.position(out.where.range.start);
  out.where.end = text.position(out.where.range.end);
  Evaluator evaluator(module);
  if (auto name = evaluator.path(argument(module, call, "name", 0)))
    out.name = *name;
  else
    evaluator.complete = false;
  out.sources = evaluator.strings(argument(module, call, "sources", 1));
  out.include_dirs =
      evaluator.strings(argument(module, call, kind == "load" ? "extra_include_paths" : "include_dirs", 99));
  out.defines = evaluator.macros(argument(module, call, "define_macros", 99));
  for (const char* key : {"extra_compile_args", "extra_cflags", "extra_cuda_cflags"}) {
    const std::vector<std::string> flags = evaluator.flags(argument(module, call, key, 99));
    out.flags.insert(out.flags.end(), flags.begin(), flags.end());
  }
  splitFlags(out);
  out.complete = evaluator.complete;
  return out;
}

}  // namespace

Result<BuildFile> readBuildFile(const SourceText& text) {
  NP_ASSIGN(const Module module, Module::parse(text));
  BuildFile out;
  out.path = text.path();
  for (NodeId id = 0; id < module.tree().nodes().size(); ++id) {
    if (!module.tree().is(id, Kind::Call)) continue;
    if (const auto kind = kindOfCall(module, id)) out.extensions.push_back(readCall(module, id, *kind));
  }
  return out;
}

}  // namespace np::analyzer
