// Non-finite values are compared by kind before any arithmetic: inf - inf would make everything agree. Where the
// rounding bound is infinite float64 says nothing about what 32 bits do (exp(300) is finite in one, infinite in the
// other), so the kind is compared with what was computed in the kernel's own precision.

#include "kernel_port/certify/compare.h"

#include <cmath>
#include <limits>

namespace np::kernel_port::certify {
namespace {

using launch::ElementType;

double largest(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return 65504;
    case ElementType::BF16:
      return 3.3895313892515355e38;
    case ElementType::F64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

double floorOf(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return 16 * 6.103515625e-05;
    case ElementType::F64:
      return 16 * std::numeric_limits<double>::min();
    default:
      return 16 * static_cast<double>(std::numeric_limits<float>::min());
  }
}

// Where no bound exists: equal kinds of non-finite values agree, two finite values say nothing.
Agreement sameKind(double value, double reference) {
  if (std::isfinite(value) && std::isfinite(reference)) return Agreement::Unbounded;
  if (std::isnan(value) || std::isnan(reference))
    return std::isnan(value) && std::isnan(reference) ? Agreement::Yes : Agreement::No;
  return value == reference ? Agreement::Yes : Agreement::No;
}

// Yes or No when either side is not finite, Unbounded when both are finite (then the difference decides).
Agreement byKind(double value, double exact, ElementType type) {
  if (std::isnan(value) || std::isnan(exact))
    return std::isnan(value) && std::isnan(exact) ? Agreement::Yes : Agreement::No;
  if (std::isinf(exact)) return value == exact ? Agreement::Yes : Agreement::No;
  if (std::isinf(value))
    return std::fabs(exact) > largest(type) * (1 - 1e-3) && std::signbit(value) == std::signbit(exact) ? Agreement::Yes
                                                                                                       : Agreement::No;
  return Agreement::Unbounded;
}

}  // namespace

Agreement agreesWithSpec(double cuda, double exact, double native, double bound, ElementType type) {
  if (!launch::isFloat(type)) return cuda == exact ? Agreement::Yes : Agreement::No;
  if (!std::isfinite(bound) && std::isfinite(exact)) return sameKind(cuda, native);
  if (const Agreement kind = byKind(cuda, exact, type); kind != Agreement::Unbounded) return kind;
  return std::fabs(cuda - exact) <= 8 * bound + floorOf(type) ? Agreement::Yes : Agreement::No;
}

Agreement tileAgrees(double tile, double cuda, double exact, double bound, ElementType type) {
  if (!launch::isFloat(type)) return tile == exact ? Agreement::Yes : Agreement::No;
  if (!std::isfinite(bound) && std::isfinite(exact)) return sameKind(tile, cuda);
  if (const Agreement kind = byKind(tile, exact, type); kind != Agreement::Unbounded) return kind;
  const double cuda_error = std::isfinite(cuda) ? std::fabs(cuda - exact) : 0;
  return std::fabs(tile - exact) <= 4 * cuda_error + 8 * bound + floorOf(type) ? Agreement::Yes : Agreement::No;
}

}  // namespace np::kernel_port::certify
