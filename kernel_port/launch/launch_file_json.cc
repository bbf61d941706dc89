// Launch files from JSON. Every value is read through a Node, which knows its own JSON pointer, so that an error always
// names the place; names are resolved while reading, so that what comes out has no dangling reference.
// Not read: "data" (recorded inputs); it is refused by name.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analyzer/base/nearest.h"
#include "kernel_port/launch/launch_file.h"

namespace np::kernel_port::launch {
namespace {

using Json = nlohmann::ordered_json;

std::string inQuotes(const std::string& text) { return "\"" + text.substr(0, 200) + "\""; }

std::string escapePointer(std::string_view key) {
  std::string out;
  for (char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

bool isIdentifier(std::string_view text) {
  auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  });
}

// A JSON value and where it stands.
struct Node {
  const Json* json;
  std::string path, pointer;

  Error fail(std::string message, std::string code = "launch-file") const {
    return makeError(std::move(code), std::move(message), path + "#" + (pointer.empty() ? "/" : pointer));
  }
  Error wrong(const std::string& wanted) const { return fail("expected " + wanted + ", found " + json->type_name()); }
  Node operator[](std::string_view key) const {
    return {&json->at(std::string(key)), path, pointer + "/" + escapePointer(key)};
  }
  Node operator[](size_t index) const { return {&json->at(index), path, pointer + "/" + std::to_string(index)}; }
  bool has(std::string_view key) const { return json->contains(std::string(key)); }

  // Keys must be among `known`; those ending in "!" must be there.
  Result<void> object(const std::vector<std::string>& known) const {
    if (!json->is_object()) return wrong("an object");
    std::vector<std::string> names;
    for (const std::string& entry : known) {
      names.push_back(entry.back() == '!' ? entry.substr(0, entry.size() - 1) : entry);
      if (entry.back() == '!' && !has(names.back())) return fail("key " + inQuotes(names.back()) + " is missing");
    }
    for (const auto& item : json->items()) {
      if (std::find(names.begin(), names.end(), item.key()) != names.end()) continue;
      auto close = np::nearest(item.key(), names);
      return fail("unknown key " + inQuotes(item.key()) + (close ? "; did you mean " + inQuotes(*close) + "?" : ""));
    }
    return {};
  }
  Result<void> array() const { return json->is_array() ? Result<void>() : Result<void>(wrong("an array")); }
  Result<std::string> text() const {
    if (!json->is_string()) return wrong("a string");
    return json->get<std::string>();
  }
};

class Reader {
 public:
  explicit Reader(LaunchFile& file) : file_(file) {}

  Result<void> read(const Node& root) {
    NP_TRY(root.object({"version!", "source!", "sizes!", "buffers!", "scalars", "launches!", "data"}));
    if (root.has("data"))
      return root["data"].fail("recorded inputs (\"data\") are not supported yet; pass a folder of .npy files instead");
    if (*root["version"].json != 1) return root["version"].fail("unknown version; this release reads version 1");
    NP_ASSIGN(std::string source, root["source"].text());
    if (source.empty()) return root["source"].fail("the name of the source file is empty");
    file_.source = (std::filesystem::path(file_.path).parent_path() / source).lexically_normal().string();
    NP_TRY(sizes(root["sizes"]));
    NP_TRY(buffers(root["buffers"]));
    if (root.has("scalars")) NP_TRY(scalars(root["scalars"]));
    NP_TRY(launches(root["launches"]));
    return {};
  }

 private:
  Result<void> declare(const Node& at, const std::string& name) {
    static constexpr std::string_view kFunctions[] = {"ceildiv", "min", "max"};
    if (!isIdentifier(name) || std::find(std::begin(kFunctions), std::end(kFunctions), name) != std::end(kFunctions))
      return at.fail(inQuotes(name) + " is not a usable name; use letters, digits and _");
    if (!names_.insert(name).second) return at.fail("the name " + inQuotes(name) + " is given twice");
    return {};
  }

  Result<void> sizes(const Node& node) {
    NP_TRY(node.object({"names!", "cases!", "where"}));
    NP_TRY(node["names"].array());
    for (size_t k = 0; k < node["names"].json->size(); ++k) {
      NP_ASSIGN(std::string name, node["names"][k].text());
      NP_TRY(declare(node["names"][k], name));
      file_.size_names.push_back(std::move(name));
    }
    if (node.has("where")) {
      NP_TRY(node["where"].array());
      for (size_t k = 0; k < node["where"].json->size(); ++k) NP_TRY(condition(node["where"][k]));
    }
    NP_TRY(node["cases"].array());
    if (node["cases"].json->empty()) return node["cases"].fail("at least one case is needed");
    for (size_t k = 0; k < node["cases"].json->size(); ++k) NP_TRY(sizeCase(node["cases"][k]));
    return {};
  }

