// Recursive-descent parser of Tile IR text. Instructions are parsed by the schema: required arguments by position,
// optional ones by name. What a program means (bounds, hardware rules) is not looked at here.
#include <charconv>
#include <limits>

#include "runtime/tile/lexer.h"
#include "runtime/tile/number_text.h"
#include "runtime/tile/schema.h"
#include "runtime/tile/text.h"

namespace np::tile {
namespace {

using TokenKind = Token::Kind;
// Foreign text must not exhaust the stack: of nested blocks and parentheses, and of terms or factors in a row.
constexpr int kMaxDepth = 64, kMaxTerms = 100;

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<TileProgram> program() {
    TileProgram out;
    NP_TRY(expect("kernel"));
    NP_ASSIGN(out.name, name(TokenKind::kKernel, "a kernel name (@name)"));
    NP_TRY(expect("("));
    while (!peek().is(")")) {
      NP_TRY(params(out.params));
      if (!accept(",")) break;
    }
    NP_TRY(expect(")"));
    if (accept("sizes")) NP_TRY(sizes(out.sizes));
    if (accept("requires")) {
      NP_TRY(expect("("));
      NP_ASSIGN(out.requirements, conditions(","));
      NP_TRY(expect(")"));
    }
    NP_ASSIGN(out.body, block());
    if (peek().kind != TokenKind::kEnd) return fail("the end of the kernel");
    return out;
  }

 private:
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  Token next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool accept(std::string_view text) {
    if (!peek().is(text)) return false;
    next();
    return true;
  }
  Error fail(std::string_view expected) const {
    return makeError("tile-parse", "line " + std::to_string(peek().line) + ": expected " + std::string(expected) +
                                       ", found \"" + peek().text + "\"");
  }
  Result<void> expect(std::string_view text) {
    if (!accept(text)) return fail("\"" + std::string(text) + "\"");
    return Unit{};
  }
  Result<std::string> name(TokenKind kind, std::string_view what) {
    if (peek().kind != kind) return fail(what);
    return next().text;
  }

  template <class T, class Find>
  Result<T> oneOf(Find find, std::string_view what) {
    if (peek().kind == TokenKind::kWord) {
      if (std::optional<T> found = find(peek().text)) return next(), *found;
    }
    return fail(what);
  }
  Result<Dtype> dtype() { return oneOf<Dtype>(dtypeFromName, "a dtype (f32, bf16, i32 ..)"); }

  Result<void> sizes(std::vector<std::string>& out) {
    NP_TRY(expect("("));
    do {
      NP_ASSIGN(out.emplace_back(), name(TokenKind::kWord, "a size name"));
    } while (accept(","));
    return expect(")");
  }

  Result<void> params(std::vector<Param>& out) {
    Param param;
    if (peek().is("out"))
      param.role = Role::kOut;
    else if (!peek().is("in"))
      return fail("\"in\" or \"out\"");
    next();
    NP_ASSIGN(param.name, name(TokenKind::kBuffer, "a buffer (%name)"));
    NP_TRY(expect(":"));
    NP_ASSIGN(param.dtype, dtype());
    NP_TRY(expect("["));
    do {
      NP_ASSIGN(param.extents.emplace_back(), expr());
    } while (accept(","));
    NP_TRY(expect("]"));
    out.push_back(std::move(param));
    return Unit{};
  }

  Result<std::vector<Condition>> conditions(std::string_view separator) {
    std::vector<Condition> out;
    do {
      NP_ASSIGN(out.emplace_back(), condition());
    } while (accept(separator));
    return out;
  }

  Result<Condition> condition() {
    Condition out;
    NP_ASSIGN(out.left, expr());
    for (Compare c : {Compare::kEq, Compare::kNe, Compare::kLe, Compare::kGe, Compare::kLt, Compare::kGt}) {
      if (!accept(compareText(c))) continue;
      out.compare = c;
      NP_ASSIGN(out.right, expr());
      return out;
    }
    return fail("a comparison");
  }

