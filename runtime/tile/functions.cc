// Arithmetic of the engines. All of it is fp32, as documented; transcendental functions are computed in double and
// rounded, so that they are right to the last bit but one and our own error never decides a comparison.
//
// Not modelled: the piecewise polynomials of ScalarE, flushing of denormals (undocumented), stochastic rounding.
#include "runtime/tile/functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace np::tile {
namespace {

constexpr double kPi = std::numbers::pi;

float maximumOf(float a, float b) { return (a > b || std::isnan(b)) ? a : b; }
float minimumOf(float a, float b) { return (a < b || std::isnan(b)) ? a : b; }
float truth(bool value) { return value ? 1.0f : 0.0f; }

template <class F>
void loop(const float* a, int64_t a_step, const float* b, int64_t b_step, int64_t count, float* out, F f) {
  if (a_step == 1 && b_step == 1) {
    for (int64_t i = 0; i < count; ++i) out[i] = f(a[i], b[i]);
  } else if (a_step == 1 && b_step == 0) {
    const float value = *b;
    for (int64_t i = 0; i < count; ++i) out[i] = f(a[i], value);
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = f(a[i * a_step], b[i * b_step]);
  }
}

// Calls run(f) with the scalar function behind `op`.
template <class Run>
void dispatchBinary(Function op, Run run) {
  switch (op) {
    case Function::kAdd:
      return run([](float a, float b) { return a + b; });
    case Function::kSubtract:
      return run([](float a, float b) { return a - b; });
    case Function::kMultiply:
      return run([](float a, float b) { return a * b; });
    case Function::kMaximum:
      return run(maximumOf);
    case Function::kMinimum:
      return run(minimumOf);
    case Function::kAbsMax:
      return run([](float a, float b) { return maximumOf(std::abs(a), std::abs(b)); });
    case Function::kAbsMin:
      return run([](float a, float b) { return minimumOf(std::abs(a), std::abs(b)); });
    case Function::kPower:
      return run([](float a, float b) { return static_cast<float>(std::pow(double{a}, double{b})); });
    case Function::kEqual:
      return run([](float a, float b) { return truth(a == b); });
    case Function::kNotEqual:
      return run([](float a, float b) { return truth(a != b); });
    case Function::kGreater:
      return run([](float a, float b) { return truth(a > b); });
    case Function::kGreaterEqual:
      return run([](float a, float b) { return truth(a >= b); });
    case Function::kLess:
      return run([](float a, float b) { return truth(a < b); });
    case Function::kLessEqual:
      return run([](float a, float b) { return truth(a <= b); });
    case Function::kLogicalAnd:
      return run([](float a, float b) { return truth(a != 0 && b != 0); });
    case Function::kLogicalOr:
      return run([](float a, float b) { return truth(a != 0 || b != 0); });
    case Function::kLogicalXor:
      return run([](float a, float b) { return truth((a != 0) != (b != 0)); });
    case Function::kAbs:
      return run([](float a, float) { return std::abs(a); });
    case Function::kSquare:
      return run([](float a, float) { return a * a; });
    case Function::kRelu:
      return run([](float a, float) { return maximumOf(a, 0.0f); });
    case Function::kReciprocal:
      return run([](float a, float) { return 1.0f / a; });
    case Function::kRsqrt:
      return run([](float a, float) { return static_cast<float>(1.0 / std::sqrt(double{a})); });
    default:
      return run([](float, float) { return std::nanf(""); });  // the verifier admits no other
  }
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double normalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double normalPdf(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * kPi); }
// x * f(x) where f falls to 0 faster than x grows: at -inf the product is 0, not NaN.
double times(double x, double f) { return f == 0 ? (std::isnan(x) ? x : 0.0) : x * f; }
double tanhGelu(double x) { return 0.5 * times(x, 1 + std::tanh(std::sqrt(2 / kPi) * (x + 0.044715 * x * x * x))); }
double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double siluDx(double x) { return sigmoid(x) + times(x, sigmoid(x) * sigmoid(-x)); }

double activate(Function f, double x) {
  switch (f) {
    case Function::kSigmoid:
      return sigmoid(x);
    case Function::kGelu:
      return times(x, normalCdf(x));
    case Function::kGeluDx:
      return normalCdf(x) + times(x, normalPdf(x));
    case Function::kGeluApprxTanh:
      return tanhGelu(x);
    case Function::kGeluApprxSigmoid:
      return times(x, sigmoid(1.702 * x));
    case Function::kGeluApprxSigmoidDx:
      return sigmoid(1.702 * x) + times(1.702 * x, sigmoid(1.702 * x) * sigmoid(-1.702 * x));
    case Function::kSilu:
      return times(x, sigmoid(x));
    case Function::kSiluDx:
      return siluDx(x);
    case Function::kTanh:
      return std::tanh(x);
    case Function::kSoftplus:
      return softplus(x);
    case Function::kMish:
      return times(x, std::tanh(softplus(x)));
    case Function::kErf:
      return std::erf(x);
    case Function::kErfDx:
      return 2 / std::sqrt(kPi) * std::exp(-x * x);
    case Function::kExp:
      return std::exp(x);
    case Function::kSign:
      return std::isnan(x) ? x : (x > 0) - (x < 0);
    case Function::kLog:
      return std::log(x);
    case Function::kSin:
      return std::sin(x);
    case Function::kArctan:
      return std::atan(x);
    case Function::kSqrt:
      return std::sqrt(x);
    case Function::kRsqrt:
      return 1 / std::sqrt(x);
    case Function::kReciprocal:
      return 1 / x;
    default:
      return std::nan("");
  }
}

template <class F>
void rowOf(const float* x, int64_t count, float* out, F f) {
  for (int64_t i = 0; i < count; ++i) out[i] = f(x[i]);
}

bool within(double x, int low_exponent, int high_exponent) {
  return x >= std::ldexp(1.0, low_exponent) && x <= std::ldexp(1.0, high_exponent);
}

}  // namespace

