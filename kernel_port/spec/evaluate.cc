// Vector evaluation of a Spec.
//
// A node's value is an array over its free axes that are not fixed. A statement's domain axes are all open; a reduction
// runs its axis from 0 to its extent with the axis fixed, accumulating arrays over the open axes, so memory is the size
// of the output, never of the reduction. Values that depend on no fixed axis are kept, others live for one step of the
// innermost fixed axis they see. Bounds (first-order rounding) ride along as a second array.
#include "kernel_port/spec/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernel_port/spec/derivative.h"
#include "kernel_port/spec/fold.h"

namespace np::kernel_port::spec {
namespace {

// An array over `axes` (ascending, row-major); empty `bound` means exact.
struct Value {
  std::vector<Axis> axes;
  std::vector<double> data;
  std::vector<double> bound;
};

constexpr int64_t kOpenLimit = 1 << 18;  // elements of a body that is evaluated as one array

// Visits every point of a box in row-major order and keeps, for each operand, its offset there.
class Walk {
 public:
  Walk(std::vector<int64_t> extents, std::vector<std::vector<int64_t>> strides)
      : extents_(std::move(extents)),
        strides_(std::move(strides)),
        point_(extents_.size(), 0),
        at_(strides_.size(), 0) {}

  int64_t at(size_t operand) const { return at_[operand]; }
  const std::vector<int64_t>& point() const { return point_; }

  void next() {
    for (size_t axis = extents_.size(); axis-- > 0;) {
      for (size_t k = 0; k < at_.size(); ++k) at_[k] += strides_[k][axis];
      if (++point_[axis] < extents_[axis]) return;
      for (size_t k = 0; k < at_.size(); ++k) at_[k] -= strides_[k][axis] * extents_[axis];
      point_[axis] = 0;
    }
  }

 private:
  std::vector<int64_t> extents_;
  std::vector<std::vector<int64_t>> strides_;
  std::vector<int64_t> point_, at_;
};

class Evaluator {
 public:
  Evaluator(const Spec& spec, const Inputs& inputs, Precision precision, bool with_bound)
      : spec_(spec), inputs_(inputs), precision_(precision), with_bound_(with_bound) {}

  Result<Outputs> run() {
    NP_TRY(checkInputs());
    Outputs out;
    for (const Stmt& stmt : spec_.stmts) NP_TRY(statement(stmt, out));
    return out;
  }

 private:
  Result<void> checkInputs() {
    for (const std::string& size : spec_.sizes) {
      const auto found = inputs_.sizes.find(size);
      if (found == inputs_.sizes.end()) return bad("size \"" + size + "\" has no value");
      if (found->second < 1)
        return bad("size \"" + size + "\" is " + std::to_string(found->second) + ", sizes are at least 1");
    }
    for (const SizeCondition& condition : spec_.where) {
      if (!condition.holds(inputs_.sizes)) return bad("the sizes break \"" + condition.text() + "\"");
    }
    for (const Scalar& scalar : spec_.scalars) {
      if (!inputs_.scalars.count(scalar.name)) return bad("scalar \"" + scalar.name + "\" has no value");
    }
    for (const Buffer& buffer : spec_.buffers) {
      shapes_[buffer.name] = {};
      int64_t count = 1;
      for (const SizeExpr& extent : buffer.extents) {
        shapes_[buffer.name].push_back(extent.evaluate(inputs_.sizes));
        count *= shapes_[buffer.name].back();
      }
      if (buffer.role == Role::Out) continue;
      const auto found = inputs_.buffers.find(buffer.name);
      if (found == inputs_.buffers.end()) return bad("buffer \"" + buffer.name + "\" is not given");
      if (found->second.shape != shapes_[buffer.name] || static_cast<int64_t>(found->second.data.size()) != count) {
        return bad("buffer \"" + buffer.name + "\" has another shape than the sizes say");
      }
    }
    return {};
  }

