// AT_DISPATCH_*: a switch over scalar types that instantiates the body once for each with scalar_t bound.
#pragma once
#pragma clang system_header
#include "functions.h"

namespace at::np_detail {
inline ScalarType scalarTypeOf(ScalarType type) { return type; }
inline ScalarType scalarTypeOf(const DeprecatedTypeProperties& type) { return type.scalarType(); }
inline ScalarType scalarTypeOf(const caffe2::TypeMeta& type) { return type.toScalarType(); }
}  // namespace at::np_detail
namespace detail {
using at::np_detail::scalarTypeOf;
inline at::ScalarType scalar_type(at::ScalarType type) { return type; }
inline at::ScalarType scalar_type(const at::DeprecatedTypeProperties& type) { return type.scalarType(); }
}  // namespace detail

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                           \
  [&] {                                                               \
    const at::ScalarType _st = ::at::np_detail::scalarTypeOf(TYPE);   \
    constexpr const char* at_dispatch_name = NAME;                    \
    switch (_st) {                                                    \
      __VA_ARGS__                                                     \
      default:                                                        \
        AT_ERROR(at_dispatch_name, " not implemented for this type"); \
    }                                                                 \
  }()
#define AT_DISPATCH_CASE_TMPL(enum_type, alias, ...)                           \
  case enum_type: {                                                            \
    using alias [[maybe_unused]] = c10::impl::ScalarTypeToCPPTypeT<enum_type>; \
    return __VA_ARGS__();                                                      \
  }
#define AT_DISPATCH_CASE(enum_type, ...) AT_DISPATCH_CASE_TMPL(enum_type, scalar_t, __VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...) AT_DISPATCH_CASE_TMPL(enum_type, HINT, __VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE(NAME, enum_type, type, ...) AT_DISPATCH_CASE_TMPL(enum_type, scalar_t, __VA_ARGS__)
#define AT_PRIVATE_CHECK_SELECTIVE_BUILD(enum_type)

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)            \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)          \
  AT_DISPATCH_CASE(at::ScalarType::Byte, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Char, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)  \
  AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES(...)                 \
  AT_DISPATCH_CASE(at::ScalarType::Byte, __VA_ARGS__)   \
  AT_DISPATCH_CASE(at::ScalarType::Char, __VA_ARGS__)   \
  AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)    \
  AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)   \
  AT_DISPATCH_CASE(at::ScalarType::Short, __VA_ARGS__)  \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                    \
  AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...)       \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__)        \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)         \
  AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...)            \
  AT_DISPATCH_CASE(at::ScalarType::Byte, __VA_ARGS__)          \
  AT_DISPATCH_CASE(at::ScalarType::Char, __VA_ARGS__)          \
  AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)           \
  AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)          \
  AT_DISPATCH_CASE(at::ScalarType::Short, __VA_ARGS__)         \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__)        \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)         \
  AT_DISPATCH_CASE(at::ScalarType::ComplexDouble, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)  \
  AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__) \
  AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                          \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND(T1, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                       \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                           \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                               \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                   \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                       \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                 \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                                           \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                     \
                     AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(T1, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)       \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(T1, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(T1, T2, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(T1, T2, T3, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(T1, T2, T3, T4, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                        \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                          \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(T1, T2, T3, T4, T5, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                            \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                              \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(T1, T2, T3, T4, T5, T6, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                  \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND7(T1, T2, T3, T4, T5, T6, T7, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, ...) \
  AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                    \
  AT_DISPATCH_CASE(T1, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T2, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T3, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T4, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T5, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T6, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T7, __VA_ARGS__)                                                      \
  AT_DISPATCH_CASE(T8, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                \
                     AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND8(T1, T2, T3, T4, T5, T6, T7, T8, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_FLOATING_TYPES_AND(at::ScalarType::Half, TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_ALL_TYPES_AND(at::ScalarType::Half, TYPE, NAME, __VA_ARGS__)
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                      \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                      \
                     AT_DISPATCH_CASE_TMPL(at::ScalarType::Int, index_t, __VA_ARGS__) \
                         AT_DISPATCH_CASE_TMPL(at::ScalarType::Long, index_t, __VA_ARGS__))