void applyBinary(Function op, const float* a, int64_t a_step, const float* b, int64_t b_step, int64_t count,
                 float* out) {
  dispatchBinary(op, [&](auto f) { loop(a, a_step, b, b_step, count, out, f); });
}

float applyBinary(Function op, float a, float b) {
  float out = 0;
  dispatchBinary(op, [&](auto f) { out = f(a, b); });
  return out;
}

int64_t applyInteger(Function op, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
    case Function::kAdd:
      return static_cast<int64_t>(ua + ub);
    case Function::kSubtract:
      return static_cast<int64_t>(ua - ub);
    case Function::kMultiply:
      return static_cast<int64_t>(ua * ub);
    case Function::kMaximum:
      return std::max(a, b);
    case Function::kMinimum:
      return std::min(a, b);
    case Function::kEqual:
      return a == b;
    case Function::kNotEqual:
      return a != b;
    case Function::kGreater:
      return a > b;
    case Function::kGreaterEqual:
      return a >= b;
    case Function::kLess:
      return a < b;
    case Function::kLessEqual:
      return a <= b;
    case Function::kLogicalAnd:
      return a != 0 && b != 0;
    case Function::kLogicalOr:
      return a != 0 || b != 0;
    case Function::kLogicalXor:
      return (a != 0) != (b != 0);
    case Function::kBitwiseAnd:
      return a & b;
    case Function::kBitwiseOr:
      return a | b;
    case Function::kBitwiseXor:
      return a ^ b;
    case Function::kInvert:
      return ~a;
    case Function::kLeftShift:
      return ub > 31 ? 0 : static_cast<int64_t>(ua << ub);
    case Function::kRightShift:
      return ub > 31 ? 0 : static_cast<int64_t>((ua & 0xffffffffu) >> ub);  // logical
    default:
      return 0;
  }
}

void applyActivation(Function f, const float* x, int64_t count, float* out) {
  switch (f) {
    case Function::kCopy:
      return rowOf(x, count, out, [](float v) { return v; });
    case Function::kSquare:
      return rowOf(x, count, out, [](float v) { return v * v; });
    case Function::kRelu:
      return rowOf(x, count, out, [](float v) { return maximumOf(v, 0.0f); });
    case Function::kAbs:
      return rowOf(x, count, out, [](float v) { return std::abs(v); });
    case Function::kExp:
      return rowOf(x, count, out, [](float v) { return std::exp(v); });
    default:
      return rowOf(x, count, out, [f](float v) { return static_cast<float>(activate(f, v)); });
  }
}

bool inActivationRange(Function f, float x) {
  switch (f) {
    case Function::kLog:
      return within(x, -64, 64);
    case Function::kSin:
      return std::abs(double{x}) <= kPi;
    case Function::kArctan:
      return std::abs(double{x}) <= kPi / 2;
    case Function::kSqrt:
      return within(x, -116, 118);
    case Function::kRsqrt:
      return within(x, -87, 97);
    case Function::kReciprocal:
      return within(std::abs(x), -42, 42);
    default:
      return true;
  }
}

float reduceRow(Function op, const float* x, int64_t count) {
  float out = x[0];
  if (op == Function::kAdd && count >= 16) {  // eight partial sums: no order is documented
    float partial[8] = {};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
      for (int lane = 0; lane < 8; ++lane) partial[lane] += x[i + lane];
    }
    for (int lane = 4; lane > 0; lane /= 2) {
      for (int k = 0; k < lane; ++k) partial[k] += partial[k + lane];
    }
    for (out = partial[0]; i < count; ++i) out += x[i];
    return out;
  }
  dispatchBinary(op, [&](auto f) {
    for (int64_t i = 1; i < count; ++i) out = f(out, x[i]);
  });
  return out;
}

}  // namespace np::tile