  Result<void> statement(const Stmt& stmt, Outputs& outputs) {
    extents_.clear();
    fixed_.clear();
    memo_.clear();
    int64_t points = 1;
    for (size_t i = 0; i < stmt.domain.size(); ++i) {
      extents_[static_cast<Axis>(i)] = stmt.domain[i].evaluate(inputs_.sizes);
      points *= std::max<int64_t>(0, extents_[static_cast<Axis>(i)]);
    }
    Output& out = outputs[stmt.out];
    if (out.written.empty()) start(stmt.out, out);
    if (points == 0) return {};
    NP_ASSIGN(const Value* value, eval(stmt.value));
    std::vector<Axis> domain;
    for (size_t i = 0; i < stmt.domain.size(); ++i) domain.push_back(static_cast<Axis>(i));
    Walk walk(extentsOf(domain), {stridesIn(*value, domain)});
    for (int64_t n = 0; n < points; ++n, walk.next()) {
      const std::vector<int64_t>& point = walk.point();
      int64_t at = 0;
      for (size_t d = 0; d < stmt.index.size(); ++d) {
        int64_t index = stmt.index[d].offset.evaluate(inputs_.sizes);
        for (const auto& [axis, factor] : stmt.index[d].terms) index += factor * point[static_cast<size_t>(axis)];
        const int64_t extent = out.values.shape[d];
        if (index < 0 || index >= extent) return outside(stmt.out, d, index, extent);
        at = at * extent + index;
      }
      if (out.written[at]) return bad("two statements or points write one element of \"" + stmt.out + "\"");
      out.written[at] = 1;
      const int64_t from = walk.at(0);
      out.values.data[at] = value->data[from];
      if (with_bound_ && !value->bound.empty()) out.bound[at] = value->bound[from];
    }
    return {};
  }

  void start(const std::string& name, Output& out) {
    const Buffer& buffer = *spec_.buffer(name);
    out.values.shape = shapes_[name];
    int64_t count = 1;
    for (int64_t extent : out.values.shape) count *= extent;
    if (buffer.role == Role::InOut) {
      out.values.data = inputs_.buffers.at(name).data;
    } else {
      out.values.data.assign(count, std::numeric_limits<double>::quiet_NaN());
    }
    out.written.assign(count, 0);
    if (with_bound_) out.bound.assign(count, 0.0);
  }

  Error bad(std::string message) const { return makeError("spec-evaluate", std::move(message)); }
  Error outside(const std::string& buffer, size_t dim, int64_t index, int64_t extent) const {
    return bad("index " + std::to_string(index) + " of \"" + buffer + "\" dimension " + std::to_string(dim) +
               " is outside 0.." + std::to_string(extent - 1));
  }

  std::vector<int64_t> extentsOf(const std::vector<Axis>& axes) const {
    std::vector<int64_t> out;
    for (Axis axis : axes) out.push_back(extents_.at(axis));
    return out;
  }

  int64_t count(const std::vector<Axis>& axes) const {
    int64_t out = 1;
    for (Axis axis : axes) out *= extents_.at(axis);
    return out;
  }

  std::vector<Axis> openAxes(AxisSet free) const {
    std::vector<Axis> out;
    for (Axis axis = 0; axis < kAxisEnd; ++axis) {
      if ((free & axisBit(axis)) && !fixed_.count(axis)) out.push_back(axis);
    }
    return out;
  }

  // Stride in `value` of each of `axes`; 0 where the value does not depend on the axis.
  std::vector<int64_t> stridesIn(const Value& value, const std::vector<Axis>& axes) const {
    std::map<Axis, int64_t> stride;
    int64_t step = 1;
    for (size_t i = value.axes.size(); i-- > 0;) {
      stride[value.axes[i]] = step;
      step *= extents_.at(value.axes[i]);
    }
    std::vector<int64_t> out;
    for (Axis axis : axes) out.push_back(stride.count(axis) ? stride[axis] : 0);
    return out;
  }

  bool sees(Expr e) const {
    if (e->free & bound_) return true;
    for (const auto& [axis, at] : fixed_) {
      if (e->depends(axis)) return true;
    }
    return false;
  }

  Result<const Value*> eval(Expr e) {
    auto& memo = sees(e) ? step_ : memo_;
    if (const auto found = memo.find(e); found != memo.end()) return &found->second;
    NP_ASSIGN(Value value, compute(e));
    auto& store = sees(e) ? step_ : memo_;
    return &(store[e] = std::move(value));
  }