  Result<Block> block() {
    if (++depth_ > kMaxDepth) return fail("fewer nested blocks");
    Block out;
    NP_TRY(expect("{"));
    while (!peek().is("}")) NP_TRY(statement(out));
    --depth_;
    next();
    return out;
  }

  Result<void> statement(Block& out) {
    if (accept("tile")) return allocs(out);
    if (accept("let")) {
      Let let;
      NP_ASSIGN(let.name, name(TokenKind::kWord, "a name"));
      NP_TRY(expect("="));
      NP_ASSIGN(let.value, expr());
      return out.emplace_back(std::move(let)), Unit{};
    }
    if (accept("for")) {
      For loop;
      NP_ASSIGN(loop.variable, name(TokenKind::kWord, "a loop variable"));
      NP_TRY(expect("in"));
      NP_ASSIGN(loop.lower, expr());
      NP_TRY(expect(".."));
      NP_ASSIGN(loop.upper, expr());
      if (accept("step")) {
        NP_ASSIGN(loop.step, expr());
      }
      NP_ASSIGN(loop.body, block());
      return out.emplace_back(std::move(loop)), Unit{};
    }
    if (accept("if")) {
      If choice;
      NP_ASSIGN(choice.conditions, conditions("and"));
      NP_ASSIGN(choice.then_body, block());
      if (accept("else")) {
        NP_ASSIGN(choice.else_body, block());
      }
      return out.emplace_back(std::move(choice)), Unit{};
    }
    NP_ASSIGN(Instruction parsed, instruction());
    return out.emplace_back(std::move(parsed)), Unit{};
  }

  Result<void> allocs(Block& out) {
    std::vector<std::string> names;
    do {
      NP_ASSIGN(names.emplace_back(), name(TokenKind::kBuffer, "a tile (%name)"));
    } while (accept(","));
    NP_TRY(expect(":"));
    Alloc alloc;
    NP_ASSIGN(alloc.memory, oneOf<Memory>(memoryFromName, "sbuf, psum or hbm"));
    NP_ASSIGN(alloc.dtype, dtype());
    NP_TRY(expect("["));
    bool bounded = false;
    do {
      NP_ASSIGN(alloc.shape.emplace_back(), expr());
      std::optional<int64_t>& maximum = alloc.maxima.emplace_back();
      if (!accept("<=")) continue;
      NP_ASSIGN(const Expr bound, expr());
      if (!bound.isConstant()) return fail("a constant bound");
      maximum = bound.value();
      bounded = true;
    } while (accept(","));
    if (!bounded) alloc.maxima.clear();
    NP_TRY(expect("]"));
    for (std::string& tile : names) {
      alloc.name = std::move(tile);
      out.emplace_back(alloc);
    }
    return Unit{};
  }

  Result<Instruction> instruction() {
    NP_ASSIGN(const Opcode opcode, oneOf<Opcode>(opcodeFromName, "a statement or an instruction of Tile IR"));
    const InstructionSchema& schema = schemaOf(opcode);
    Instruction out = emptyInstruction(opcode);
    for (size_t i = 0; i < schema.arguments.size() && schema.arguments[i].required; ++i) {
      if (i > 0) NP_TRY(expect(","));
      NP_ASSIGN(out.arguments[i], argument(schema.arguments[i]));
    }
    while (accept(",")) {
      const int index = peek().kind == TokenKind::kWord ? argumentIndex(opcode, peek().text) : -1;
      if (index < 0 || schema.arguments[static_cast<size_t>(index)].required) {
        return fail("an optional argument of " + std::string(schema.name));
      }
      next();
      NP_TRY(expect("="));
      NP_ASSIGN(out.arguments[static_cast<size_t>(index)], argument(schema.arguments[static_cast<size_t>(index)]));
    }
    return out;
  }

  template <class T>
  static Result<Argument> wrap(Result<T> value) {
    if (!value.ok()) return std::move(value).error();
    return Argument(std::move(value).value());
  }

