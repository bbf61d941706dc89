// Items are cut at namespace scope by counting brackets. That is all the grammar that the host rules need: a function
// is a name, a parameter list and then a body or a semicolon. Where an #if splits a function's head the brackets no
// longer agree; such a file is marked and gets no edits.

#include "analyzer/rules/host/cpp_file.h"

#include <algorithm>
#include <array>

namespace np::analyzer::host {
namespace {

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 6> kBindings = {"PYBIND11_MODULE",      "TORCH_LIBRARY",
                                                       "TORCH_LIBRARY_IMPL",   "TORCH_LIBRARY_FRAGMENT",
                                                       "STABLE_TORCH_LIBRARY", "STABLE_TORCH_LIBRARY_IMPL"};
constexpr std::array<std::string_view, 9> kStorage = {
    "static", "inline", "extern", "constexpr", "__forceinline__", "virtual", "__attribute__", "__host__", "friend"};

class Reader {
 public:
  explicit Reader(CppFile& file) : file_(file), tokens_(file.lexed.tokens) {}

  void read() {
    conditionals();
    std::size_t at = 0;
    while (at < tokens_.size()) at = next(at);
    if (!scopes_.empty()) file_.is_balanced = false;
  }

 private:
  struct Scope {
    std::string name;
    bool anonymous = false;
  };

  void conditionals() {
    std::vector<Conditional> open;
    for (std::size_t i = 0; i < file_.lexed.directives.size(); ++i) {
      const std::string& name = file_.lexed.directives[i].name;
      if (name == "if" || name == "ifdef" || name == "ifndef") open.push_back({i, 0, std::nullopt});
      if (open.empty()) continue;
      if ((name == "else" || name == "elif") && !open.back().otherwise) open.back().otherwise = i;
      if (name != "endif") continue;
      open.back().close = i;
      file_.conditionals.push_back(open.back());
      open.pop_back();
    }
    if (!open.empty()) file_.is_balanced = false;
  }

  // Reads one item or namespace head; returns where to go on.
  std::size_t next(std::size_t at) {
    if (tokens_[at].is("}")) {
      if (scopes_.empty())
        file_.is_balanced = false;
      else
        scopes_.pop_back();
      return at + 1;
    }
    if (tokens_[at].is(";")) return at + 1;
    if (const std::size_t inside = namespaceHead(at)) return inside;
    return item(at);
  }

  // `namespace a::b {`, `inline namespace {`, `extern "C" {`: the token after the brace; 0 when it is none.
  std::size_t namespaceHead(std::size_t at) {
    std::size_t i = at;
    if (tokens_[i].is("inline") && i + 1 < tokens_.size()) ++i;
    const bool linkage = tokens_[i].is("extern") && i + 2 < tokens_.size() && tokens_[i + 1].kind == TokenKind::String;
    if (!tokens_[i].is("namespace") && !(linkage && tokens_[i + 2].is("{"))) return 0;
    std::string name;
    for (++i; i < tokens_.size() && !tokens_[i].is("{"); ++i) {
      if (tokens_[i].is(";") || tokens_[i].is("=")) return 0;
      if (!linkage) name += tokens_[i].text;
    }
    if (i >= tokens_.size()) return 0;
    scopes_.push_back({name, !linkage && name.empty()});
    return i + 1;
  }

  std::size_t item(std::size_t at) {
    Item out;
    out.first = at;
    bool braces_end_it = false;  // of a function or a binding, not of a struct or an initialiser
    std::size_t i = tokens_[at].is("template") ? afterTemplateList(at + 1) : at;  // `template <int n = 64>`
    for (; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("}")) {  // of the namespace around it
        file_.is_balanced = false;
        return i;
      }
      if (token.is(";")) break;
      if (token.is("(") && out.name.empty() && out.open == 0) head(i, out);
      if (token.is("=") && out.open == 0) out.open = tokens_.size();  // a variable
      const char c = token.kind == TokenKind::Punct ? token.text[0] : ' ';
      if (c == '{' && out.open != 0 && out.open < tokens_.size()) {
        braces_end_it = true;
        out.brace = i;
      }
      if (c == '(' || c == '[' || c == '{') {
        i = closing(tokens_, i);
        if (i >= tokens_.size()) {
          file_.is_balanced = false;
          return i;
        }
      }
      if (c == '{' && braces_end_it) break;
    }
    out.last = std::min(i, tokens_.size() - 1);
    finish(out, braces_end_it);
    const std::size_t after = out.last + 1;
    file_.items.push_back(std::move(out));
    return after;
  }

  // `open` is the first "(" of the item that may be a parameter list.
  void head(std::size_t open, Item& out) {
    if (open == out.first || tokens_[open - 1].kind != TokenKind::Word) return;
    const std::string_view word = tokens_[open - 1].text;
    if (word == "__attribute__" || word == "__launch_bounds__" || word == "alignas" || word == "decltype" ||
        word == "__declspec" || word.find("LAUNCH_BOUNDS") != std::string_view::npos)
      return;
    out.open = open;
    out.name = std::string(word);
    out.name_range = tokens_[open - 1].range;
  }

