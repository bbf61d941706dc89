// Tree-sitter's tree, copied once into a flat array.
//
// The parser is error tolerant: a broken statement becomes an Error node and the rest of the file survives. Nodes
// inside or around an error are marked, and nothing marked is ever rewritten. The parse itself runs under a time limit,
// because generalised parsing of hostile text may take longer than anyone waits.
//
// Not done: incremental re-parsing; a file is parsed in microseconds per line.

#include "analyzer/python/syntax_tree.h"

#include <tree_sitter/api.h>

#include <time.h>

#include <memory>
#include <unordered_map>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace np::analyzer::python {
namespace {

// Processor time of this thread: a busy machine must not change what is reported.
double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const std::unordered_map<std::string_view, Kind>& kindNames() {
  static const std::unordered_map<std::string_view, Kind> names = {
      {"module", Kind::Module},
      {"comment", Kind::Comment},
      {"ERROR", Kind::Error},
      {"import_statement", Kind::ImportStatement},
      {"import_from_statement", Kind::ImportFromStatement},
      {"future_import_statement", Kind::FutureImport},
      {"expression_statement", Kind::ExpressionStatement},
      {"return_statement", Kind::ReturnStatement},
      {"raise_statement", Kind::RaiseStatement},
      {"assert_statement", Kind::AssertStatement},
      {"delete_statement", Kind::DeleteStatement},
      {"global_statement", Kind::GlobalStatement},
      {"nonlocal_statement", Kind::NonlocalStatement},
      {"pass_statement", Kind::PassStatement},
      {"print_statement", Kind::PrintStatement},
      {"break_statement", Kind::OtherStatement},
      {"continue_statement", Kind::OtherStatement},
      {"exec_statement", Kind::OtherStatement},
      {"type_alias_statement", Kind::OtherStatement},
      {"if_statement", Kind::IfStatement},
      {"elif_clause", Kind::ElifClause},
      {"else_clause", Kind::ElseClause},
      {"while_statement", Kind::WhileStatement},
      {"for_statement", Kind::ForStatement},
      {"try_statement", Kind::TryStatement},
      {"except_clause", Kind::ExceptClause},
      {"except_group_clause", Kind::ExceptClause},
      {"finally_clause", Kind::FinallyClause},
      {"with_statement", Kind::WithStatement},
      {"with_item", Kind::WithItem},
      {"match_statement", Kind::MatchStatement},
      {"case_clause", Kind::CaseClause},
      {"case_pattern", Kind::CasePattern},
      {"function_definition", Kind::FunctionDefinition},
      {"class_definition", Kind::ClassDefinition},
      {"decorated_definition", Kind::DecoratedDefinition},
      {"decorator", Kind::Decorator},
      {"block", Kind::Block},
      {"dotted_name", Kind::DottedName},
      {"relative_import", Kind::RelativeImport},
      {"aliased_import", Kind::AliasedImport},
      {"wildcard_import", Kind::WildcardImport},
      {"parameters", Kind::Parameters},
      {"lambda_parameters", Kind::LambdaParameters},
      {"default_parameter", Kind::DefaultParameter},
      {"typed_parameter", Kind::TypedParameter},
      {"typed_default_parameter", Kind::TypedDefaultParameter},
      {"list_splat_pattern", Kind::ListSplatPattern},
      {"dictionary_splat_pattern", Kind::DictionarySplatPattern},
      {"as_pattern", Kind::AsPattern},
      {"as_pattern_target", Kind::AsPatternTarget},
      {"pattern_list", Kind::PatternList},
      {"tuple_pattern", Kind::TuplePattern},
      {"list_pattern", Kind::ListPattern},
      {"for_in_clause", Kind::ForInClause},
      {"if_clause", Kind::IfClause},
      {"argument_list", Kind::ArgumentList},
      {"keyword_argument", Kind::KeywordArgument},
      {"pair", Kind::Pair},
      {"type", Kind::TypeNode},
      {"identifier", Kind::Identifier},
      {"attribute", Kind::Attribute},
      {"call", Kind::Call},
      {"subscript", Kind::Subscript},
      {"assignment", Kind::Assignment},
      {"augmented_assignment", Kind::AugmentedAssignment},
      {"named_expression", Kind::NamedExpression},
      {"lambda", Kind::Lambda},
      {"conditional_expression", Kind::ConditionalExpression},
      {"boolean_operator", Kind::BooleanOperator},
      {"not_operator", Kind::NotOperator},
      {"comparison_operator", Kind::ComparisonOperator},
      {"binary_operator", Kind::BinaryOperator},
      {"parenthesized_expression", Kind::ParenthesizedExpression},
      {"list_comprehension", Kind::ListComprehension},
      {"set_comprehension", Kind::SetComprehension},
      {"dictionary_comprehension", Kind::DictionaryComprehension},
      {"generator_expression", Kind::GeneratorExpression},
      {"list", Kind::List},
      {"tuple", Kind::Tuple},
      {"expression_list", Kind::Tuple},
      {"set", Kind::Set},
      {"dictionary", Kind::Dictionary},
      {"string", Kind::String},
      {"concatenated_string", Kind::ConcatenatedString},
      {"string_content", Kind::StringContent},
      {"interpolation", Kind::Interpolation},
      {"integer", Kind::Integer},
      {"true", Kind::True},
      {"false", Kind::False},
      {"none", Kind::None},
  };
  return names;
}

const std::unordered_map<std::string_view, Field>& fieldNames() {
  static const std::unordered_map<std::string_view, Field> names = {
      {"alias", Field::Alias},
      {"alternative", Field::Alternative},
      {"argument", Field::Argument},
      {"arguments", Field::Arguments},
      {"attribute", Field::Attribute},
      {"body", Field::Body},
      {"condition", Field::Condition},
      {"consequence", Field::Consequence},
      {"definition", Field::Definition},
      {"function", Field::Function},
      {"left", Field::Left},
      {"module_name", Field::ModuleName},
      {"name", Field::Name},
      {"object", Field::Object},
      {"operator", Field::Operator},
      {"operators", Field::Operators},
      {"parameters", Field::Parameters},
      {"right", Field::Right},
      {"subject", Field::Subject},
      {"subscript", Field::Subscript},
      {"superclasses", Field::Superclasses},
      {"type", Field::Type},
      {"value", Field::Value},
  };
  return names;
}

// Kind by symbol number and Field by field number of the linked grammar.
struct Grammar {
  std::vector<Kind> kinds;
  std::vector<bool> dropped;  // quotes and escapes: nobody asks for them, and they are a third of all nodes; and
                              // backslashes at line ends, which would count as operands
  std::vector<Field> fields;
};

const Grammar& grammar() {
  static const Grammar tables = [] {
    Grammar out;
    const TSLanguage* language = tree_sitter_python();
    out.kinds.resize(ts_language_symbol_count(language), Kind::Other);
    out.dropped.resize(out.kinds.size(), false);
    for (std::uint32_t i = 0; i < out.kinds.size(); ++i) {
      const std::string_view name = ts_language_symbol_name(language, static_cast<TSSymbol>(i));
      out.dropped[i] =
          name == "string_start" || name == "string_end" || name == "escape_sequence" || name == "line_continuation";
      if (ts_language_symbol_type(language, static_cast<TSSymbol>(i)) != TSSymbolTypeRegular) continue;
      const auto found = kindNames().find(ts_language_symbol_name(language, static_cast<TSSymbol>(i)));
      if (found != kindNames().end()) out.kinds[i] = found->second;
    }
    out.fields.resize(ts_language_field_count(language) + 1, Field::None_);
    for (std::uint32_t i = 1; i < out.fields.size(); ++i) {
      const auto found = fieldNames().find(ts_language_field_name_for_id(language, static_cast<TSFieldId>(i)));
      if (found != fieldNames().end()) out.fields[i] = found->second;
    }
    return out;
  }();
  return tables;
}

Kind kindOf(TSNode node) {
  const TSSymbol symbol = ts_node_symbol(node);
  const Grammar& tables = grammar();
  return symbol < tables.kinds.size() ? tables.kinds[symbol] : Kind::Error;  // the error symbol is out of range
}

// Punctuation without a role and the pieces of string quotes carry nothing that the analysis asks for.
bool isDropped(TSNode node, TSFieldId field) {
  if (ts_node_is_missing(node)) return false;
  if (!ts_node_is_named(node)) return field == 0 && ts_node_child_count(node) == 0;
  const TSSymbol symbol = ts_node_symbol(node);
  const std::vector<bool>& dropped = grammar().dropped;
  return symbol < dropped.size() && dropped[symbol];
}

struct Source {
  std::string_view bytes;
  double deadline = 0;  // in cpuSeconds()
  std::uint32_t calls = 0;
};

const char* readChunk(void* payload, std::uint32_t offset, TSPoint, std::uint32_t* read) {
  const auto* source = static_cast<const Source*>(payload);
  *read = offset < source->bytes.size() ? static_cast<std::uint32_t>(source->bytes.size()) - offset : 0;
  return source->bytes.data() + offset;
}

// Asked every 100 steps of the parser; asking the system each time would be felt.
bool isTooLate(TSParseState* state) {
  auto* source = static_cast<Source*>(state->payload);
  return ++source->calls % 64 == 0 && cpuSeconds() > source->deadline;
}

// The grammar ends comments at '\n' only, while Python ends lines at a lone '\r' too: what follows would be lost.
// Replaced by a byte of the same length, so that offsets stay; empty when there is nothing to replace.
std::string withLineFeeds(std::string_view bytes) {
  std::string out;
  for (std::size_t at = bytes.find('\r'); at != std::string_view::npos; at = bytes.find('\r', at + 1)) {
    if (at + 1 < bytes.size() && bytes[at + 1] == '\n') continue;
    if (out.empty()) out = bytes;
    out[at] = '\n';
  }
  return out;
}

using Tree = std::unique_ptr<TSTree, decltype(&ts_tree_delete)>;

Result<Tree> parseTree(std::string_view bytes, std::uint32_t timeout_ms) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), &ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), tree_sitter_python()))
    return makeError("grammar", "the linked tree-sitter core cannot read the Python grammar");
  Source source{bytes, cpuSeconds() + timeout_ms / 1000.0};
  TSInput input{};
  input.payload = &source;
  input.read = readChunk;
  input.encoding = TSInputEncodingUTF8;
  TSParseOptions options{&source, isTooLate};
  TSTree* tree = ts_parser_parse_with_options(parser.get(), nullptr, input, options);
  if (!tree) return makeError("parse-timeout", "not parsed within " + std::to_string(timeout_ms) + " ms");
  return Tree(tree, &ts_tree_delete);
}

}  // namespace

