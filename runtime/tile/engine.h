// Which engines can run an instruction, and which one does when the program does not say.
#pragma once

#include <span>

#include "runtime/tile/flat.h"

namespace np::tile {

std::span<const Engine> enginesOf(Opcode opcode);  // the first is the default
// The engine that the program names, else the one NKI documents as default.
Engine chooseEngine(const FlatProgram& program, const FlatInstruction& instruction);

}  // namespace np::tile
