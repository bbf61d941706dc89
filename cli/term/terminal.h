// What the terminal can do: colours and width. NO_COLOR, FORCE_COLOR and TERM are honoured.
#pragma once

#include <string>
#include <string_view>

namespace np::cli {

enum class Style { Plain, Bold, Dim, Red, Yellow, Green, Blue, Cyan };

struct Terminal {
  bool colour = false;
  bool interactive = false;

  // `text` in the style, or unchanged without colour.
  std::string paint(Style style, std::string_view text) const;
};

// For a file descriptor of this process (1: stdout, 2: stderr).
Terminal detectTerminal(int fd);

}  // namespace np::cli
