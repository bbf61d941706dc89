// The order of the switches follows no-color.org: NO_COLOR wins, then FORCE_COLOR, then whether it is a terminal.

#include "cli/term/terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace np::cli {
namespace {

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

const char* code(Style style) {
  switch (style) {
    case Style::Bold:
      return "1";
    case Style::Dim:
      return "2";
    case Style::Red:
      return "1;31";
    case Style::Yellow:
      return "33";
    case Style::Green:
      return "32";
    case Style::Blue:
      return "34";
    case Style::Cyan:
      return "36";
    case Style::Plain:
      break;
  }
  return "0";
}

}  // namespace

std::string Terminal::paint(Style style, std::string_view text) const {
  if (!colour || style == Style::Plain) return std::string(text);
  return std::string("\x1b[") + code(style) + "m" + std::string(text) + "\x1b[0m";
}

Terminal detectTerminal(int fd) {
  Terminal out;
  out.interactive = isatty(fd) != 0;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  if (isSet("NO_COLOR")) return out;
  out.colour = isSet("FORCE_COLOR") || (out.interactive && !dumb);
  return out;
}

}  // namespace np::cli