  Result<Value> compute(Expr e) {
    switch (e->op) {
      case Op::Const:
        return uniform(e->value);
      case Op::Param:
        return uniform(roundToType(inputs_.scalars.at(e->name), e->type));
      case Op::Size:
        return uniform(static_cast<double>(e->size.evaluate(inputs_.sizes)));
      case Op::Coord:
        return coordinate(e->coord());
      case Op::Load:
        return load(e);
      case Op::Red:
        return reduce(e);
      case Op::Rec:
        return recurrence(e);
      default:
        return pointwise(e);
    }
  }

  static Value uniform(double value) { return Value{{}, {value}, {}}; }

  Value coordinate(const Aff& aff) const {
    Value out;
    out.axes = openAxes(aff.axes());
    const int64_t n = count(out.axes);
    out.data.resize(n);
    int64_t base = aff.offset.evaluate(inputs_.sizes);
    for (const auto& [axis, at] : fixed_) base += aff.factor(axis) * at;
    std::vector<int64_t> factors;
    for (Axis axis : out.axes) factors.push_back(aff.factor(axis));
    Walk walk(extentsOf(out.axes), {factors});
    for (int64_t i = 0; i < n; ++i, walk.next()) out.data[i] = static_cast<double>(base + walk.at(0));
    return out;
  }

  Result<Value> load(Expr e) {
    const Array& source = inputs_.buffers.at(e->name);
    Value out;
    out.axes = openAxes(e->free);
    const int64_t n = count(out.axes);
    out.data.resize(n);
    if (loadInside(e, source, out)) return out;
    std::vector<Value> indices;
    std::vector<std::vector<int64_t>> strides;
    for (const Dim& dim : e->dims) {
      if (dim.arg >= 0) {
        NP_ASSIGN(const Value* index, eval(e->args[dim.arg]));
        indices.push_back(*index);
      } else {
        indices.push_back(coordinate(dim.aff));
      }
      strides.push_back(stridesIn(indices.back(), out.axes));
    }
    Walk walk(extentsOf(out.axes), strides);
    for (int64_t i = 0; i < n; ++i, walk.next()) {
      int64_t at = 0;
      bool inside = true;
      for (size_t d = 0; d < indices.size(); ++d) {
        const int64_t from = walk.at(d);
        const auto index = static_cast<int64_t>(indices[d].data[from]);
        if (index < 0 || index >= source.shape[d]) {
          if (!e->padded && !masked_) return outside(e->name, d, index, source.shape[d]);
          inside = false;
        }
        at = at * source.shape[d] + index;
      }
      // Under a mask a stray read is not an error where the mask is false; NaN shows it where the mask is true.
      out.data[i] = inside ? source.data[at] : (e->padded ? e->value : std::numeric_limits<double>::quiet_NaN());
    }
    return out;
  }

  // The common case: affine indices that stay inside over the whole box.
  bool loadInside(Expr e, const Array& source, Value& out) const {
    int64_t base = 0, pitch = 1;
    std::vector<int64_t> strides(out.axes.size(), 0);
    for (size_t d = e->dims.size(); d-- > 0;) {
      if (e->dims[d].arg >= 0) return false;
      const Aff& aff = e->dims[d].aff;
      int64_t at = aff.offset.evaluate(inputs_.sizes);
      for (const auto& [axis, fixed] : fixed_) at += aff.factor(axis) * fixed;
      int64_t low = at, high = at;
      for (size_t a = 0; a < out.axes.size(); ++a) {
        const int64_t factor = aff.factor(out.axes[a]), reach = factor * (extents_.at(out.axes[a]) - 1);
        (reach < 0 ? low : high) += reach;
        strides[a] += factor * pitch;
      }
      if (low < 0 || high >= source.shape[d]) return false;
      base += at * pitch;
      pitch *= source.shape[d];
    }
    Walk walk(extentsOf(out.axes), {strides});
    for (double& value : out.data) value = source.data[base + walk.at(0)], walk.next();
    return true;
  }

  double rounded(double value, DType type) const {
    return precision_ == Precision::Exact && isFloat(type) ? value : roundToType(value, type);
  }

