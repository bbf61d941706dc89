// A name carries everything its function is chosen by, so that an object from the cache can be linked without the IR it
// was made from. The mathematical functions are the checked interpreter's own: both engines call the same code.

#include "kernel_port/simt/fast/symbols.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "kernel_port/simt/fast/runtime.h"

namespace np::kernel_port::fast {
namespace {

constexpr std::string_view kTypes[] = {"f32", "f64", "f16", "bf16"};

std::string text(FloatType type) { return std::string(kTypes[static_cast<int>(type)]); }

FloatType floatTypeOf(const std::string& name) {
  for (int k = 0; k < 4; ++k)
    if (kTypes[k] == name) return static_cast<FloatType>(k);
  return FloatType::F32;
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> out{""};
  for (const char c : name) {
    if (c == '.') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

}  // namespace

std::string mathSymbol(std::string_view function, FloatType type, char rounding) {
  return "np.math." + std::string(function) + "." + text(type) + "." + rounding;
}
std::string pointerMathSymbol(std::string_view function, FloatType type, int part) {
  return "np.part." + std::string(function) + "." + text(type) + "." + std::to_string(part);
}
std::string toIntegerSymbol(FloatType type, int width, bool is_signed, char rounding) {
  return "np.toint." + text(type) + "." + std::to_string(width) + "." + (is_signed ? "s" : "u") + "." + rounding;
}
std::string fromIntegerSymbol(FloatType type, bool is_signed, char rounding) {
  return "np.fromint." + text(type) + "." + (is_signed ? "s" : "u") + "." + rounding;
}
std::string convertSymbol(FloatType from, FloatType to, char rounding) {
  return "np.convert." + text(from) + "." + text(to) + "." + rounding;
}

namespace {

// What LLVM's code generator calls on its own account.
void* libraryAddress(const std::string& name) {
  if (name == "memcpy") return reinterpret_cast<void*>(&std::memcpy);
  if (name == "memset") return reinterpret_cast<void*>(&std::memset);
  if (name == "memmove") return reinterpret_cast<void*>(&std::memmove);
  if (name == "fmaf") return reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(&std::fma));
  if (name == "fma") return reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(&std::fma));
  if (name == "fmodf") return reinterpret_cast<void*>(static_cast<float (*)(float, float)>(&std::fmod));
  if (name == "fmod") return reinterpret_cast<void*>(static_cast<double (*)(double, double)>(&std::fmod));
  return nullptr;
}

}  // namespace

void* symbolAddress(const std::string& name) {
  if (void* library = libraryAddress(name)) return library;
  if (void* own = runtimeAddress(name)) return own;
  const std::vector<std::string> part = split(name);
  if (part.size() < 5 || part[0] != "np") return nullptr;
  simt::MathFunction found = nullptr;
  if (part[1] == "math") found = simt::mathFunction(part[2], floatTypeOf(part[3]), part[4][0]);
  if (part[1] == "part") found = simt::pointerMathPart(part[2], floatTypeOf(part[3]), part[4] == "1");
  if (part[1] == "toint" && part.size() == 6)
    found = simt::toInteger(floatTypeOf(part[2]), std::stoi(part[3]), part[4] == "s", part[5][0]);
  if (part[1] == "fromint") found = simt::fromInteger(floatTypeOf(part[2]), part[3] == "s", part[4][0]);
  if (part[1] == "convert") found = simt::convert(floatTypeOf(part[2]), floatTypeOf(part[3]), part[4][0]);
  return reinterpret_cast<void*>(found);
}

}  // namespace np::kernel_port::fast
