// One line of progress on stderr, shown only on a terminal and only after half a second.
#pragma once

#include <chrono>
#include <string>

#include "cli/term/terminal.h"

namespace np::cli {

class Progress {
 public:
  explicit Progress(Terminal terminal) : terminal_(terminal), started_(std::chrono::steady_clock::now()) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Replaces the line.
  void show(const std::string& text);
  void clear();

 private:
  Terminal terminal_;
  std::chrono::steady_clock::time_point started_;
  bool shown_ = false;
};

}  // namespace np::cli
