// Text form of Tile IR: printing and parsing, for the symbolic and the flat form. Grammar: README.md.
#pragma once

#include <string>
#include <string_view>

#include "runtime/tile/flat.h"

namespace np::tile {

std::string print(const TileProgram& program);
// Canonical; parses back by parse() + instantiate(program, {}) to the same text.
std::string printFlat(const FlatProgram& program);
// Errors (code "tile-parse") carry "line N:" and name what was expected.
Result<TileProgram> parse(std::string_view text);
// parse() and instantiate() without sizes: for text that is flat already.
Result<FlatProgram> parseFlat(std::string_view text);

}  // namespace np::tile