  Result<Argument> argument(const ArgumentSchema& schema) {
    switch (schema.kind) {
      case ArgumentKind::kView:
        return wrap(view());
      case ArgumentKind::kScalar:
        return peek().kind == TokenKind::kBuffer ? wrap(view()) : wrap(number());
      case ArgumentKind::kNumber:
        return wrap(number());
      case ArgumentKind::kInteger:
        return wrap(expr());
      case ArgumentKind::kFunction:
        return wrap(oneOf<Function>(functionFromName, "an nl function"));
      case ArgumentKind::kEngine:
        return wrap(oneOf<Engine>(engineFromName, "an engine"));
      case ArgumentKind::kReduceCommand:
        return wrap(oneOf<ReduceCommand>(reduceCommandFromName, "a reduce command"));
      case ArgumentKind::kOobMode:
        return wrap(oneOf<OobMode>(oobModeFromName, "error or skip"));
      case ArgumentKind::kAxes:
        return wrap(axes());
      case ArgumentKind::kPattern:
        return wrap(pattern());
      case ArgumentKind::kFlag:
      case ArgumentKind::kTriState:
        break;
    }
    if (accept("true")) return Argument(true);
    if (accept("false")) return Argument(false);
    return fail("true or false");
  }

  Result<int64_t> integer() {
    NP_ASSIGN(const Expr e, expr());
    if (!e.isConstant()) return fail("an integer constant");
    return e.value();
  }

  Result<std::vector<int>> axes() {
    std::vector<int> out;
    NP_TRY(expect("["));
    do {
      NP_ASSIGN(const int64_t axis, integer());
      out.push_back(static_cast<int>(axis));
    } while (accept(","));
    NP_TRY(expect("]"));
    return out;
  }

  Result<ApDim> pair() {
    ApDim out;
    NP_TRY(expect("["));
    NP_ASSIGN(out.step, expr());
    NP_TRY(expect(","));
    NP_ASSIGN(out.size, expr());
    NP_TRY(expect("]"));
    return out;
  }

  Result<std::vector<ApDim>> pattern() {
    std::vector<ApDim> out;
    NP_TRY(expect("["));
    do {
      NP_ASSIGN(out.emplace_back(), pair());
    } while (accept(","));
    NP_TRY(expect("]"));
    return out;
  }

  Result<Slice> slice() {
    Slice out;
    NP_ASSIGN(out.start, expr());
    if (accept("+:")) {
      NP_ASSIGN(out.size, expr());
    } else {
      NP_TRY(expect(":"));
      NP_ASSIGN(const Expr stop, expr());
      out.size = stop - out.start;
    }
    if (accept("by")) {
      NP_ASSIGN(out.step, expr());
    }
    return out;
  }

  Result<View> view() {
    if (++depth_ > kMaxDepth) return fail("fewer nested views");
    View out;
    NP_ASSIGN(out.buffer, name(TokenKind::kBuffer, "a buffer (%name)"));
    if (accept("[")) {
      do {
        NP_ASSIGN(out.slices.emplace_back(), slice());
      } while (accept(","));
      NP_TRY(expect("]"));
    }
    while (accept(".")) NP_TRY(viewSuffix(out));
    --depth_;
    return out;
  }

  Result<void> viewSuffix(View& out) {
    const bool is_ap = peek().is("ap"), is_permute = peek().is("permute"), is_broadcast = peek().is("broadcast");
    const bool is_as = peek().is("as"), is_gather = peek().is("gather");
    if (!is_ap && !is_permute && !is_broadcast && !is_as && !is_gather) {
      return fail("ap, permute, broadcast, as or gather");
    }
    next();
    NP_TRY(expect("("));
    if (is_ap) {
      NP_ASSIGN(out.offset, expr());
      while (accept(",")) {
        NP_ASSIGN(out.pattern.emplace_back(), pair());
      }
    } else if (is_permute) {
      do {
        NP_ASSIGN(const int64_t dim, integer());
        out.permutation.push_back(static_cast<int>(dim));
      } while (accept(","));
    } else if (is_broadcast) {
      NP_ASSIGN(const int64_t dim, integer());
      NP_TRY(expect(","));
      NP_ASSIGN(Expr size, expr());
      out.broadcasts.push_back({static_cast<int>(dim), std::move(size)});
    } else if (is_as) {
      NP_ASSIGN(out.as, dtype());
    } else {
      NP_ASSIGN(View index, view());
      out.index.clear();
      out.index.push_back(std::move(index));
    }
    return expect(")");
  }

