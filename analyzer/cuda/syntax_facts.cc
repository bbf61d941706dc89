// A launch is a call with `<<<…>>>` between callee and arguments. A kernel is found by the token `__global__`: macros
// such as C10_LAUNCH_BOUNDS_1(N) between it and the name throw the grammar off, so where no function surrounds the
// token the name is the last identifier before the first parenthesis that is not a macro's. Bodies of #define are plain
// text to the grammar; those that mention device code are parsed on their own, with line continuations blanked so that
// offsets stay true.

#include "analyzer/cuda/syntax_facts.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <memory>

extern "C" const TSLanguage* tree_sitter_cuda(void);

namespace np::analyzer {
namespace {

constexpr std::uint64_t kTimeoutMicros = 20'000'000;

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct TreeDeleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

std::string_view typeOf(TSNode node) { return ts_node_type(node); }

TSNode field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<std::uint32_t>(name.size()));
}

class Reader {
 public:
  Reader(const SourceText& text, std::string_view bytes, Offset base, std::string macro, SyntaxFacts& out)
      : text_(text), bytes_(bytes), base_(base), macro_(std::move(macro)), out_(out) {}

  Result<void> read() {
    const std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
    ts_parser_set_language(parser.get(), tree_sitter_cuda());
    ts_parser_set_timeout_micros(parser.get(), kTimeoutMicros);
    const std::unique_ptr<TSTree, TreeDeleter> tree(
        ts_parser_parse_string(parser.get(), nullptr, bytes_.data(), static_cast<std::uint32_t>(bytes_.size())));
    if (!tree) return makeError("parse-timeout", "the file takes too long to parse", text_.path());
    const TSNode root = ts_tree_root_node(tree.get());
    if (macro_.empty()) out_.has_errors = ts_node_has_error(root);
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool descend = true;
    while (true) {
      if (descend) visit(ts_tree_cursor_current_node(&cursor));
      if (descend && ts_tree_cursor_goto_first_child(&cursor)) continue;
      if (ts_tree_cursor_goto_next_sibling(&cursor)) {
        descend = true;
        continue;
      }
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
      descend = false;
    }
    ts_tree_cursor_delete(&cursor);
    return {};
  }

 private:
  std::string slice(TSNode node) const {
    if (ts_node_is_null(node)) return {};
    return std::string(bytes_.substr(ts_node_start_byte(node), ts_node_end_byte(node) - ts_node_start_byte(node)));
  }

  SourceRange place(std::uint32_t start, std::uint32_t end) const {
    SourceRange out;
    out.path = text_.path();
    out.range = {base_ + start, base_ + end};
    out.start = text_.position(out.range.start);
    out.end = text_.position(out.range.end);
    return out;
  }
  SourceRange place(TSNode node) const { return place(ts_node_start_byte(node), ts_node_end_byte(node)); }

  void visit(TSNode node) {
    const std::string_view type = typeOf(node);
    if (type == "kernel_call_syntax") return addLaunch(node);
    if (type == "preproc_arg" && macro_.empty()) return readMacro(node);
    const bool leaf = ts_node_child_count(node) == 0;
    if (leaf && ts_node_end_byte(node) - ts_node_start_byte(node) == 10 && slice(node) == "__global__") addKernel(node);
  }

  void readMacro(TSNode body) {
    const std::string text = slice(body);
    if (!mayHoldDeviceCode(text)) return;
    std::string blanked = text;
    for (std::size_t i = 0; i + 1 < blanked.size(); ++i)
      if (blanked[i] == '\\' && (blanked[i + 1] == '\n' || blanked[i + 1] == '\r')) blanked[i] = ' ';
    const std::string name = slice(field(ts_node_parent(body), "name"));
    // What a macro body cannot say is left out; its own parse never fails the file.
    (void)Reader(text_, blanked, base_ + ts_node_start_byte(body), name, out_).read();
  }

  std::string enclosingFunction(TSNode node) const {
    for (TSNode at = node; !ts_node_is_null(at); at = ts_node_parent(at))
      if (typeOf(at) == "function_definition") return declaredName(field(at, "declarator"));
    return {};
  }

  // The name inside pointer, reference and function declarators.
  std::string declaredName(TSNode declarator) const {
    while (!ts_node_is_null(declarator)) {
      const TSNode inner = field(declarator, "declarator");
      if (!ts_node_is_null(inner)) {
        declarator = inner;
        continue;
      }
      const std::string_view type = typeOf(declarator);
      if (type == "reference_declarator" && ts_node_named_child_count(declarator) > 0) {
        declarator = ts_node_named_child(declarator, 0);
        continue;
      }
      return slice(declarator);
    }
    return {};
  }