  Result<Value> pointwise(Expr e) {
    std::vector<const Value*> args;
    const bool outer_masked = masked_;
    for (Expr arg : e->args) {
      // A branch of a select may read outside where the other one is taken.
      if (e->op == Op::Sel && !args.empty()) masked_ = true;
      NP_ASSIGN(const Value* value, eval(arg));
      args.push_back(value);
    }
    masked_ = outer_masked;
    Value out;
    out.axes = openAxes(e->free);
    const int64_t n = count(out.axes);
    out.data.resize(n);
    if (with_bound_) out.bound.resize(n);
    std::vector<std::vector<int64_t>> strides;
    for (const Value* arg : args) strides.push_back(stridesIn(*arg, out.axes));
    std::vector<double> values(args.size()), bounds(args.size());
    Walk walk(extentsOf(out.axes), strides);
    for (int64_t i = 0; i < n; ++i, walk.next()) {
      for (size_t k = 0; k < args.size(); ++k) {
        values[k] = args[k]->data[walk.at(k)];
        bounds[k] = args[k]->bound.empty() ? 0.0 : args[k]->bound[walk.at(k)];
      }
      out.data[i] = rounded(apply(e, values), e->type);
      if (with_bound_) out.bound[i] = nodeBound(e, values, bounds, out.data[i]);
    }
    return out;
  }

  static double apply(Expr e, const std::vector<double>& v) {
    switch (e->op) {
      case Op::Bin:
        return applyBin(e->bin(), !isFloat(e->type), v[0], v[1]);
      case Op::Un:
        return applyUn(e->un(), v[0]);
      case Op::Cmp:
        return foldCmp(e->cmp(), v[0], v[1]) ? 1 : 0;
      case Op::Logic:
        if (e->logic() == LogicOp::Not) return v[0] == 0 ? 1 : 0;
        return (e->logic() == LogicOp::And ? v[0] != 0 && v[1] != 0 : v[0] != 0 || v[1] != 0) ? 1 : 0;
      case Op::Sel:
        return v[0] != 0 ? v[1] : v[2];
      default:
        return v[0];  // Cast: the caller rounds
    }
  }

  Result<Value> reduce(Expr e) {
    const int64_t extent = e->size.evaluate(inputs_.sizes);
    Value out;
    out.axes = openAxes(e->free);
    const int64_t n = count(out.axes);
    const double identity = e->red() == RedOp::Sum ? 0.0 : (e->red() == RedOp::Max ? -INFINITY : INFINITY);
    out.data.assign(n, identity);
    std::vector<double> magnitude, terms;
    if (with_bound_) out.bound.assign(n, 0.0), magnitude.assign(n, 0.0), terms.assign(n, 0.0);

    const auto outer_fixed = fixed_;
    const auto outer_extents = extents_;
    const AxisSet outer_bound = bound_;
    auto outer_step = std::move(step_);
    const bool outer_masked = masked_;
    // Small ones run with the axis open, in one vector; large ones with the axis fixed, step by step.
    const bool open = n * extent <= kOpenLimit;
    for (int64_t k = 0; k < extent; k += open ? extent : 1) {
      fixed_.erase(e->axis);
      if (open) {
        extents_[e->axis] = extent;
        bound_ |= axisBit(e->axis);
      } else {
        fixed_[e->axis] = k;
      }
      step_.clear();
      // What depends on outer fixed axes only is computed again for each k: such bodies are rare and small.
      Value mask{{}, {1.0}, {}};
      if (e->mask()) {
        NP_ASSIGN(const Value* m, eval(e->mask()));
        mask = *m;
        masked_ = true;
      }
      NP_ASSIGN(const Value* body, eval(e->args[0]));
      accumulate(e, *body, mask, open ? extent : 1, out, magnitude, terms);
    }
    fixed_ = outer_fixed;
    extents_ = outer_extents;
    bound_ = outer_bound;
    step_ = std::move(outer_step);
    masked_ = outer_masked;
    if (with_bound_ && e->red() == RedOp::Sum) {
      const double u = unitRoundoff(e->type);
      for (int64_t i = 0; i < n; ++i) out.bound[i] += terms[i] * u * magnitude[i];
    }
    return out;
  }