  Result<void> condition(const Node& node) {
    NP_ASSIGN(std::string text, node.text());
    auto parsed = parseCondition(text);
    if (!parsed.ok()) return node.fail(parsed.error().message, parsed.error().code);
    NP_TRY(knownSizes(node, parsed->left));
    NP_TRY(knownSizes(node, parsed->right));
    file_.where.push_back(std::move(*parsed));
    return {};
  }

  Result<void> sizeCase(const Node& node) {
    NP_TRY(node.array());
    if (node.json->size() != file_.size_names.size())
      return node.fail("expected " + std::to_string(file_.size_names.size()) + " sizes, found " +
                       std::to_string(node.json->size()));
    std::vector<int64_t> values;
    Sizes by_name;
    for (size_t k = 0; k < node.json->size(); ++k) {
      NP_ASSIGN(int64_t value, integer(node[k]));
      if (value < 0) return node[k].fail("size " + inQuotes(file_.size_names[k]) + " is negative");
      by_name[file_.size_names[k]] = value;
      values.push_back(value);
    }
    for (const Condition& where : file_.where) {
      auto kept = holds(where, by_name);
      if (!kept.ok()) return node.fail(kept.error().message, kept.error().code);
      if (!*kept) return node.fail("the case breaks the condition " + inQuotes(where.text));
    }
    file_.cases.push_back(std::move(values));
    return {};
  }

  Result<int64_t> integer(const Node& node) {
    if (!node.json->is_number_integer()) return node.wrong("an integer");
    if (node.json->is_number_unsigned() && node.json->get<uint64_t>() > uint64_t{INT64_MAX})
      return node.fail("the integer does not fit 64 bits");
    return node.json->get<int64_t>();
  }

  Result<ElementType> type(const Node& node) {
    NP_ASSIGN(std::string text, node.text());
    if (auto found = elementType(text)) return *found;
    return node.fail("unknown type " + inQuotes(text) + "; use f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 u64 or bool");
  }

  Result<void> knownSizes(const Node& node, const Expr& expr) {
    for (const std::string& used : sizeNames(expr)) {
      if (std::find(file_.size_names.begin(), file_.size_names.end(), used) != file_.size_names.end()) continue;
      auto close = np::nearest(used, file_.size_names);
      return node.fail("unknown size " + inQuotes(used) + (close ? "; did you mean " + inQuotes(*close) + "?" : ""),
                       "unknown-name");
    }
    return {};
  }

  Result<Expr> expr(const Node& node) {
    if (node.json->is_number_integer()) {
      NP_ASSIGN(int64_t value, integer(node));
      return Expr::integer(value);
    }
    if (!node.json->is_string()) return node.wrong("an integer expression");
    auto parsed = parseExpr(node.json->get<std::string>());
    if (!parsed.ok()) return node.fail(parsed.error().message, parsed.error().code);
    NP_TRY(knownSizes(node, *parsed));
    return std::move(*parsed);
  }

  Result<void> buffers(const Node& node) {
    if (!node.json->is_object()) return node.wrong("an object");
    for (const auto& item : node.json->items()) {
      const Node at = node[item.key()];
      NP_TRY(declare(at, item.key()));
      NP_TRY(at.object({"type!", "extent!", "role!", "init"}));
      Buffer buffer;
      buffer.name = item.key();
      NP_ASSIGN(buffer.type, type(at["type"]));
      NP_TRY(at["extent"].array());
      if (at["extent"].json->size() > 8) return at["extent"].fail("more than 8 dimensions");
      for (size_t k = 0; k < at["extent"].json->size(); ++k) {
        NP_ASSIGN(Expr extent, expr(at["extent"][k]));
        buffer.extent.push_back(std::move(extent));
      }
      NP_ASSIGN(buffer.role, role(at["role"]));
      const bool filled = buffer.role == Role::In || buffer.role == Role::InOut;
      if (filled && !at.has("init")) return at.fail("key \"init\" is missing: a buffer that is read needs values");
      if (!filled && at.has("init"))
        return at["init"].fail("a buffer of role " + inQuotes(std::string(name(buffer.role))) +
                               " starts undefined; remove \"init\" or use role \"inout\"");
      if (filled) {
        NP_ASSIGN(buffer.init, init(at["init"], buffer.type));
      }
      file_.buffers.push_back(std::move(buffer));
    }
    return {};
  }

