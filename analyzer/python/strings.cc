// Reads string literals off the tree. Escapes are not interpreted: no device name needs one.

#include "analyzer/python/strings.h"

namespace np::analyzer::python {
namespace {

// The pieces between the quotes: contents and holes.
std::vector<NodeId> pieces(const Module& module, NodeId id) {
  std::vector<NodeId> out;
  for (NodeId piece : module.tree().children(id)) {
    const Kind kind = module.tree().kind(piece);
    if (kind == Kind::StringContent || kind == Kind::Interpolation) out.push_back(piece);
  }
  return out;
}

bool isBytes(const Module& module, NodeId id) {
  const std::string_view text = module.slice(id);
  const auto quote = text.find_first_of("'\"");
  return quote != std::string_view::npos && text.substr(0, quote).find_first_of("bB") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> literalText(const Module& module, NodeId id) {
  if (!module.tree().is(id, Kind::String) || isBytes(module, id)) return std::nullopt;
  std::string text;
  for (NodeId piece : pieces(module, id)) {
    if (module.tree().is(piece, Kind::Interpolation)) return std::nullopt;
    text += module.slice(piece);
  }
  return text;
}

std::string leadingText(const Module& module, NodeId id) {
  std::string text;
  for (NodeId piece : pieces(module, id)) {
    if (module.tree().is(piece, Kind::Interpolation)) break;
    text += module.slice(piece);
  }
  return text;
}

bool hasHoles(const Module& module, NodeId id) {
  for (NodeId piece : pieces(module, id))
    if (module.tree().is(piece, Kind::Interpolation)) return true;
  return false;
}

bool isDocstring(const Module& module, NodeId id) {
  const SyntaxTree& tree = module.tree();
  NodeId at = id;
  while (tree.is(tree[at].parent, Kind::ConcatenatedString) || tree.is(tree[at].parent, Kind::ParenthesizedExpression))
    at = tree[at].parent;
  return tree.is(tree[at].parent, Kind::ExpressionStatement) || tree.is(tree[at].parent, Kind::Block) ||
         tree.is(tree[at].parent, Kind::Module);
}

}  // namespace np::analyzer::python
