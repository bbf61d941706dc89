// Reads the statements in order and keeps an environment of what each name stands for: a tensor, an integer expression
// over size symbols, or a floating-point expression over parameters. A name whose value is not understood is harmless
// until a launch, an allocation or a return uses it; then the function is refused with that text.
//
// Ranks. A kernel sees flat memory; a launch file needs extents. The rank of a tensor is what the source checks
// (`x.dim() == 2`), else one more than the highest dimension it asks for, and the op then checks that rank itself:
// stricter than the source, never wrong. A tensor of which only numel() is asked is one flat dimension.

#include "kernel_port/host/host_plan.h"

#include <algorithm>
#include <set>

#include "kernel_port/host/host_values.h"

namespace np::kernel_port::host {
namespace {

using analyzer::HostExpr;
using analyzer::HostFunction;
using analyzer::HostStatement;
using Kind = HostExpr::Kind;

Error refuse(const HostFunction& function, const std::string& what, const SourceRange* where = nullptr) {
  Error out = makeError("NPT2920", "the host function \"" + function.name + "\" " + what);
  const SourceRange& at = where ? *where : function.where;
  out.location = at.path + ":" + std::to_string(at.start.line) + ":" + std::to_string(at.start.column);
  out.notes.push_back(
      "give a launch file with --launch for this kernel, or write the sizes with x.size(i), x.numel() and integer "
      "arithmetic");
  return out;
}

class Reader {
 public:
  explicit Reader(const HostFunction& function) : function_(function) {
    plan_.function = function.name, plan_.params = function.params;
  }

  Result<HostPlan> read() {
    for (const analyzer::HostParam& param : function_.params) values_.addParameter(param);
    // Checks first: ranks and equal dimensions hold for the whole function once it got past them.
    NP_TRY(readChecks(function_.body));
    NP_TRY(readStatements(function_.body));
    if (plan_.launches.empty()) return refuse(function_, "launches no kernel on the path that was read");
    if (plan_.returns.empty())
      return refuse(function_, "returns nothing that a kernel wrote; in-place ops are not translated yet");
    NP_TRY(placeBuffers());
    return std::move(plan_);
  }

 private:
  // ---- checks

  Result<void> readChecks(const std::vector<HostStatement>& body) {
    // Ranks before shapes: `grad.sizes() == x.sizes()` may stand before or after `x.dim() == 2`.
    for (const HostStatement& s : body)
      if (s.kind == HostStatement::Kind::Check) noteRank(s.value);
    for (const HostStatement& s : body)
      if (s.kind == HostStatement::Kind::Check) NP_TRY(noteCheck(s, s.value));
    return {};
  }

  void noteRank(const HostExpr& e) {
    if (e.kind == Kind::Binary && e.name == "&&") {
      for (const HostExpr& part : e.args) noteRank(part);
      return;
    }
    if (e.kind != Kind::Binary || e.name != "==" || e.args.size() != 2) return;
    const HostExpr &a = stripped(e.args[0]), &b = stripped(e.args[1]);
    if (a.kind == Kind::Method && (a.name == "dim" || a.name == "ndimension") && b.kind == Kind::Integer)
      if (Tensor* t = values_.tensorOf(a.args[0])) t->rank = static_cast<int>(b.integer_value), t->rank_checked = true;
  }

  Result<void> noteCheck(const HostStatement& s, const HostExpr& e) {
    if (e.kind == Kind::Binary && e.name == "&&") {
      for (const HostExpr& part : e.args) NP_TRY(noteCheck(s, part));
      return {};
    }
    if (isDeviceCheck(e)) return {};
    if (e.kind == Kind::Method && e.name == "is_contiguous" && !e.args.empty()) {
      if (Tensor* t = values_.tensorOf(e.args[0])) {
        t->contiguous = true;
        addCheck(t->name + ".is_contiguous()", s.message);
        return {};
      }
    }
    if (e.kind == Kind::Binary && e.args.size() == 2 && noteComparison(s, e)) return {};
    return refuse(function_, "checks \"" + e.text + "\", which is not understood", &s.where);
  }