  Result<Role> role(const Node& node) {
    NP_ASSIGN(std::string text, node.text());
    for (Role role : {Role::In, Role::Out, Role::InOut, Role::Scratch})
      if (name(role) == text) return role;
    return node.fail("unknown role " + inQuotes(text) + "; use in, out, inout or scratch");
  }

  Result<Init> init(const Node& node, ElementType type) {
    static const std::vector<std::string> kKinds = {"normal", "uniform",     "zeros",   "ones",
                                                    "iota",   "permutation", "randint", "sorted_offsets"};
    const bool bare = node.json->is_string();
    if (!bare && !node.json->is_object()) return node.wrong("a kind of initial values or an object");
    if (!bare && !node.has("kind")) return node.fail("key \"kind\" is missing");
    const Node at = bare ? node : node["kind"];
    NP_ASSIGN(std::string kind, at.text());
    auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end()) {
      auto close = np::nearest(kind, kKinds);
      return at.fail("unknown initial values " + inQuotes(kind) +
                     (close ? "; did you mean " + inQuotes(*close) + "?" : ""));
    }
    Init out;
    out.kind = static_cast<Init::Kind>(found - kKinds.begin());
    const bool real = out.kind == Init::Kind::Normal || out.kind == Init::Kind::Uniform;
    const bool integral = out.kind == Init::Kind::RandInt || out.kind == Init::Kind::SortedOffsets;
    if (real && !isFloat(type)) return at.fail(inQuotes(kind) + " needs a float type; use \"randint\"");
    if (integral && isFloat(type)) return at.fail(inQuotes(kind) + " needs an integer type");
    if (integral && bare) return node.fail(inQuotes(kind) + " needs an object with its limits");
    if (bare) return out;
    switch (out.kind) {
      case Init::Kind::Uniform: {
        NP_TRY(node.object({"kind!", "low!", "high!"}));
        NP_ASSIGN(out.low, number(node["low"]));
        NP_ASSIGN(out.high, number(node["high"]));
        if (!(out.low <= out.high)) return node.fail("\"low\" is above \"high\"");
        break;
      }
      case Init::Kind::RandInt: {
        NP_TRY(node.object({"kind!", "low!", "high!"}));
        NP_ASSIGN(out.int_low, expr(node["low"]));
        NP_ASSIGN(out.int_high, expr(node["high"]));
        break;
      }
      case Init::Kind::SortedOffsets: {
        NP_TRY(node.object({"kind!", "total!", "nonempty"}));
        NP_ASSIGN(out.total, expr(node["total"]));
        if (node.has("nonempty")) {
          if (!node["nonempty"].json->is_boolean()) return node["nonempty"].wrong("true or false");
          out.nonempty = node["nonempty"].json->get<bool>();
        }
        break;
      }
      default:
        NP_TRY(node.object({"kind!"}));
    }
    return out;
  }

  // A JSON number, or "inf", "-inf", "nan".
  Result<double> number(const Node& node) {
    if (node.json->is_number()) return node.json->get<double>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (*node.json == "inf") return kInfinity;
    if (*node.json == "-inf") return -kInfinity;
    if (*node.json == "nan") return std::numeric_limits<double>::quiet_NaN();
    return node.wrong("a number");
  }

  Result<void> scalars(const Node& node) {
    if (!node.json->is_object()) return node.wrong("an object");
    for (const auto& item : node.json->items()) {
      const Node at = node[item.key()];
      NP_TRY(declare(at, item.key()));
      NP_TRY(at.object({"type!", "value!"}));
      Scalar scalar;
      scalar.name = item.key();
      NP_ASSIGN(scalar.type, type(at["type"]));
      NP_TRY(scalarValue(at["value"], scalar));
      file_.scalars.push_back(std::move(scalar));
    }
    return {};
  }

  Result<void> scalarValue(const Node& node, Scalar& scalar) {
    if (isFloat(scalar.type)) {
      NP_ASSIGN(scalar.real, number(node));
      return {};
    }
    if (scalar.type == ElementType::Bool && node.json->is_boolean()) {
      scalar.integer = node.json->get<bool>();
      return {};
    }
    NP_ASSIGN(scalar.integer, integer(node));
    if (scalar.integer < lowest(scalar.type) || scalar.integer > highest(scalar.type))
      return node.fail("the value does not fit type " + inQuotes(std::string(name(scalar.type))));
    return {};
  }