  // Adds `count` steps of the reduced axis, in order, to every element of `out`.
  void accumulate(Expr e, const Value& body, const Value& mask, int64_t count, Value& out,
                  std::vector<double>& magnitude, std::vector<double>& terms) const {
    const int64_t n = static_cast<int64_t>(out.data.size());
    const int64_t step = stridesIn(body, {e->axis})[0], mask_step = stridesIn(mask, {e->axis})[0];
    Walk walk(extentsOf(out.axes), {stridesIn(body, out.axes), stridesIn(mask, out.axes)});
    for (int64_t i = 0; i < n; ++i, walk.next()) {
      double value = out.data[i];
      for (int64_t k = 0; k < count; ++k) {
        if (mask.data[walk.at(1) + k * mask_step] == 0) continue;
        const int64_t at = walk.at(0) + k * step;
        const double term = body.data[at], bound = body.bound.empty() ? 0.0 : body.bound[at];
        if (e->red() == RedOp::Sum) {
          value = rounded(value + term, e->type);
          if (with_bound_) out.bound[i] += bound, magnitude[i] += std::fabs(term), terms[i] += 1;
        } else {
          value = e->red() == RedOp::Max ? std::fmax(value, term) : std::fmin(value, term);
          if (with_bound_) out.bound[i] = std::max(out.bound[i], bound);
        }
      }
      out.data[i] = value;
    }
  }

  // h along one open axis: the three arrays are evaluated over all of it, then scanned.
  Result<Value> recurrence(Expr e) {
    if (fixed_.count(e->axis)) return bad("a recurrence along an axis that is being reduced is not evaluated");
    Value parts[3];
    for (int i = 0; i < 3; ++i) {
      NP_ASSIGN(const Value* part, eval(e->args[i]));
      parts[i] = *part;
    }
    Value out;
    out.axes = openAxes(e->free);
    const int64_t n = count(out.axes);
    out.data.resize(n);
    if (with_bound_) out.bound.resize(n);
    std::vector<std::vector<int64_t>> strides;
    for (const Value& part : parts) strides.push_back(stridesIn(part, out.axes));
    const size_t along = std::find(out.axes.begin(), out.axes.end(), e->axis) - out.axes.begin();
    const int64_t step = stridesIn(out, {e->axis})[0];
    const double u = unitRoundoff(e->type);
    Walk walk(extentsOf(out.axes), strides);
    for (int64_t i = 0; i < n; ++i, walk.next()) {
      double v[3], b[3];
      for (int k = 0; k < 3; ++k) {
        const int64_t at = walk.at(static_cast<size_t>(k));
        v[k] = parts[k].data[at];
        b[k] = parts[k].bound.empty() ? 0.0 : parts[k].bound[at];
      }
      const bool first = walk.point()[along] == 0;
      const double before = first ? v[2] : out.data[i - step];
      const double product = rounded(v[0] * before, e->type);
      out.data[i] = rounded(product + v[1], e->type);
      if (with_bound_) {
        const double carried = first ? b[2] : out.bound[i - step];
        out.bound[i] = std::fabs(v[0]) * carried + std::fabs(before) * b[0] + b[1] +
                       u * (std::fabs(product) + std::fabs(out.data[i]));
      }
    }
    return out;
  }

  const Spec& spec_;
  const Inputs& inputs_;
  Precision precision_;
  bool with_bound_;
  bool masked_ = false;
  std::map<std::string, std::vector<int64_t>> shapes_;
  std::map<Axis, int64_t> extents_;  // of open axes
  std::map<Axis, int64_t> fixed_;    // axes of the reductions being run
  AxisSet bound_ = 0;                // open axes of the reductions being run
  std::map<Expr, Value> memo_;       // depends on no fixed axis
  std::map<Expr, Value> step_;       // for this step of the innermost reduction
};

}  // namespace

Result<Outputs> evaluateSpec(const Spec& spec, const Inputs& inputs, Precision precision) {
  return Evaluator(spec, inputs, precision, false).run();
}

Result<Outputs> boundSpec(const Spec& spec, const Inputs& inputs) {
  return Evaluator(spec, inputs, Precision::Exact, true).run();
}

}  // namespace np::kernel_port::spec
