// Line starts are found once at construction; columns are counted from the line start on demand, because only findings
// that are shown need one. '\r\n', '\n' and lone '\r' end a line, as editors and Python agree.

#include "analyzer/base/source_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace np {
namespace {

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Length of the valid UTF-8 sequence at `i`, 0 when there is none.
std::size_t sequenceLength(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(s[k]); };
  const unsigned char c = byte(i);
  if (c < 0x80) return 1;
  const std::size_t n = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
  if (c < 0xC2 || c > 0xF4 || i + n > s.size()) return 0;
  for (std::size_t k = 1; k < n; ++k)
    if (!isContinuation(s[i + k])) return 0;
  const unsigned char d = byte(i + 1);
  if (c == 0xE0 && d < 0xA0) return 0;  // overlong
  if (c == 0xED && d > 0x9F) return 0;  // surrogate
  if (c == 0xF0 && d < 0x90) return 0;
  if (c == 0xF4 && d > 0x8F) return 0;
  return n;
}

}  // namespace

bool isValidUtf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    // Source is nearly all ASCII: eight bytes at a time.
    while (i + 8 <= bytes.size()) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      if (word & 0x8080808080808080u) break;
      i += 8;
    }
    if (i == bytes.size()) break;
    const std::size_t n = sequenceLength(bytes, i);
    if (n == 0) return false;
    i += n;
  }
  return true;
}

SourceText::SourceText(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {
  const char *begin = bytes_.data(), *end = begin + bytes_.size();
  const bool has_return = std::memchr(begin, '\r', bytes_.size()) != nullptr;
  line_starts_.reserve(bytes_.size() / 32 + 1);
  if (!has_return) {
    for (const char* at = begin; (at = static_cast<const char*>(std::memchr(at, '\n', end - at)));)
      line_starts_.push_back(static_cast<Offset>(++at - begin));
    return;
  }
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    const bool lone_return = bytes_[i] == '\r' && (i + 1 == bytes_.size() || bytes_[i + 1] != '\n');
    if (bytes_[i] == '\n' || lone_return) line_starts_.push_back(static_cast<Offset>(i + 1));
  }
}

Result<SourceText> SourceText::read(const std::string& file, std::string path, std::size_t max_bytes) {
  // Plain system calls: a project has thousands of files, and streams cost as much as the analysis.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return makeError("io", "cannot read \"" + path + "\": " + std::strerror(errno), path);
  const std::unique_ptr<const int, void (*)(const int*)> closer(&fd, [](const int* open) { ::close(*open); });
  struct stat info{};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return makeError("io", "cannot read \"" + path + "\": not a regular file", path);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > max_bytes)
    return makeError("too-large", std::to_string(size) + " bytes, the limit is " + std::to_string(max_bytes), path);
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, bytes.data() + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return makeError("io", "cannot read \"" + path + "\": " + std::strerror(errno), path);
    if (n == 0) return makeError("io", "\"" + path + "\" changed while it was read", path);
    done += static_cast<std::size_t>(n);
  }
  if (!isValidUtf8(bytes)) return makeError("not-utf8", "not valid UTF-8", path);
  return SourceText(std::move(path), std::move(bytes));
}

std::string_view SourceText::slice(Range range) const {
  const std::size_t end = std::min<std::size_t>(range.end, bytes_.size());
  const std::size_t start = std::min<std::size_t>(range.start, end);
  return std::string_view(bytes_).substr(start, end - start);
}

std::uint32_t SourceText::lineOf(Offset offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::uint32_t>(next - line_starts_.begin()) - 1;
}

Range SourceText::lineRange(std::uint32_t line) const {
  if (line >= lineCount()) return {static_cast<Offset>(bytes_.size()), static_cast<Offset>(bytes_.size())};
  const Offset start = line_starts_[line];
  Offset end = line + 1 < lineCount() ? line_starts_[line + 1] : static_cast<Offset>(bytes_.size());
  while (end > start && (bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r')) --end;
  return {start, end};
}

Position SourceText::position(Offset offset) const {
  offset = std::min(offset, static_cast<Offset>(bytes_.size()));
  const std::uint32_t line = lineOf(offset);
  const Offset start = line_starts_[line] + (line == 0 ? std::min(bomLength(), offset) : 0);
  std::uint32_t column = 1;
  for (Offset i = start; i < offset; ++i)
    if (!isContinuation(bytes_[i])) ++column;
  return {line + 1, column, offset};
}

Offset SourceText::bomLength() const { return bytes_.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

}  // namespace np
