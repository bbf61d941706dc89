// Recursive-descent parser of Spec text.
//
// Nodes are built through the Arena, so the result is canonical whatever the spelling. A reduction names its axes after
// its body ("sum(x[k] for k in N)"): the parser looks ahead to the matching "for", opens the axes, then reads the body.
// A macro is parsed once with temporary axes as parameters and substituted at each call.
#include <charconv>
#include <cmath>
#include <map>

#include "kernel_port/spec/lexer.h"
#include "kernel_port/spec/names.h"
#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

struct Macro {
  std::vector<Axis> parameters;
  Expr body = nullptr;
};

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::string_view file) : tokens_(std::move(tokens)), file_(file) {}

  Result<Spec> parse() {
    while (peek().kind != Token::Kind::End) {
      if (peek().kind == Token::Kind::NewLine) {
        ++next_;
        continue;
      }
      NP_TRY(line());
      if (peek().kind != Token::Kind::NewLine)
        return error("\"" + peek().text + "\" after the end of a line, start a new line");
    }
    return std::move(spec_);
  }

 private:
  const Token& peek(size_t ahead = 0) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }
  bool at(std::string_view text) const { return peek().text == text && peek().kind != Token::Kind::End; }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    ++next_;
    return true;
  }

  Error errorAt(const Token& token, std::string message) const {
    return makeError("spec-syntax", std::move(message),
                     file_ + ":" + std::to_string(token.line) + ":" + std::to_string(token.column));
  }
  Error error(std::string message) const { return errorAt(peek(), std::move(message)); }

  Result<void> expect(std::string_view text) {
    if (accept(text)) return {};
    const std::string found = peek().kind == Token::Kind::NewLine ? "end of line" : "\"" + peek().text + "\"";
    return error(found + " where \"" + std::string(text) + "\" is expected");
  }

  Result<std::string> name(std::string_view what) {
    if (peek().kind != Token::Kind::Name)
      return error("\"" + peek().text + "\" is not the name of " + std::string(what));
    return tokens_[next_++].text;
  }

  Result<std::string> newName(std::string_view what) {
    const Token token = peek();
    NP_ASSIGN(std::string out, name(what));
    if (isReserved(out)) return errorAt(token, "\"" + out + "\" is a word of the Spec language, choose another name");
    if (declared_.count(out)) return errorAt(token, "\"" + out + "\" is declared twice, rename one");
    declared_[out] = true;
    return out;
  }

  Result<void> line() {
    if (accept("sizes")) {
      do {
        NP_ASSIGN(std::string size, newName("a size"));
        spec_.sizes.push_back(size);
      } while (accept(","));
      return {};
    }
    if (accept("where")) return condition();
    if (accept("buffer")) return buffer();
    if (accept("scalar")) {
      NP_ASSIGN(std::string scalar, newName("a scalar"));
      NP_ASSIGN(DType type, dtype());
      spec_.scalars.push_back({scalar, type});
      return {};
    }
    if (peek(1).text == "(") return macro();
    return statement();
  }

  Result<DType> dtype() {
    const Token token = peek();
    NP_ASSIGN(std::string text, name("a type"));
    if (const auto type = dtypeFromName(text)) return *type;
    return errorAt(token,
                   "\"" + text + "\" is not a type, use one of f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool");
  }

  Result<void> condition() {
    NP_ASSIGN(SizeExpr left, sizeExpr(kAdd));
    const std::string symbol = peek().text;
    const bool swap = symbol == ">" || symbol == ">=";
    CmpOp op = CmpOp::Lt;
    if (symbol == "<" || symbol == ">") {
      op = CmpOp::Lt;
    } else if (symbol == "<=" || symbol == ">=") {
      op = CmpOp::Le;
    } else if (symbol == "==") {
      op = CmpOp::Eq;
    } else if (symbol == "!=") {
      op = CmpOp::Ne;
    } else {
      return error("\"" + symbol + "\" where a comparison is expected");
    }
    ++next_;
    NP_ASSIGN(SizeExpr right, sizeExpr(kAdd));
    spec_.where.push_back(swap ? SizeCondition{right, op, left} : SizeCondition{left, op, right});
    return {};
  }

  Result<void> buffer() {
    Buffer out;
    NP_ASSIGN(out.name, newName("a buffer"));
    NP_ASSIGN(out.type, dtype());
    NP_TRY(expect("["));
    do {
      NP_ASSIGN(SizeExpr extent, sizeExpr(kOr));
      out.extents.push_back(extent);
    } while (accept(","));
    NP_TRY(expect("]"));
    const auto role = roleFromName(peek().text);
    if (!role) return error("\"" + peek().text + "\" is not a role, use in, out or inout");
    ++next_;
    out.role = *role;
    spec_.buffers.push_back(std::move(out));
    return {};
  }

  // An expression that names sizes and integers only.
  Result<SizeExpr> sizeExpr(int level) {
    const Token token = peek();
    NP_ASSIGN(Expr e, expression(level));
    if (e->op == Op::Size) return e->size;
    if (e->op == Op::Const && e->type == DType::I32) return SizeExpr(static_cast<int64_t>(e->value));
    return errorAt(token, "an extent may hold only sizes and integers");
  }

  Result<Axis> openAxis(const Token& token, const std::string& axis_name, Axis axis) {
    if (axis >= kAxisEnd || (axis >= kBoundAxis && axis < kTemporaryAxis)) {
      return errorAt(token, "too many axes at \"" + axis_name + "\", split the statement");
    }
    if (declared_.count(axis_name) || isReserved(axis_name)) {
      return errorAt(token, "axis \"" + axis_name + "\" has the name of something else, rename the axis");
    }
    scopes_.emplace_back(axis_name, axis);
    return axis;
  }

  Result<void> macro() {
    NP_ASSIGN(std::string macro_name, newName("a macro"));
    NP_TRY(expect("("));
    Macro out;
    while (!accept(")")) {
      const Token token = peek();
      NP_ASSIGN(std::string parameter, name("an axis"));
      NP_ASSIGN(Axis axis, openAxis(token, parameter, temporary_++));
      out.parameters.push_back(axis);
      if (!at(")")) NP_TRY(expect(","));
    }
    NP_TRY(expect("="));
    NP_ASSIGN(out.body, expression(kOr));
    scopes_.clear();
    temporary_ = kTemporaryAxis;
    macros_[macro_name] = out;
    return {};
  }

  // out[i in M, j in N] = e   or   out[aff, .. : i in M, j in N] = e; the axes are opened before the index is read.
  Result<void> statement() {
    Stmt out;
    const Token start = peek();
    NP_ASSIGN(out.out, name("a buffer to write"));
    if (!spec_.buffer(out.out)) return errorAt(start, "\"" + out.out + "\" is not a declared buffer, declare it above");
    NP_TRY(expect("["));
    const size_t index_at = next_;
    size_t colon = 0;
    int depth = 0;
    for (size_t i = next_; i < tokens_.size() && tokens_[i].kind != Token::Kind::NewLine && depth >= 0; ++i) {
      const std::string& text = tokens_[i].text;
      depth += text == "[" || text == "(" ? 1 : (text == "]" || text == ")" ? -1 : 0);
      if (depth == 0 && text == ":") colon = i;
    }
    if (colon) next_ = colon + 1;
    do {
      const Token token = peek();
      NP_ASSIGN(std::string axis_name, name("an axis"));
      NP_ASSIGN(Axis axis, openAxis(token, axis_name, static_cast<Axis>(out.domain.size())));
      NP_TRY(expect("in"));
      NP_ASSIGN(SizeExpr extent, sizeExpr(kOr));
      out.domain.push_back(extent);
      if (!colon) out.index.push_back(Aff::axis(axis));
    } while (accept(","));
    NP_TRY(expect("]"));
    const size_t after = next_;
    if (colon) {
      next_ = index_at;
      do {
        NP_ASSIGN(Aff aff, affine());
        out.index.push_back(aff);
      } while (accept(","));
      if (next_ != colon) return error("\"" + peek().text + "\" where \":\" is expected");
      next_ = after;
    }
    NP_TRY(expect("="));
    NP_ASSIGN(out.value, expression(kOr));
    scopes_.clear();
    spec_.stmts.push_back(std::move(out));
    return {};
  }

  Result<Aff> affine() {
    const Token token = peek();
    NP_ASSIGN(Expr e, expression(kAdd));
    if (e->op == Op::Coord) return e->coord();
    if (e->op == Op::Size) return Aff::constant(e->size);
    if (e->op == Op::Const && e->type == DType::I32) return Aff::constant(static_cast<int64_t>(e->value));
    return errorAt(token, "this must be a sum of integer multiples of axes, sizes and integers");
  }

  enum Level { kOr = 1, kAnd, kNot, kCmp, kAdd, kMul, kUnary };

  Result<Expr> expression(int level) {
    switch (level) {
      case kOr:
        return logicChain(kOr, "or", LogicOp::Or);
      case kAnd:
        return logicChain(kAnd, "and", LogicOp::And);
      case kNot:
        return notExpr();
      case kCmp:
        return comparison();
      case kAdd:
        return arithmetic(kAdd, {"+", "-"});
      case kMul:
        return arithmetic(kMul, {"*", "/", "//", "%"});
      default:
        return unary();
    }
  }

  Result<Expr> logicChain(int level, std::string_view word, LogicOp op) {
    NP_ASSIGN(Expr left, expression(level + 1));
    while (at(word)) {
      const Token token = tokens_[next_++];
      NP_ASSIGN(Expr right, expression(level + 1));
      if (left->type != DType::Bool || right->type != DType::Bool)
        return errorAt(token, "\"" + token.text + "\" needs conditions on both sides");
      left = spec_.arena->logic(op, left, right);
    }
    return left;
  }

  Result<Expr> notExpr() {
    const Token token = peek();
    if (!accept("not")) return expression(kCmp);
    NP_ASSIGN(Expr e, expression(kNot));
    if (e->type != DType::Bool) return errorAt(token, "\"not\" needs a condition");
    return spec_.arena->logic(LogicOp::Not, e);
  }

  Result<Expr> comparison() {
    NP_ASSIGN(Expr a, expression(kAdd));
    static const std::map<std::string, std::pair<CmpOp, bool>> kSymbols = {
        {"<", {CmpOp::Lt, false}},  {"<=", {CmpOp::Le, false}}, {"==", {CmpOp::Eq, false}},
        {"!=", {CmpOp::Ne, false}}, {">", {CmpOp::Lt, true}},   {">=", {CmpOp::Le, true}}};
    const auto found = kSymbols.find(peek().text);
    // A "where" line compares sizes itself, above this level.
    if (found == kSymbols.end()) return a;
    const Token token = tokens_[next_++];
    NP_ASSIGN(Expr b, expression(kAdd));
    NP_TRY(sameType(token, a, b));
    const auto [op, swap] = found->second;
    return swap ? spec_.arena->cmp(op, b, a) : spec_.arena->cmp(op, a, b);
  }

  Result<void> sameType(const Token& token, Expr a, Expr b) {
    if (a->type == b->type) return {};
    return errorAt(token, "\"" + token.text + "\" on " + std::string(dtypeName(a->type)) + " and " +
                              std::string(dtypeName(b->type)) + ", cast one of them");
  }

  Result<Expr> arithmetic(int level, std::initializer_list<std::string_view> symbols) {
    NP_ASSIGN(Expr left, expression(level + 1));
    while (true) {
      bool found = false;
      for (std::string_view symbol : symbols) found = found || (at(symbol) && peek().kind == Token::Kind::Symbol);
      if (!found) return left;
      const Token token = tokens_[next_++];
      NP_ASSIGN(Expr right, expression(level + 1));
      if (token.text == "//" || token.text == "%") {
        const auto a = sizeOf(left), b = sizeOf(right);
        if (!a || !b || !b->positive())
          return errorAt(token, "\"" + token.text + "\" works on sizes, with a divisor that is at least 1");
        left = spec_.arena->size(token.text == "%" ? a->mod(*b) : a->floorDiv(*b));
        continue;
      }
      NP_TRY(sameType(token, left, right));
      if (left->type == DType::Bool) return errorAt(token, "\"" + token.text + "\" on conditions, use where");
      if (token.text == "/" && !isFloat(left->type)) return errorAt(token, "\"/\" on integers, use idiv or //");
      const BinOp op = token.text == "+"   ? BinOp::Add
                       : token.text == "-" ? BinOp::Sub
                       : token.text == "*" ? BinOp::Mul
                                           : BinOp::Div;
      left = spec_.arena->bin(op, left, right);
    }
  }

  static std::optional<SizeExpr> sizeOf(Expr e) {
    if (e->op == Op::Size) return e->size;
    if (e->op == Op::Const && e->type == DType::I32) return SizeExpr(static_cast<int64_t>(e->value));
    return std::nullopt;
  }

  Result<Expr> unary() {
    const Token token = peek();
    if (!accept("-")) return primary();
    NP_ASSIGN(Expr e, unary());
    if (e->type == DType::Bool) return errorAt(token, "\"-\" on a condition, use not");
    if (e->op == Op::Coord || e->op == Op::Size)
      return spec_.arena->bin(BinOp::Mul, e, spec_.arena->constant(-1, DType::I32));
    return spec_.arena->un(UnOp::Neg, e);
  }

  Result<Expr> primary() {
    const Token token = peek();
    if (token.kind == Token::Kind::Number) return number();
    if (accept("(")) {
      NP_ASSIGN(Expr e, expression(kOr));
      NP_TRY(expect(")"));
      return e;
    }
    if (token.kind != Token::Kind::Name) {
      const std::string found = token.kind == Token::Kind::NewLine ? "end of line" : "\"" + token.text + "\"";
      return error(found + " where a value is expected");
    }
    if (peek(1).text == "(") return call();
    if (peek(1).text == "[") return load(false);
    ++next_;
    return word(token);
  }

  Result<Expr> word(const Token& token) {
    Arena& arena = *spec_.arena;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->first == token.text) return arena.coord(Aff::axis(scope->second));
    }
    for (const std::string& size : spec_.sizes) {
      if (size == token.text) return arena.size(SizeExpr::name(size));
    }
    for (const Scalar& scalar : spec_.scalars) {
      if (scalar.name == token.text) return arena.param(scalar.name, scalar.type);
    }
    if (token.text == "inf") return arena.constant(INFINITY);
    if (token.text == "nan") return arena.constant(NAN);
    if (token.text == "true" || token.text == "false") return arena.constant(token.text == "true", DType::Bool);
    return errorAt(token, "\"" + token.text + "\" is not an axis, size or scalar here, declare it above");
  }

  Result<Expr> number() {
    const Token token = tokens_[next_++];
    const std::string& text = token.text;
    size_t digits = text.find_first_not_of("0123456789.");
    if (digits != std::string::npos && text[digits] == 'e') digits = text.find_first_not_of("0123456789+-", digits + 1);
    const std::string suffix = digits == std::string::npos ? "" : text.substr(digits);
    const std::string value = text.substr(0, digits);
    const bool floating = value.find_first_of(".e") != std::string::npos;
    const auto type = suffix.empty() ? std::optional(floating ? DType::F32 : DType::I32) : dtypeFromName(suffix);
    if (!type || (floating && !isFloat(*type))) return errorAt(token, "\"" + text + "\" is not a number");
    double parsed = 0;
    if (*type == DType::F32) {
      // Straight to float: via double would round twice.
      float single = 0;
      if (std::from_chars(value.data(), value.data() + value.size(), single).ec != std::errc())
        return errorAt(token, "\"" + text + "\" does not fit f32");
      parsed = single;
    } else if (std::from_chars(value.data(), value.data() + value.size(), parsed).ec != std::errc() ||
               (!isFloat(*type) && roundToType(parsed, *type) != parsed)) {
      return errorAt(token, "\"" + text + "\" does not fit " + std::string(dtypeName(*type)));
    }
    return spec_.arena->constant(parsed, *type);
  }

  Result<Expr> load(bool padded) {
    const Token token = peek();
    NP_ASSIGN(std::string buffer_name, name("a buffer"));
    const Buffer* buffer = spec_.buffer(buffer_name);
    if (!buffer) return errorAt(token, "\"" + buffer_name + "\" is not a declared buffer, declare it above");
    NP_TRY(expect("["));
    std::vector<Dim> dims;
    std::vector<Expr> args;
    do {
      const Token at_index = peek();
      NP_ASSIGN(Expr e, expression(kAdd));
      if (isFloat(e->type) || e->type == DType::Bool) return errorAt(at_index, "an index must be an integer");
      dims.push_back({{}, static_cast<int>(args.size())});
      args.push_back(e);
    } while (accept(","));
    NP_TRY(expect("]"));
    if (dims.size() != buffer->extents.size()) {
      return errorAt(token, "\"" + buffer_name + "\" has " + std::to_string(buffer->extents.size()) +
                                " dimensions, index " + std::to_string(dims.size()) + " of them are given");
    }
    if (!padded) return spec_.arena->load(buffer_name, buffer->type, dims, args);
    NP_TRY(expect(","));
    const Token at_outside = peek();
    NP_ASSIGN(Expr outside, expression(kAdd));
    if (outside->op != Op::Const || outside->type != buffer->type)
      return errorAt(at_outside, "the value outside must be a constant of the buffer's type");
    return spec_.arena->paddedLoad(buffer_name, buffer->type, dims, args, outside->value);
  }

  // The position of "for" of the reduction whose arguments start at next_, or 0.
  size_t findFor() const {
    int depth = 0;
    for (size_t i = next_; i < tokens_.size() && tokens_[i].kind != Token::Kind::NewLine; ++i) {
      const std::string& text = tokens_[i].text;
      if (text == "(" || text == "[") ++depth;
      if (text == ")" || text == "]") {
        if (--depth < 0) return 0;
      }
      if (depth == 0 && text == "for") return i;
    }
    return 0;
  }

  Result<Expr> call() {
    const Token token = tokens_[next_++];
    NP_TRY(expect("("));
    if (token.text == "pad") {
      NP_ASSIGN(Expr e, load(true));
      NP_TRY(expect(")"));
      return e;
    }
    if (const auto red = redFromName(token.text)) {
      if (const size_t at_for = findFor()) return reduction(*red, at_for);
    }
    if (token.text == "rec") return recurrence();
    if (const auto macro = macros_.find(token.text); macro != macros_.end()) return macroCall(token, macro->second);
    std::vector<Expr> args;
    while (!accept(")")) {
      NP_ASSIGN(Expr e, expression(kOr));
      args.push_back(e);
      if (!at(")")) NP_TRY(expect(","));
    }
    return function(token, args);
  }

  Result<Expr> reduction(RedOp op, size_t at_for) {
    const size_t body_at = next_;
    const size_t outer_scopes = scopes_.size();
    std::vector<std::pair<Axis, SizeExpr>> axes;
    next_ = at_for;
    while (accept("for")) {
      const Token token = peek();
      NP_ASSIGN(std::string axis_name, name("an axis"));
      NP_TRY(expect("in"));
      NP_ASSIGN(SizeExpr extent, sizeExpr(kAdd));
      NP_ASSIGN(Axis axis, openAxis(token, axis_name, temporary_++));
      axes.emplace_back(axis, extent);
    }
    Expr mask = nullptr;
    if (accept("if")) {
      const Token token = peek();
      NP_ASSIGN(mask, expression(kOr));
      if (mask->type != DType::Bool) return errorAt(token, "the mask of a reduction must be a condition");
    }
    const Token close = peek();
    NP_TRY(expect(")"));
    const size_t after = next_;
    next_ = body_at;
    NP_ASSIGN(Expr body, expression(kOr));
    if (next_ != at_for) return error("\"" + peek().text + "\" where \"for\" is expected");
    if (body->type == DType::Bool) return errorAt(close, "a reduction of conditions, use where");
    next_ = after;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      body = spec_.arena->red(op, axis->first, axis->second, body, mask);
      mask = nullptr;
    }
    temporary_ -= static_cast<Axis>(axes.size());
    scopes_.resize(outer_scopes);
    return body;
  }

  Result<Expr> recurrence() {
    const Token token = peek();
    NP_ASSIGN(Aff axis, affine());
    if (axis.plainAxis() < 0) return errorAt(token, "a recurrence runs along one axis");
    std::vector<Expr> args;
    for (int i = 0; i < 3; ++i) {
      NP_TRY(expect(","));
      NP_ASSIGN(Expr e, expression(kOr));
      args.push_back(e);
    }
    NP_TRY(expect(")"));
    NP_TRY(sameType(token, args[0], args[1]));
    NP_TRY(sameType(token, args[0], args[2]));
    return spec_.arena->rec(axis.plainAxis(), args[0], args[1], args[2]);
  }

  Result<Expr> macroCall(const Token& token, const Macro& macro) {
    Substitution map;
    size_t given = 0;
    while (!accept(")")) {
      NP_ASSIGN(Aff aff, affine());
      if (given < macro.parameters.size()) map[macro.parameters[given]] = aff;
      ++given;
      if (!at(")")) NP_TRY(expect(","));
    }
    if (given != macro.parameters.size()) {
      return errorAt(token, "\"" + token.text + "\" takes " + std::to_string(macro.parameters.size()) + " axes, " +
                                std::to_string(given) + " are given");
    }
    for (Expr e : postOrder(macro.body)) {
      if (e->op == Op::Rec && map.count(e->axis) && map[e->axis].plainAxis() < 0)
        return errorAt(token, "the recurrence in \"" + token.text + "\" needs a plain axis here");
    }
    return spec_.arena->substitute(macro.body, map);
  }

  Result<Expr> function(const Token& token, const std::vector<Expr>& args) {
    Arena& arena = *spec_.arena;
    const auto arity = [&](size_t n) -> Result<void> {
      if (args.size() == n) return {};
      return errorAt(token, "\"" + token.text + "\" takes " + std::to_string(n) + " values, " +
                                std::to_string(args.size()) + " are given");
    };
    if (token.text == "where") {
      NP_TRY(arity(3));
      if (args[0]->type != DType::Bool) return errorAt(token, "\"where\" needs a condition first");
      NP_TRY(sameType(token, args[1], args[2]));
      return arena.select(args[0], args[1], args[2]);
    }
    if (const auto type = dtypeFromName(token.text)) {
      NP_TRY(arity(1));
      return arena.cast(*type, args[0]);
    }
    if (const auto op = binFromName(token.text)) {
      NP_TRY(arity(2));
      NP_TRY(sameType(token, args[0], args[1]));
      return arena.bin(*op, args[0], args[1]);
    }
    if (const auto op = unFromName(token.text)) {
      NP_TRY(arity(1));
      if (args[0]->type == DType::Bool) return errorAt(token, "\"" + token.text + "\" on a condition, use where");
      return arena.un(*op, args[0]);
    }
    return errorAt(token, "\"" + token.text + "\" is not a function or macro, define it above");
  }

  std::vector<Token> tokens_;
  std::string file_;
  size_t next_ = 0;
  Spec spec_;
  std::map<std::string, bool> declared_;
  std::map<std::string, Macro> macros_;
  std::vector<std::pair<std::string, Axis>> scopes_;
  Axis temporary_ = kTemporaryAxis;
};

}  // namespace

Result<Spec> parseSpec(std::string_view text, std::string_view file) {
  NP_ASSIGN(auto tokens, lexSpec(text, file));
  NP_ASSIGN(Spec spec, Parser(std::move(tokens), file).parse());
  NP_TRY(validateSpec(spec));
  return spec;
}

}  // namespace np::kernel_port::spec
