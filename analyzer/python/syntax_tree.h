// A parsed Python file as a flat array of nodes in source order: what the rest of the analysis walks.
//
// Flat, because everything above can then be a loop: a tree a hundred thousand levels deep costs no call stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/base/source_text.h"

namespace np::analyzer::python {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFF;

// The kinds of node that the analysis asks for; everything else is Other.
enum class Kind : std::uint8_t {
  Other,
  Module,
  Comment,
  Error,
  // statements
  ImportStatement,
  ImportFromStatement,
  FutureImport,
  ExpressionStatement,
  ReturnStatement,
  RaiseStatement,
  AssertStatement,
  DeleteStatement,
  GlobalStatement,
  NonlocalStatement,
  PassStatement,
  PrintStatement,
  IfStatement,
  ElifClause,
  ElseClause,
  WhileStatement,
  ForStatement,
  TryStatement,
  ExceptClause,
  FinallyClause,
  WithStatement,
  WithItem,
  MatchStatement,
  CaseClause,
  CasePattern,
  FunctionDefinition,
  ClassDefinition,
  DecoratedDefinition,
  Decorator,
  Block,
  OtherStatement,
  // pieces of statements
  DottedName,
  RelativeImport,
  AliasedImport,
  WildcardImport,
  Parameters,
  LambdaParameters,
  DefaultParameter,
  TypedParameter,
  TypedDefaultParameter,
  ListSplatPattern,
  DictionarySplatPattern,
  AsPattern,
  AsPatternTarget,
  PatternList,
  TuplePattern,
  ListPattern,
  ForInClause,
  IfClause,
  ArgumentList,
  KeywordArgument,
  Pair,
  TypeNode,
  // expressions
  Identifier,
  Attribute,
  Call,
  Subscript,
  Assignment,
  AugmentedAssignment,
  NamedExpression,
  Lambda,
  ConditionalExpression,
  BooleanOperator,
  NotOperator,
  ComparisonOperator,
  BinaryOperator,
  ParenthesizedExpression,
  ListComprehension,
  SetComprehension,
  DictionaryComprehension,
  GeneratorExpression,
  List,
  Tuple,
  Set,
  Dictionary,
  String,
  ConcatenatedString,
  StringContent,
  Interpolation,
  Integer,
  True,
  False,
  None,
};

enum class Field : std::uint8_t {
  None_,
  Alias,
  Alternative,
  Arguments,
  Attribute,
  Body,
  Condition,
  Consequence,
  Definition,
  Function,
  Left,
  ModuleName,
  Name,
  Object,
  Operator,
  Operators,
  Parameters,
  Right,
  Subject,
  Subscript,
  Superclasses,
  Type,
  Value,
  Argument,
};

struct Node {
  Kind kind = Kind::Other;
  Field field = Field::None_;  // the role in the parent
  bool named = false;
  bool has_error = false;  // a parse error inside, or a token that the parser had to invent
  Range range;
  NodeId parent = kNoNode;
  NodeId first_child = kNoNode;
  NodeId next_sibling = kNoNode;
  NodeId subtree_end = 0;  // one past the last node of the subtree
};

class SyntaxTree {
 public:
  // Parses `bytes` (a byte order mark at the start is skipped). Errors: "parse-timeout" when the grammar does not
  // come to an end within `timeout_ms`, "too-large" when the tree would need more than `max_nodes` nodes, "not-python"
  // for NUL bytes.
  static Result<SyntaxTree> parse(std::string_view bytes, std::uint32_t timeout_ms = 10000,
                                  std::uint32_t max_nodes = 8'000'000);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  Kind kind(NodeId id) const { return id == kNoNode ? Kind::Other : nodes_[id].kind; }
  bool is(NodeId id, Kind kind) const { return id != kNoNode && nodes_[id].kind == kind; }
  bool hasError() const { return !nodes_.empty() && nodes_[0].has_error; }
  // Start of the first parse error; only meaningful when there is one.
  Offset firstError() const { return first_error_; }

  // First child in this role, kNoNode when there is none.
  NodeId child(NodeId id, Field field) const;
  // Named children that are not comments, in order.
  std::vector<NodeId> children(NodeId id) const;
  NodeId firstChild(NodeId id) const;
  // Nearest ancestor (not `id` itself) of this kind.
  NodeId ancestor(NodeId id, Kind kind) const;
  bool inside(NodeId id, NodeId ancestor) const { return id >= ancestor && id < nodes_[ancestor].subtree_end; }
  // The innermost statement that holds the node; the module when there is none.
  NodeId statementOf(NodeId id) const;
  bool isStatement(NodeId id) const;
  // `id` without the parentheses around it, and the outermost parentheses around `id`.
  NodeId unparenthesized(NodeId id) const;
  NodeId withParentheses(NodeId id) const;

 private:
  std::vector<Node> nodes_;
  Offset first_error_ = 0;
};

}  // namespace np::analyzer::python