  // Which device a tensor is on is the dispatcher's business once the op is registered for one.
  static bool isDeviceCheck(const HostExpr& e) {
    static const std::set<std::string> kNames = {"is_cuda", "is_cpu", "device", "get_device", "defined"};
    const HostExpr& f = stripped(e);
    if (f.kind == Kind::Method) return kNames.contains(f.name) || (!f.args.empty() && isDeviceCheck(f.args[0]));
    if (f.kind == Kind::Binary && f.name == "==") return isDeviceCheck(f.args[0]);
    return false;
  }

  bool noteComparison(const HostStatement& s, const HostExpr& e) {
    const HostExpr &a = stripped(e.args[0]), &b = stripped(e.args[1]);
    if (e.name == "==" && a.kind == Kind::Method && b.kind == Kind::Method && a.name == "sizes" && b.name == "sizes") {
      Tensor *t = values_.tensorOf(a.args[0]), *u = values_.tensorOf(b.args[0]);
      if (!t || !u) return false;
      values_.shapes.sameShape(*t, *u);
      addCheck(t->name + ".shape == " + u->name + ".shape", s.message);
      return true;
    }
    if (e.name == "==" && a.kind == Kind::Method && (a.name == "scalar_type" || a.name == "dtype"))
      return noteDtype(s, a, b);
    if (e.name == "==" && a.kind == Kind::Method && (a.name == "dim" || a.name == "ndimension") &&
        b.kind == Kind::Integer) {
      Tensor* t = values_.tensorOf(a.args[0]);
      if (!t) return false;
      addCheck(t->name + ".dim() == " + std::to_string(b.integer_value), s.message);
      return true;
    }
    static const std::set<std::string> kOperators = {"==", "!=", "<", "<=", ">", ">="};
    const auto x = values_.integer(e.args[0]), y = values_.integer(e.args[1]);
    if (!x || !y || !kOperators.contains(e.name)) return false;
    if (e.name == "==" && x->symbol >= 0 && y->symbol >= 0)
      values_.shapes.unite(x->symbol, y->symbol);
    else
      plan_.where.push_back(x->text + " " + e.name + " " + y->text);
    addCheck(dimensionText(a, *x) + " " + e.name + " " + dimensionText(b, *y), s.message);
    return true;
  }

  // A size query is written out as Python asks for it: its symbol may be read from another tensor.
  std::string dimensionText(const HostExpr& e, const IntValue& value) {
    if (e.kind != Kind::Method || value.symbol < 0) return value.python;
    const Tensor* t = values_.tensorOf(e.args[0]);
    if (e.name == "numel") return t->name + ".numel()";
    return t->name + ".shape[" +
           std::to_string(stripped(e.args[1]).kind == Kind::Integer
                              ? stripped(e.args[1]).integer_value
                              : -stripped(stripped(e.args[1]).args[0]).integer_value) +
           "]";
  }

  bool noteDtype(const HostStatement& s, const HostExpr& a, const HostExpr& b) {
    Tensor* t = values_.tensorOf(a.args[0]);
    if (!t) return false;
    if (b.kind == Kind::Method && b.name == a.name) {
      Tensor* u = values_.tensorOf(b.args[0]);
      if (!u) return false;
      addCheck(t->name + ".dtype == " + u->name + ".dtype", s.message);
      return true;
    }
    const std::string type = scalarTypeConstant(b);
    if (type.empty() || torchDtype(type).empty()) return false;
    t->dtype = type;
    addCheck(t->name + ".dtype == " + torchDtype(type), s.message);
    return true;
  }

  void addCheck(const std::string& python, const std::string& message) {
    for (const PlannedCheck& check : plan_.checks)
      if (check.python == python) return;
    plan_.checks.push_back({python, message.empty() ? python : message});
  }