  void addLaunch(TSNode syntax) {
    const TSNode call = ts_node_parent(syntax);
    if (ts_node_is_null(call)) return;
    SyntaxLaunch out;
    out.macro = macro_;
    Launch& launch = out.launch;
    launch.where = place(call);
    launch.kernel = slice(field(call, "function"));
    launch.function = enclosingFunction(call);
    launch.via = macro_.empty() ? "<<<>>>" : macro_;
    launch.shared = "0";
    std::string* parts[] = {&launch.grid, &launch.block, &launch.shared, &launch.stream};
    for (std::uint32_t i = 0; i < ts_node_named_child_count(syntax) && i < 4; ++i)
      *parts[i] = slice(ts_node_named_child(syntax, i));
    const TSNode args = field(call, "arguments");
    for (std::uint32_t i = 0; !ts_node_is_null(args) && i < ts_node_named_child_count(args); ++i) {
      const TSNode arg = ts_node_named_child(args, i);
      if (typeOf(arg) != "comment") launch.args.push_back(slice(arg));
    }
    if (!launch.kernel.empty()) out_.launches.push_back(std::move(out));
  }

  void addKernel(TSNode token) {
    SyntaxKernel out;
    out.macro = macro_;
    TSNode holder = token;
    while (!ts_node_is_null(holder) && typeOf(holder) != "function_definition" && typeOf(holder) != "declaration" &&
           typeOf(holder) != "ERROR")
      holder = ts_node_parent(holder);
    TSNode declarator = ts_node_is_null(holder) || typeOf(holder) == "ERROR" ? TSNode{} : field(holder, "declarator");
    while (!ts_node_is_null(declarator) && typeOf(declarator) != "function_declarator")
      declarator = field(declarator, "declarator");
    const TSNode name = ts_node_is_null(declarator) ? TSNode{} : field(declarator, "declarator");
    if (!ts_node_is_null(name) && !misread(slice(name))) {
      out.kernel.name = slice(name);
      out.kernel.where = place(name);
      out.is_definition = typeOf(holder) == "function_definition";
      addParams(field(declarator, "parameters"), out.kernel);
      addTemplate(ts_node_parent(holder), out.kernel);
    } else if (!nameByTokens(ts_node_end_byte(token), out)) {
      return;
    }
    out_.kernels.push_back(std::move(out));
  }

  // Names that are really an attribute macro in front of the name.
  static bool misread(const std::string& name) {
    return name.rfind("__launch_bounds__", 0) == 0 || name.find("LAUNCH_BOUNDS") != std::string::npos ||
           name == "__attribute__";
  }

  void addParams(TSNode list, Kernel& kernel) const {
    for (std::uint32_t i = 0; !ts_node_is_null(list) && i < ts_node_named_child_count(list); ++i) {
      const TSNode param = ts_node_named_child(list, i);
      if (typeOf(param).find("parameter_declaration") == std::string_view::npos) continue;
      const std::string name = declaredName(field(param, "declarator"));
      std::string type = slice(param);
      const std::size_t at = name.empty() ? std::string::npos : type.rfind(name);
      if (at != std::string::npos) type.erase(at);
      while (!type.empty() && type.back() == ' ') type.pop_back();
      kernel.params.push_back({name, type});
    }
  }

  void addTemplate(TSNode parent, Kernel& kernel) const {
    if (ts_node_is_null(parent) || typeOf(parent) != "template_declaration") return;
    const TSNode list = field(parent, "parameters");
    for (std::uint32_t i = 0; !ts_node_is_null(list) && i < ts_node_named_child_count(list); ++i)
      kernel.template_params.push_back(slice(ts_node_named_child(list, i)));
  }

  static bool isWord(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  // After `__global__`: words, macros with arguments, then `name (`. The macros are those that are followed by more
  // words.
  bool nameByTokens(std::size_t at, SyntaxKernel& out) const {
    std::size_t word_start = 0, word_end = 0;
    while (at < bytes_.size() && bytes_[at] != ';' && bytes_[at] != '{') {
      const char c = bytes_[at];
      if (isWord(c)) {
        word_start = at;
        while (at < bytes_.size() && isWord(bytes_[at])) ++at;
        word_end = at;
        continue;
      }
      if (c != '(') {
        ++at;
        continue;
      }
      int depth = 0;
      do {
        depth += bytes_[at] == '(';
        depth -= bytes_[at] == ')';
        ++at;
      } while (at < bytes_.size() && depth > 0);
      while (at < bytes_.size() && std::string_view(" \t\r\n\\").find(bytes_[at]) != std::string_view::npos) ++at;
      const bool last = at >= bytes_.size() || bytes_[at] == '{' || bytes_[at] == ';';
      if (!last) continue;
      if (word_end == word_start) return false;
      out.kernel.name = std::string(bytes_.substr(word_start, word_end - word_start));
      out.kernel.where = place(static_cast<std::uint32_t>(word_start), static_cast<std::uint32_t>(word_end));
      out.is_definition = at < bytes_.size() && bytes_[at] == '{';
      return true;
    }
    return false;
  }

  const SourceText& text_;
  std::string_view bytes_;
  Offset base_;
  std::string macro_;
  SyntaxFacts& out_;
};

}  // namespace

bool mayHoldDeviceCode(std::string_view bytes) {
  return bytes.find("__global__") != std::string_view::npos || bytes.find("<<<") != std::string_view::npos;
}

Result<SyntaxFacts> readSyntax(const SourceText& text) {
  SyntaxFacts out;
  NP_TRY(Reader(text, text.bytes(), 0, {}, out).read());
  return out;
}

}  // namespace np::analyzer
