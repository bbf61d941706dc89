// Canonical text of immediates: the shortest decimal that gives the same value back.
#pragma once

#include <string>
#include <string_view>

namespace np::tile {

// "0.1", "1.0", "-3e38", "inf", "nan"; as float where the value is one, else as double.
std::string numberText(double value);
// Rounds to the nearest float, as instructions hold fp32 immediates.
double asFloat(double value);

}  // namespace np::tile