  // ---- statements

  Result<void> readStatements(const std::vector<HostStatement>& body) {
    for (const HostStatement& s : body) {
      if (returned_) break;
      switch (s.kind) {
        case HostStatement::Kind::Check:
        case HostStatement::Kind::Ignored:
          break;
        case HostStatement::Kind::Let:
          readLet(s);
          break;
        case HostStatement::Kind::Dispatch:
          dispatched_ = true;
          NP_TRY(readChecks(s.body));
          NP_TRY(readStatements(s.body));
          break;
        case HostStatement::Kind::Launch:
          NP_TRY(readLaunch(s));
          break;
        case HostStatement::Kind::Return:
          NP_TRY(readReturn(s));
          break;
        case HostStatement::Kind::Assign:
        case HostStatement::Kind::If:
        case HostStatement::Kind::Unknown:
          return refuse(function_, "does \"" + firstLine(s.text) + "\", which is not understood", &s.where);
      }
    }
    return {};
  }

  static std::string firstLine(const std::string& text) {
    return text.substr(0, std::min<std::size_t>(text.find('\n'), 100));
  }

  void readLet(const HostStatement& s) {
    if (readAllocation(s)) return;
    if (Tensor* t = values_.tensorOf(s.value)) {
      values_.aliases[s.name] = t->name;
      return;
    }
    if (auto value = values_.integer(s.value)) {
      if (value->symbol >= 0 && values_.shapes.nameSymbol(value->symbol, s.name)) {
      }
      values_.integers[s.name] = *value;
      return;
    }
    if (auto value = values_.floating(s.value)) {
      if (s.type == "float") value->type = "f32";
      values_.floats[s.name] = *value;
      return;
    }
    if (s.type.find("dim3") != std::string::npos && readDim3(s)) return;
  }

  bool readDim3(const HostStatement& s) {
    const HostExpr& value = s.value;
    std::vector<std::string> parts;
    for (const HostExpr& arg : value.args) {
      const auto part = values_.integer(arg);
      if (!part) return false;
      parts.push_back(part->text);
    }
    if (parts.empty() || parts.size() > 3) return false;
    dims_[s.name] = parts;
    return true;
  }

  bool readAllocation(const HostStatement& s) {
    const HostExpr& e = stripped(s.value);
    if (e.kind != Kind::Call || e.args.empty()) return false;
    const std::string name = e.name.substr(e.name.rfind(':') == std::string::npos ? 0 : e.name.rfind(':') + 1);
    const bool like = name.ends_with("_like");
    const std::string base = like ? name.substr(0, name.size() - 5) : name;
    if (base != "empty" && base != "zeros") return false;
    Tensor out;
    out.name = s.name;
    out.fill = base;
    out.contiguous = true;
    if (like) {
      Tensor* model = values_.tensorOf(e.args[0]);
      if (!model) return false;
      out.shape_of = model->name;
      out.dtype = model->dtype;
    } else {
      if (e.args[0].kind != Kind::List) return false;
      for (const HostExpr& extent : e.args[0].args) {
        const auto value = values_.integer(extent);
        if (!value) return false;
        out.dim_text.push_back(value->text);
        out.dim_python.push_back(value->python);
      }
      out.rank = static_cast<int>(out.dim_text.size());
    }
    values_.shapes.add(out);
    return true;
  }

  Result<void> readLaunch(const HostStatement& s) {
    PlannedLaunch launch;
    launch.kernel = dispatched_ ? substituted(s.kernel) : s.kernel;
    NP_ASSIGN(launch.grid, dimensions(s, s.grid));
    NP_ASSIGN(launch.block, dimensions(s, s.block));
    const auto shared = values_.integer(s.shared);
    if (!shared)
      return refuse(function_, "launches with shared memory \"" + s.shared.text + "\", which is not understood",
                    &s.where);
    launch.shared = shared->text;
    for (const HostExpr& arg : s.args) {
      NP_ASSIGN(std::string text, argument(s, arg));
      launch.args.push_back(std::move(text));
    }
    plan_.launches.push_back(std::move(launch));
    return {};
  }

