// Function objects of thrust.
#pragma once
#pragma clang system_header
#include "tuple.h"

namespace thrust {
#define NP_OBJECT2(Name, Result, expression)                                                   \
  template <class T = void>                                                                    \
  struct Name {                                                                                \
    typedef T first_argument_type;                                                             \
    typedef T second_argument_type;                                                            \
    typedef Result result_type;                                                                \
    NP_MEMBER constexpr Result operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                           \
  template <>                                                                                  \
  struct Name<void> {                                                                          \
    template <class A, class B>                                                                \
    NP_MEMBER constexpr auto operator()(const A& a, const B& b) const {                        \
      return expression;                                                                       \
    }                                                                                          \
  };
NP_OBJECT2(plus, T, (a + b))
NP_OBJECT2(minus, T, (a - b))
NP_OBJECT2(multiplies, T, (a * b))
NP_OBJECT2(divides, T, (a / b))
NP_OBJECT2(modulus, T, (a % b))
NP_OBJECT2(maximum, T, (a < b ? b : a))
NP_OBJECT2(minimum, T, (b < a ? b : a))
NP_OBJECT2(equal_to, bool, (a == b))
NP_OBJECT2(not_equal_to, bool, (a != b))
NP_OBJECT2(less, bool, (a < b))
NP_OBJECT2(less_equal, bool, (a <= b))
NP_OBJECT2(greater, bool, (a > b))
NP_OBJECT2(greater_equal, bool, (a >= b))
NP_OBJECT2(logical_and, bool, (a && b))
NP_OBJECT2(logical_or, bool, (a || b))
NP_OBJECT2(bit_and, T, (a & b))
NP_OBJECT2(bit_or, T, (a | b))
NP_OBJECT2(bit_xor, T, (a ^ b))
#undef NP_OBJECT2
#define NP_OBJECT1(Name, Result, expression)                                       \
  template <class T = void>                                                        \
  struct Name {                                                                    \
    typedef T argument_type;                                                       \
    typedef Result result_type;                                                    \
    NP_MEMBER constexpr Result operator()(const T& a) const { return expression; } \
  };
NP_OBJECT1(negate, T, (-a))
NP_OBJECT1(logical_not, bool, (!a))
NP_OBJECT1(identity, T, (a))
NP_OBJECT1(square, T, (a * a))
#undef NP_OBJECT1
template <class A, class B, class R>
struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
template <class A, class R>
struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
}  // namespace thrust