Result<SyntaxTree> SyntaxTree::parse(std::string_view bytes, std::uint32_t timeout_ms, std::uint32_t max_nodes) {
  // Python refuses such files, and the parser would take the byte for the end.
  if (bytes.find('\0') != std::string_view::npos) return makeError("not-python", "holds NUL bytes: no Python source");
  const std::string unified = withLineFeeds(bytes);
  NP_ASSIGN(const Tree tree, parseTree(unified.empty() ? bytes : unified, timeout_ms));
  SyntaxTree out;
  std::vector<Node>& nodes = out.nodes_;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.get()));
  const std::unique_ptr<TSTreeCursor, decltype(&ts_tree_cursor_delete)> guard(&cursor, &ts_tree_cursor_delete);

  std::vector<NodeId> last_child;  // by depth: the node added last at that depth
  NodeId parent = kNoNode;
  bool error_seen = false;
  const auto add = [&](TSNode at, TSFieldId field) {
    Node node;
    node.kind = kindOf(at);
    node.field = grammar().fields[field];
    node.named = ts_node_is_named(at);
    node.has_error = ts_node_has_error(at) || ts_node_is_missing(at);
    node.range = {ts_node_start_byte(at), ts_node_end_byte(at)};
    node.parent = parent;
    if (!error_seen && (ts_node_is_error(at) || ts_node_is_missing(at))) {
      out.first_error_ = node.range.start;
      error_seen = true;
    }
    const auto id = static_cast<NodeId>(nodes.size());
    node.subtree_end = id + 1;
    nodes.push_back(node);
    if (!last_child.empty()) {
      NodeId& previous = last_child.back();
      (previous == kNoNode ? nodes[parent].first_child : nodes[previous].next_sibling) = id;
      previous = id;
    }
    return id;
  };

  while (true) {
    const TSNode at = ts_tree_cursor_current_node(&cursor);
    if (nodes.size() >= max_nodes) return makeError("too-large", "more than " + std::to_string(max_nodes) + " nodes");
    const TSFieldId field = ts_tree_cursor_current_field_id(&cursor);
    if (!isDropped(at, field)) {
      const NodeId id = add(at, field);
      if (ts_tree_cursor_goto_first_child(&cursor)) {
        parent = id;
        last_child.push_back(kNoNode);
        continue;
      }
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) return out;
      nodes[parent].subtree_end = static_cast<NodeId>(nodes.size());
      parent = nodes[parent].parent;
      last_child.pop_back();
    }
  }
}