  // AT_DISPATCH is translated for float: the op then accepts float32 only.
  static std::string substituted(std::string kernel) {
    for (std::size_t at = 0; (at = kernel.find("scalar_t", at)) != std::string::npos; at += 5)
      kernel.replace(at, 8, "float");
    return kernel;
  }

  Result<std::vector<std::string>> dimensions(const HostStatement& s, const std::vector<HostExpr>& exprs) {
    std::vector<std::string> out;
    for (const HostExpr& e : exprs) {
      if (e.kind == Kind::Name && exprs.size() == 1 && dims_.contains(e.name)) {
        out = dims_[e.name];
        break;
      }
      const auto value = values_.integer(e);
      if (!value) return refuse(function_, "launches with \"" + e.text + "\", which is not understood", &s.where);
      out.push_back(value->text);
    }
    out.resize(3, "1");
    return out;
  }

  Result<std::string> argument(const HostStatement& s, const HostExpr& raw) {
    const HostExpr& e = stripped(raw);
    if (e.kind == Kind::Method &&
        (e.name == "data_ptr" || e.name == "const_data_ptr" || e.name == "mutable_data_ptr") && !e.args.empty()) {
      Tensor* t = values_.tensorOf(e.args[0]);
      if (!t) return refuse(function_, "passes \"" + e.text + "\", which is not understood", &s.where);
      const std::string type = dispatched_ && elementType(e.type).empty() ? "f32" : elementType(e.type);
      if (type.empty())
        return refuse(function_, "passes \"" + e.text + "\" of a type that is not understood", &s.where);
      if (!t->dtype.empty() && t->dtype != type && t->shape_of.empty())
        return refuse(function_, "passes \"" + e.text + "\" as " + type + " though it is " + t->dtype, &s.where);
      t->dtype = type;
      used_.push_back(t->name);
      return t->name;
    }
    if (const auto value = values_.integer(raw)) return value->text;
    if (const auto value = values_.floating(raw)) return scalarName(*value);
    return refuse(function_, "passes \"" + raw.text + "\", which is not understood", &s.where);
  }

  std::string scalarName(const FloatValue& value) {
    for (const PlannedScalar& scalar : plan_.scalars)
      if (scalar.python == value.python && scalar.type == value.type) return scalar.name;
    const bool is_name = std::all_of(value.python.begin(), value.python.end(),
                                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }) &&
                         !std::isdigit(static_cast<unsigned char>(value.python[0]));
    const std::string name = is_name ? value.python : "scalar" + std::to_string(plan_.scalars.size());
    plan_.scalars.push_back({name, value.type, value.python});
    return name;
  }

  Result<void> readReturn(const HostStatement& s) {
    returned_ = true;
    const HostExpr& e = stripped(s.value);
    std::vector<const HostExpr*> values;
    if (e.kind == Kind::List || (e.kind == Kind::Call && e.name.ends_with("make_tuple")))
      for (const HostExpr& part : e.args) values.push_back(&part);
    else
      values.push_back(&e);
    for (const HostExpr* value : values) {
      Tensor* t = values_.tensorOf(*value);
      if (!t) return refuse(function_, "returns \"" + value->text + "\", which is not understood", &s.where);
      plan_.returns.push_back(t->name);
    }
    return {};
  }

  // ---- buffers