  void finish(Item& out, bool has_body) {
    out.range = {tokens_[out.first].range.start, tokens_[out.last].range.end};
    for (const Scope& scope : scopes_) {
      if (!scope.name.empty()) out.scope += (out.scope.empty() ? "" : "::") + scope.name;
      out.in_anonymous = out.in_anonymous || scope.anonymous;
    }
    const std::size_t end = out.open > 0 && out.open < tokens_.size() ? out.open - 1 : out.last;
    std::size_t from = out.first;
    if (tokens_[from].is("template")) {
      out.is_template = true;
      from = afterTemplateList(from + 1);
    }
    std::string result;
    std::size_t type_first = tokens_.size(), type_last = 0;
    for (std::size_t i = from; i < end; ++i) {
      const std::string_view word = tokens_[i].text;
      out.is_static = out.is_static || word == "static";
      out.is_device = out.is_device || word == "__global__" || word == "__device__";
      if (isOneOf(word, kStorage)) continue;
      type_first = std::min(type_first, i);
      type_last = i;
    }
    if (out.open == 0 || out.open >= tokens_.size() || out.name.empty()) {
      out.name.clear();
      return;
    }
    if (isOneOf(out.name, kBindings)) {
      out.kind = ItemKind::Binding;
      return;
    }
    if (type_first > type_last || tokens_[type_last].is("::") || tokens_[from].is("using") ||
        tokens_[from].is("typedef"))
      return;
    if (tokens_[type_first].is("struct") || tokens_[type_first].is("class") || tokens_[type_first].is("enum")) return;
    out.result = spelled(tokens_, type_first, type_last);
    out.params = params(out.open);
    out.kind = has_body ? ItemKind::Function : ItemKind::Declaration;
    // `static auto registry = …` is cut at "="; `Type name(value);` looks like a declaration and does no harm.
  }

  std::size_t afterTemplateList(std::size_t at) const {
    std::size_t depth = 0;
    for (; at < tokens_.size(); ++at) {
      if (tokens_[at].is("<")) ++depth;
      if (tokens_[at].is(">") && --depth == 0) return at + 1;
      if (tokens_[at].is(";") || tokens_[at].is("{")) return at;
    }
    return at;
  }

  std::vector<Param> params(std::size_t open) const {
    std::vector<Param> out;
    const std::size_t close = closing(tokens_, open);
    std::size_t first = open + 1;
    int depth = 0;
    for (std::size_t i = open + 1; i <= close && i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "(" || text == "[" || text == "{" || text == "<") ++depth;
      if ((text == ")" && i != close) || text == "]" || text == "}" || text == ">") --depth;
      if (i != close && (text != "," || depth != 0)) continue;
      if (i > first) out.push_back(param(first, i - 1));
      first = i + 1;
    }
    if (out.size() == 1 && out[0].type.empty() && out[0].name == "void") out.clear();
    return out;
  }

  Param param(std::size_t first, std::size_t last) const {
    std::size_t end = first;
    int depth = 0;
    for (; end <= last; ++end) {
      if (tokens_[end].is("<")) ++depth;
      if (tokens_[end].is(">")) --depth;
      if (tokens_[end].is("=") && depth == 0) break;
    }
    Param out;
    if (end == first) return out;
    --end;
    const bool named = tokens_[end].kind == TokenKind::Word && end > first && !tokens_[end - 1].is("::");
    if (named || end == first) out.name = std::string(tokens_[end].text);
    if (named) out.type = spelled(tokens_, first, end - 1);
    if (!named && end > first) {
      out.name.clear();
      out.type = spelled(tokens_, first, end);
    }
    return out;
  }

  CppFile& file_;
  const std::vector<Token>& tokens_;
  std::vector<Scope> scopes_;
};

}  // namespace

bool CppFile::isDevice() const { return path().ends_with(".cu") || path().ends_with(".cuh"); }

bool CppFile::isHeader() const {
  return path().ends_with(".h") || path().ends_with(".hpp") || path().ends_with(".hh") || path().ends_with(".hxx") ||
         path().ends_with(".inl") || path().ends_with(".cuh");
}

bool CppFile::isUnder(Offset at, std::string_view macro) const {
  for (const Conditional& conditional : conditionals) {
    const Directive &open = lexed.directives[conditional.open], &close = lexed.directives[conditional.close];
    if (at < open.range.end || at >= close.range.start) continue;
    for (const Token& token : open.body)
      if (token.is(macro)) return true;
  }
  return false;
}

CppFile readCppFile(const SourceText& text) {
  CppFile out;
  out.text = &text;
  out.lexed = tokenize(text);
  Reader(out).read();
  return out;
}

std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i <= last && i < tokens.size(); ++i) {
    const bool word = tokens[i].kind == TokenKind::Word || tokens[i].kind == TokenKind::Number;
    const bool after_word = i > first && (tokens[i - 1].kind == TokenKind::Word || tokens[i - 1].is(">"));
    const bool spaced =
        i > first &&
        ((word && after_word) || ((tokens[i].is("&") || tokens[i].is("*")) && after_word) || tokens[i - 1].is(","));
    if (spaced) out += ' ';
    out += tokens[i].text;
  }
  return out;
}

}  // namespace np::analyzer::host
