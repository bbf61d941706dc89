// Pieces of Python: expressions, views and arguments of a TileProgram in NKI's spelling.
#pragma once

#include <string>

#include "runtime/tile/program.h"

namespace np::kernel_port::emit {

// "min(128, M - r)"; ceilings as -(-a // b).
std::string exprText(const tile::Expr& expr);
// "N <= 4096".
std::string conditionText(const tile::Condition& condition);
// "x[r:r + r_n, 0:N]", "x.ap([[N, r_n], [1, 1]], offset=0)", with broadcasts.
std::string viewText(const tile::View& view);
// The immediate as Python computes it; an integer literal where `integer`.
std::string numberText(const tile::Number& number, bool integer);
// One nisa call, wrapped at 100 columns under `indent` spaces.
std::string callText(const tile::Instruction& instruction, bool integer_fill, int indent);

// `head` + items joined by ", " + `tail`, broken into indented lines where it is longer than 100 columns.
std::string wrapped(const std::string& head, const std::vector<std::string>& items, const std::string& tail,
                    int indent);

}  // namespace np::kernel_port::emit
