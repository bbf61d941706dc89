// thrust::tuple and thrust::pair are the standard ones: constexpr, hence callable on the device.
#pragma once
#pragma clang system_header
#include <tuple>
#include <utility>

#include "../../cuda_runtime.h"

namespace thrust {
template <class... Types>
using tuple = std::tuple<Types...>;
template <class A, class B>
using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::swap;
using std::tie;
using std::tuple_element;
using std::tuple_size;
}  // namespace thrust
