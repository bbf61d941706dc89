// Functions outside the generated code, by the names that it calls them: "np.math.exp.f32.n" and the runtime's own.
#pragma once

#include <string>

#include "kernel_port/simt/math_library.h"

namespace np::kernel_port::fast {

using simt::FloatType;

// What a mathematical call is named in generated code.
std::string mathSymbol(std::string_view function, FloatType type, char rounding);
std::string pointerMathSymbol(std::string_view function, FloatType type, int part);
std::string toIntegerSymbol(FloatType type, int width, bool is_signed, char rounding);
std::string fromIntegerSymbol(FloatType type, bool is_signed, char rounding);
std::string convertSymbol(FloatType from, FloatType to, char rounding);

// The address behind such a name; null when there is none.
void* symbolAddress(const std::string& name);

}  // namespace np::kernel_port::fast