  Result<void> launches(const Node& node) {
    NP_TRY(node.array());
    if (node.json->empty()) return node.fail("at least one launch is needed");
    for (size_t k = 0; k < node.json->size(); ++k) {
      const Node at = node[k];
      NP_TRY(at.object({"kernel!", "grid!", "block!", "shared", "args!"}));
      Launch launch;
      NP_ASSIGN(launch.kernel, at["kernel"].text());
      if (launch.kernel.empty()) return at["kernel"].fail("the kernel name is empty");
      NP_ASSIGN(launch.grid, dimensions(at["grid"]));
      NP_ASSIGN(launch.block, dimensions(at["block"]));
      launch.shared = Expr::integer(0);
      if (at.has("shared")) {
        NP_ASSIGN(launch.shared, expr(at["shared"]));
      }
      NP_TRY(at["args"].array());
      for (size_t a = 0; a < at["args"].json->size(); ++a) {
        NP_ASSIGN(Argument argument, this->argument(at["args"][a]));
        launch.args.push_back(std::move(argument));
      }
      file_.launches.push_back(std::move(launch));
    }
    return {};
  }

  Result<std::array<Expr, 3>> dimensions(const Node& node) {
    NP_TRY(node.array());
    if (node.json->empty() || node.json->size() > 3) return node.fail("one to three dimensions are needed");
    std::array<Expr, 3> out{Expr::integer(1), Expr::integer(1), Expr::integer(1)};
    for (size_t k = 0; k < node.json->size(); ++k) {
      NP_ASSIGN(out[k], expr(node[k]));
    }
    return out;
  }

  template <class Item>
  static std::optional<int> indexOf(const std::vector<Item>& items, const std::string& name) {
    for (size_t k = 0; k < items.size(); ++k)
      if (items[k].name == name) return static_cast<int>(k);
    return std::nullopt;
  }

  Result<Argument> argument(const Node& node) {
    if (node.json->is_object()) {
      NP_ASSIGN(StructArg value, structArgument(node));
      return Argument(std::move(value));
    }
    if (node.json->is_string()) {
      const std::string text = node.json->get<std::string>();
      if (auto buffer = indexOf(file_.buffers, text)) return Argument(BufferRef{*buffer});
      if (auto scalar = indexOf(file_.scalars, text)) return Argument(ScalarRef{*scalar});
      if (isIdentifier(text) && !names_.contains(text)) {
        auto close = np::nearest(text, {names_.begin(), names_.end()});
        return node.fail("no buffer, scalar or size is named " + inQuotes(text) +
                             (close ? "; did you mean " + inQuotes(*close) + "?" : ""),
                         "unknown-name");
      }
    }
    NP_ASSIGN(Expr value, expr(node));
    return Argument(std::move(value));
  }

  Result<StructArg> structArgument(const Node& node) {
    NP_TRY(node.object({"struct!"}));
    NP_TRY(node["struct"].array());
    StructArg out;
    for (size_t k = 0; k < node["struct"].json->size(); ++k) {
      const Node at = node["struct"][k];
      NP_TRY(at.object({"type!", "value!"}));
      StructField field;
      NP_ASSIGN(field.type, type(at["type"]));
      const Node value = at["value"];
      if (value.json->is_number_float()) {
        if (!isFloat(field.type)) return value.fail("a field of integer type needs an integer");
        field.value = value.json->get<double>();
      } else {
        NP_ASSIGN(Argument resolved, argument(value));
        if (auto* scalar = std::get_if<ScalarRef>(&resolved)) {
          field.value = *scalar;
        } else if (auto* expr = std::get_if<Expr>(&resolved)) {
          field.value = std::move(*expr);
        } else {
          return value.fail("a struct field is a scalar, a size, an expression or a number");
        }
      }
      out.fields.push_back(std::move(field));
    }
    return out;
  }

  LaunchFile& file_;
  std::set<std::string> names_;
};

std::string lineAndColumn(std::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  const size_t line = 1 + std::count(text.begin(), text.begin() + offset, '\n');
  const size_t line_start = text.substr(0, offset).rfind('\n');
  const size_t column = line_start == std::string_view::npos ? offset + 1 : offset - line_start;
  return std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

Result<LaunchFile> parseLaunchFile(std::string_view text, const std::string& path) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return makeError("launch-file", "not valid JSON: check the text before this place",
                     path + ":" + lineAndColumn(text, error.byte > 0 ? error.byte - 1 : 0));
  } catch (const Json::exception&) {
    return makeError("launch-file", "not valid JSON", path);
  }
  LaunchFile file;
  file.path = path;
  NP_TRY(Reader(file).read(Node{&json, path, ""}));
  return file;
}

Result<LaunchFile> readLaunchFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return makeError("io", "\"" + path + "\" is a folder; give a launch file", path);
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) return makeError("io", "cannot read launch file \"" + path + "\"", path);
  return parseLaunchFile(text.str(), path);
}

}  // namespace np::kernel_port::launch
