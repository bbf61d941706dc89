// ScalarType, its C++ types, kFloat and its kin, Scalar, TypeMeta, Layout, MemoryFormat.
#pragma once
#pragma clang system_header
#include <cstdint>
#include <optional>

#include "bfloat16.h"
#include "complex.h"
#include "half.h"

// F(C++ type, name): in the order of the enumeration.
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(F) \
  F(uint8_t, Byte)                             \
  F(int8_t, Char)                              \
  F(int16_t, Short)                            \
  F(int, Int)                                  \
  F(int64_t, Long)                             \
  F(c10::Half, Half)                           \
  F(float, Float)                              \
  F(double, Double)                            \
  F(c10::complex<c10::Half>, ComplexHalf)      \
  F(c10::complex<float>, ComplexFloat) F(c10::complex<double>, ComplexDouble) F(bool, Bool)

namespace c10 {
struct alignas(1) Float8_e4m3fn {
  uint8_t x;
  __host__ __device__ Float8_e4m3fn() = default;
  __host__ __device__ Float8_e4m3fn(float value);
  __host__ __device__ operator float() const;
};
struct alignas(1) Float8_e5m2 {
  uint8_t x;
  __host__ __device__ Float8_e5m2() = default;
  __host__ __device__ Float8_e5m2(float value);
  __host__ __device__ operator float() const;
};

enum class ScalarType : int8_t {
  Byte = 0,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Bool,
  QInt8,
  QUInt8,
  QInt32,
  BFloat16,
  QUInt4x2,
  QUInt2x4,
  Bits1x8,
  Bits2x4,
  Bits4x2,
  Bits8,
  Bits16,
  Float8_e5m2,
  Float8_e4m3fn,
  Float8_e5m2fnuz,
  Float8_e4m3fnuz,
  UInt16,
  UInt32,
  UInt64,
  Undefined = 46,
  NumOptions
};
template <class Type>
struct CppTypeToScalarType;
template <ScalarType type>
struct np_scalar_cpp_type;
#define NP_SCALAR(Type, name)                               \
  template <>                                               \
  struct CppTypeToScalarType<Type> {                        \
    static constexpr ScalarType value = ScalarType::name;   \
    constexpr operator ScalarType() const { return value; } \
  };                                                        \
  template <>                                               \
  struct np_scalar_cpp_type<ScalarType::name> {             \
    using type = Type;                                      \
  };                                                        \
  constexpr ScalarType k##name = ScalarType::name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(NP_SCALAR)
NP_SCALAR(c10::BFloat16, BFloat16)
NP_SCALAR(c10::Float8_e5m2, Float8_e5m2)
NP_SCALAR(c10::Float8_e4m3fn, Float8_e4m3fn)
NP_SCALAR(uint16_t, UInt16)
NP_SCALAR(uint32_t, UInt32)
NP_SCALAR(uint64_t, UInt64)
#undef NP_SCALAR
namespace impl {
template <ScalarType type>
struct ScalarTypeToCPPType : np_scalar_cpp_type<type> {};
template <ScalarType type>
using ScalarTypeToCPPTypeT = typename np_scalar_cpp_type<type>::type;
}  // namespace impl
constexpr ScalarType kQInt8 = ScalarType::QInt8, kQUInt8 = ScalarType::QUInt8, kQInt32 = ScalarType::QInt32;
constexpr ScalarType kU8 = kByte, kI8 = kChar, kI16 = kShort, kI32 = kInt, kI64 = kLong, kF16 = kHalf, kF32 = kFloat;
constexpr ScalarType kF64 = kDouble, kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong;
constexpr ScalarType kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;

const char* toString(ScalarType type);
std::ostream& operator<<(std::ostream& out, ScalarType type);
size_t elementSize(ScalarType type);
bool isIntegralType(ScalarType type, bool include_bool);
bool isFloatingType(ScalarType type);
bool isComplexType(ScalarType type);
bool isReducedFloatingType(ScalarType type);
bool isFloat8Type(ScalarType type);
ScalarType promoteTypes(ScalarType a, ScalarType b);

enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, Jagged, NumOptions };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse, kSparseCsr = Layout::SparseCsr;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };

}  // namespace c10
namespace caffe2 {
class TypeMeta {
 public:
  TypeMeta() = default;
  TypeMeta(c10::ScalarType type) : type_(type) {}
  template <class Type>
  static TypeMeta Make();
  size_t itemsize() const;
  c10::ScalarType toScalarType() const { return type_; }
  const char* name() const;
  bool operator==(const TypeMeta& other) const { return type_ == other.type_; }
  bool operator!=(const TypeMeta& other) const { return type_ != other.type_; }
  friend bool operator==(const TypeMeta& a, c10::ScalarType b) { return a.type_ == b; }
  friend bool operator==(c10::ScalarType a, const TypeMeta& b) { return a == b.type_; }
  friend bool operator!=(const TypeMeta& a, c10::ScalarType b) { return a.type_ != b; }
  friend bool operator!=(c10::ScalarType a, const TypeMeta& b) { return a != b.type_; }
  friend std::ostream& operator<<(std::ostream& out, const TypeMeta& type);

 private:
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};
}  // namespace caffe2
namespace c10 {
inline ScalarType typeMetaToScalarType(caffe2::TypeMeta type) { return type.toScalarType(); }
caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType type);

// A number of any scalar type.
class Scalar {
 public:
  Scalar() = default;
#define NP_SCALAR(Type, name) \
  Scalar(Type value);         \
  Type to##name() const;
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(NP_SCALAR)
  NP_SCALAR(c10::BFloat16, BFloat16)
#undef NP_SCALAR
  Scalar(unsigned long value);
  Scalar(unsigned int value);
  Scalar(long long value);
  template <class Type>
  Type to() const;
  bool isFloatingPoint() const;
  bool isIntegral(bool include_bool) const;
  bool isComplex() const;
  bool isBoolean() const;
  Scalar operator-() const;
  ScalarType type() const;
};
}  // namespace c10
