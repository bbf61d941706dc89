// Canonical text of immediates: the shortest decimal that gives the same value back.
#pragma once

#include <string>
#include <string_view>

namespace np::tile {

// "0.1", "1.0", "-3e38", "inf", "nan". With `exact` the text gives the same double, else the same float where the value
// is one (0.1f is then "0.1").
std::string numberText(double value, bool exact = false);
// Rounds to the nearest float, as instructions hold fp32 immediates.
double asFloat(double value);

}  // namespace np::tile
