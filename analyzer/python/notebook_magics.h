// What IPython reads beside Python in a notebook's cell: magics, shell lines, help.
#pragma once

#include <cstdint>
#include <string>

namespace np::analyzer::python {

enum class CellLanguage : std::uint8_t {
  Python,
  Other,    // %%bash and its like: blanked
  Unended,  // a bracket or a string that the cell does not close: blanked, it would swallow the next cells
};

// Overwrites, byte for byte, what is not Python by something that Python reads and that has no meaning:
//   %matplotlib inline, !ls, torch.nn?     blanks, or `_` where a block needs a statement
//   files = !ls                            files = _
//   %time x = f()                          if 1: x = f()
//   %%time, %%capture out, %%timeit        blanks; the cell below it is Python
CellLanguage maskMagics(std::string& code);

}  // namespace np::analyzer::python
