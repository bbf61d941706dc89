// Rewrites its line in place; a pipe or a log file never sees it.

#include "cli/term/progress.h"

#include <cstdio>

namespace np::cli {

void Progress::show(const std::string& text) {
  using std::chrono::milliseconds;
  if (!terminal_.interactive || std::chrono::steady_clock::now() - started_ < milliseconds(500)) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace np::cli
