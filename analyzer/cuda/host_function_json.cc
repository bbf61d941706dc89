// JSON of host functions: short keys and nothing for empty values, because one function has hundreds of nodes.

#include "analyzer/cuda/fields_json.h"

namespace np::analyzer::json {
namespace {

constexpr const char* kExprKinds[] = {"integer", "float", "string",      "name", "call", "method",
                                      "binary",  "unary", "conditional", "list", "cast", "unknown"};
constexpr const char* kStatementKinds[] = {"let",     "assign", "check",    "launch", "return",
                                           "ignored", "if",     "dispatch", "unknown"};

template <std::size_t N>
int indexOf(const char* const (&names)[N], const std::string& name) {
  for (std::size_t i = 0; i < N; ++i)
    if (name == names[i]) return static_cast<int>(i);
  return N - 1;
}

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json exprToJson(const HostExpr& expr) {
  Json out = {{"kind", kExprKinds[static_cast<int>(expr.kind)]}};
  put(out, "text", expr.text);
  put(out, "name", expr.name);
  put(out, "type", expr.type);
  if (expr.kind == HostExpr::Kind::Integer) out["value"] = expr.integer_value;
  if (expr.kind == HostExpr::Kind::Float) out["value"] = expr.float_value;
  if (!expr.args.empty()) out["args"] = listToJson(expr.args, exprToJson);
  return out;
}

HostExpr exprFrom(const Json& json) {
  HostExpr out;
  out.kind = static_cast<HostExpr::Kind>(indexOf(kExprKinds, get<std::string>(json, "kind")));
  out.text = get<std::string>(json, "text");
  out.name = get<std::string>(json, "name");
  out.type = get<std::string>(json, "type");
  if (out.kind == HostExpr::Kind::Integer) out.integer_value = get<std::int64_t>(json, "value");
  if (out.kind == HostExpr::Kind::Float) out.float_value = get<double>(json, "value");
  out.args = listFrom<HostExpr>(json, "args", exprFrom);
  return out;
}

bool isEmpty(const HostExpr& expr) { return expr.kind == HostExpr::Kind::Unknown && expr.text.empty(); }

Json statementToJson(const HostStatement& statement) {
  Json out = {{"kind", kStatementKinds[static_cast<int>(statement.kind)]}, {"where", rangeToJson(statement.where)}};
  put(out, "text", statement.text);
  put(out, "name", statement.name);
  put(out, "type", statement.type);
  put(out, "message", statement.message);
  if (!isEmpty(statement.value)) out["value"] = exprToJson(statement.value);
  if (!statement.names.empty()) out["names"] = statement.names;
  if (!statement.body.empty()) out["body"] = listToJson(statement.body, statementToJson);
  if (!statement.otherwise.empty()) out["otherwise"] = listToJson(statement.otherwise, statementToJson);
  if (statement.kind != HostStatement::Kind::Launch) return out;
  put(out, "kernel", statement.kernel);
  out["grid"] = listToJson(statement.grid, exprToJson);
  out["block"] = listToJson(statement.block, exprToJson);
  out["shared"] = exprToJson(statement.shared);
  out["args"] = listToJson(statement.args, exprToJson);
  return out;
}

HostStatement statementFrom(const Json& json) {
  HostStatement out;
  out.kind = static_cast<HostStatement::Kind>(indexOf(kStatementKinds, get<std::string>(json, "kind")));
  out.where = rangeFrom(json.at("where"));
  out.text = get<std::string>(json, "text");
  out.name = get<std::string>(json, "name");
  out.type = get<std::string>(json, "type");
  out.message = get<std::string>(json, "message");
  if (json.contains("value")) out.value = exprFrom(json.at("value"));
  out.names = get<std::vector<std::string>>(json, "names");
  out.body = listFrom<HostStatement>(json, "body", statementFrom);
  out.otherwise = listFrom<HostStatement>(json, "otherwise", statementFrom);
  out.kernel = get<std::string>(json, "kernel");
  out.grid = listFrom<HostExpr>(json, "grid", exprFrom);
  out.block = listFrom<HostExpr>(json, "block", exprFrom);
  if (json.contains("shared")) out.shared = exprFrom(json.at("shared"));
  out.args = listFrom<HostExpr>(json, "args", exprFrom);
  return out;
}

Json positionToJson(const Position& position) { return Json::array({position.line, position.column}); }

Position positionFrom(const Json& json, Offset offset) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), offset};
}

}  // namespace

Json rangeToJson(const SourceRange& range) {
  if (range.path.empty()) return nullptr;
  return {{"path", range.path},
          {"offsets", Json::array({range.range.start, range.range.end})},
          {"start", positionToJson(range.start)},
          {"end", positionToJson(range.end)}};
}

SourceRange rangeFrom(const Json& json) {
  SourceRange out;
  if (json.is_null()) return out;
  out.path = json.at("path").get<std::string>();
  out.range = {json.at("offsets").at(0).get<Offset>(), json.at("offsets").at(1).get<Offset>()};
  out.start = positionFrom(json.at("start"), out.range.start);
  out.end = positionFrom(json.at("end"), out.range.end);
  return out;
}

Json hostFunctionToJson(const HostFunction& function) {
  Json params = listToJson(function.params, [](const HostParam& param) {
    return Json{{"name", param.name}, {"type", param.type}, {"is_tensor", param.is_tensor}};
  });
  return {{"name", function.name},
          {"where", rangeToJson(function.where)},
          {"params", std::move(params)},
          {"return_type", function.return_type},
          {"body", listToJson(function.body, statementToJson)}};
}

HostFunction hostFunctionFrom(const Json& json) {
  HostFunction out;
  out.name = get<std::string>(json, "name");
  out.where = rangeFrom(json.at("where"));
  out.params = listFrom<HostParam>(json, "params", [](const Json& param) {
    return HostParam{get<std::string>(param, "name"), get<std::string>(param, "type"), get<bool>(param, "is_tensor")};
  });
  out.return_type = get<std::string>(json, "return_type");
  out.body = listFrom<HostStatement>(json, "body", statementFrom);
  return out;
}

}  // namespace np::analyzer::json