  Result<void> placeBuffers() {
    std::vector<std::string> order;
    for (const std::string& name : used_)
      if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
    for (const std::string& name : plan_.returns)
      if (std::find(order.begin(), order.end(), name) == order.end())
        return refuse(function_, "returns \"" + name + "\", which no kernel was given");
    for (const std::string& name : order) NP_TRY(placeBuffer(*values_.shapes.find(name)));
    for (int symbol : values_.shapes.groups()) {
      const std::string name = values_.shapes.symbolName(symbol);
      if (isUsed(symbol)) plan_.sizes.push_back({name, values_.shapes.symbolPython(symbol)});
    }
    forEachText([&](std::string& text) { values_.resolve(text); });
    return {};
  }

  Result<void> placeBuffer(Tensor& t) {
    PlannedBuffer out;
    out.name = t.name;
    out.type = t.dtype;
    const bool returned = std::find(plan_.returns.begin(), plan_.returns.end(), t.name) != plan_.returns.end();
    if (t.is_param) {
      if (returned)
        return refuse(function_, "returns its argument \"" + t.name + "\"; in-place ops are not translated yet");
      out.role = "in";
      out.init = t.dtype[0] == 'f' || t.dtype[0] == 'b' ? "normal" : "zeros";
      out.tensor = values_.made_contiguous.contains(t.name) ? t.name + ".contiguous()" : t.name;
      if (!t.contiguous) addCheck(t.name + ".is_contiguous()", t.name + " must be contiguous");
      addCheck(t.name + ".dtype == " + torchDtype(t.dtype), t.name + " must be " + torchDtype(t.dtype));
    } else {
      const bool zeroed = t.fill == "zeros";
      out.role = zeroed ? "inout" : returned ? "out" : "scratch";
      if (zeroed) out.init = "zeros";
    }
    Tensor* shaped = &t;
    while (!shaped->shape_of.empty()) shaped = values_.shapes.find(shaped->shape_of);
    if (!shaped->dim_text.empty()) {
      out.extent = shaped->dim_text;
      out.shape_python = "(" + joined(shaped->dim_python) + ",)";
    } else {
      if (!shaped->rank && !shaped->dims.empty()) shaped->rank = static_cast<int>(shaped->dims.size());
      if (shaped->is_param && shaped->rank && !shaped->rank_checked)
        addCheck(shaped->name + ".dim() == " + std::to_string(*shaped->rank),
                 shaped->name + " must have " + std::to_string(*shaped->rank) + " dimensions");
      out.flattened = !shaped->rank;
      if (out.flattened)
        out.extent = {values_.symbolValue(values_.shapes.elementCount(*shaped)).text};
      else
        for (int d = 0; d < *shaped->rank; ++d)
          out.extent.push_back(values_.symbolValue(values_.shapes.dimension(*shaped, d)).text);
      out.shape_python = shaped->name + ".shape";
    }
    plan_.buffers.push_back(std::move(out));
    return {};
  }

  static std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
    return out;
  }

  // Symbols stand in the texts as \x01id\x02 until all equalities are known.
  template <class F>
  void forEachText(F&& f) {
    for (PlannedBuffer& b : plan_.buffers) {
      for (std::string& e : b.extent) f(e);
      f(b.shape_python);
    }
    for (PlannedLaunch& l : plan_.launches) {
      for (std::string& e : l.grid) f(e);
      for (std::string& e : l.block) f(e);
      for (std::string& e : l.args) f(e);
      f(l.shared);
    }
    for (std::string& e : plan_.where) f(e);
    for (PlannedCheck& c : plan_.checks) f(c.python);
  }

  bool isUsed(int symbol) {
    bool used = false;
    forEachText([&](std::string& text) { used |= values_.mentions(text, symbol); });
    return used;
  }

  const HostFunction& function_;
  HostPlan plan_;
  Values values_;
  std::map<std::string, std::vector<std::string>> dims_;
  std::vector<std::string> used_;
  bool dispatched_ = false, returned_ = false;
};

}  // namespace

Result<HostPlan> planHost(const HostFunction& function) { return Reader(function).read(); }

}  // namespace np::kernel_port::host
