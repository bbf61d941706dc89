// One C++ file as the host rules see it: its items (functions, declarations, includes' conditions) and which of them
// stand under which preprocessor condition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/rules/host/cpp_tokens.h"

namespace np::analyzer::host {

struct Param {
  std::string type;  // tokens joined, without the default value
  std::string name;  // empty when it has none
};

enum class ItemKind { Function, Declaration, Binding, Other };

// What stands at namespace scope between two semicolons or closing braces.
struct Item {
  ItemKind kind = ItemKind::Other;
  std::size_t first = 0, last = 0;  // token indices, inclusive
  Range range;
  std::string scope;  // "a::b", of the namespaces around it
  // Function and Declaration (of a function):
  std::string name;
  Range name_range;
  std::string result;  // return type, storage words and attributes left out
  std::vector<Param> params;
  std::size_t open = 0;  // token of its "(" and, of a definition, of its "{"
  std::size_t brace = 0;
  bool is_template = false, is_static = false, in_anonymous = false, is_device = false;
};

// A stretch between #if/#ifdef and its #endif.
struct Conditional {
  std::size_t open = 0, close = 0;       // directive indices
  std::optional<std::size_t> otherwise;  // of the first #else or #elif
};

struct CppFile {
  const SourceText* text = nullptr;
  CppTokens lexed;
  std::vector<Item> items;
  std::vector<Conditional> conditionals;
  bool is_balanced = true;  // brackets and conditionals close

  const std::vector<Token>& tokens() const { return lexed.tokens; }
  const std::string& path() const { return text->path(); }
  // Compiled by nvcc only: .cu and .cuh.
  bool isDevice() const;
  bool isHeader() const;
  // True when a condition around `at` names the macro.
  bool isUnder(Offset at, std::string_view macro) const;
};

CppFile readCppFile(const SourceText& text);

// Tokens as text, spaced as one writes a type: "const at::Tensor &".
std::string spelled(const std::vector<Token>& tokens, std::size_t first, std::size_t last);

}  // namespace np::analyzer::host