NodeId SyntaxTree::child(NodeId id, Field field) const {
  if (id == kNoNode) return kNoNode;
  for (NodeId c = nodes_[id].first_child; c != kNoNode; c = nodes_[c].next_sibling)
    if (nodes_[c].field == field && nodes_[c].kind != Kind::Comment) return c;
  return kNoNode;
}

std::vector<NodeId> SyntaxTree::children(NodeId id) const {
  std::vector<NodeId> out;
  if (id == kNoNode) return out;
  for (NodeId c = nodes_[id].first_child; c != kNoNode; c = nodes_[c].next_sibling)
    if (nodes_[c].named && nodes_[c].kind != Kind::Comment) out.push_back(c);
  return out;
}

NodeId SyntaxTree::firstChild(NodeId id) const {
  if (id == kNoNode) return kNoNode;
  for (NodeId c = nodes_[id].first_child; c != kNoNode; c = nodes_[c].next_sibling)
    if (nodes_[c].named && nodes_[c].kind != Kind::Comment) return c;
  return kNoNode;
}

NodeId SyntaxTree::ancestor(NodeId id, Kind kind) const {
  for (NodeId at = nodes_[id].parent; at != kNoNode; at = nodes_[at].parent)
    if (nodes_[at].kind == kind) return at;
  return kNoNode;
}

bool SyntaxTree::isStatement(NodeId id) const {
  const Kind kind = nodes_[id].kind;
  return kind >= Kind::ImportStatement && kind <= Kind::OtherStatement && kind != Kind::Block &&
         kind != Kind::ElifClause && kind != Kind::ElseClause && kind != Kind::ExceptClause &&
         kind != Kind::FinallyClause && kind != Kind::WithItem && kind != Kind::CaseClause &&
         kind != Kind::CasePattern && kind != Kind::Decorator;
}

NodeId SyntaxTree::statementOf(NodeId id) const {
  for (NodeId at = id; at != kNoNode; at = nodes_[at].parent)
    if (isStatement(at)) return at;
  return 0;
}

NodeId SyntaxTree::unparenthesized(NodeId id) const {
  while (is(id, Kind::ParenthesizedExpression)) {
    const NodeId inner = firstChild(id);
    if (inner == kNoNode) break;
    id = inner;
  }
  return id;
}

NodeId SyntaxTree::withParentheses(NodeId id) const {
  while (is(nodes_[id].parent, Kind::ParenthesizedExpression)) id = nodes_[id].parent;
  return id;
}

}  // namespace np::analyzer::python