  Result<Number> number() {
    Number out;
    const bool negative = accept("-");
    if (accept("inf")) {
      out.scale = std::numeric_limits<double>::infinity();
    } else if (accept("nan")) {
      out.scale = std::numeric_limits<double>::quiet_NaN();
    } else {
      if (peek().kind != TokenKind::kReal && peek().kind != TokenKind::kInteger) return fail("a number");
      const std::string text = next().text;
      // Out of range gives inf or 0, as Python's float() does.
      out.scale = std::strtod(text.c_str(), nullptr);
    }
    if (negative) out.scale = -out.scale;
    if (accept("*")) {
      NP_ASSIGN(out.numerator, atom());
    }
    if (accept("/")) {
      NP_ASSIGN(out.denominator, atom());
    }
    return out;
  }

  Result<Expr> expr() {
    NP_ASSIGN(Expr out, term());
    for (int terms = 1; peek().is("+") || peek().is("-"); ++terms) {
      if (terms == kMaxTerms) return fail("a shorter expression");
      const bool add = next().text == "+";
      NP_ASSIGN(const Expr right, term());
      out = add ? out + right : out - right;
    }
    return out;
  }

  Result<Expr> term() {
    NP_ASSIGN(Expr out, atom());
    for (int factors = 1; accept("*"); ++factors) {
      if (factors == kMaxTerms) return fail("a shorter expression");
      NP_ASSIGN(const Expr right, atom());
      out = out * right;
    }
    return out;
  }

  Result<Expr> atom() {
    bool negative = false;
    while (accept("-")) negative = !negative;
    NP_ASSIGN(const Expr out, positiveAtom());
    return negative ? Expr(0) - out : out;
  }

  Result<Expr> positiveAtom() {
    if (peek().kind == TokenKind::kInteger) {
      const std::string text = next().text;
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc()) return fail("an integer of 64 bits");
      return Expr(value);
    }
    if (peek().is("(")) return parenthesised();
    if (peek().kind != TokenKind::kWord) return fail("an expression");
    const std::string word = next().text;
    return peek().is("(") ? call(word) : Result<Expr>(Expr::symbol(word));
  }

  Result<Expr> parenthesised() {
    if (++depth_ > kMaxDepth) return fail("fewer nested parentheses");
    next();
    NP_ASSIGN(Expr out, expr());
    --depth_;
    NP_TRY(expect(")"));
    return out;
  }

  Result<Expr> call(const std::string& word) {
    using Kind = Expr::Kind;
    const std::pair<std::string_view, Kind> calls[] = {{"min", Kind::kMin},
                                                       {"max", Kind::kMax},
                                                       {"floordiv", Kind::kFloorDiv},
                                                       {"ceildiv", Kind::kCeilDiv},
                                                       {"mod", Kind::kMod}};
    for (const auto& [name, kind] : calls) {
      if (name != word) continue;
      if (++depth_ > kMaxDepth) return fail("fewer nested calls");
      NP_TRY(expect("("));
      NP_ASSIGN(const Expr left, expr());
      NP_TRY(expect(","));
      NP_ASSIGN(const Expr right, expr());
      --depth_;
      NP_TRY(expect(")"));
      return Expr::binary(kind, left, right);
    }
    return fail("min, max, floordiv, ceildiv or mod instead of \"" + word + "\"; here");
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<TileProgram> parse(std::string_view text) {
  NP_ASSIGN(std::vector<Token> tokens, lex(text));
  return Parser(std::move(tokens)).program();
}

Result<FlatProgram> parseFlat(std::string_view text) {
  NP_ASSIGN(const TileProgram program, parse(text));
  return instantiate(program, {});
}

}  // namespace np::tile
