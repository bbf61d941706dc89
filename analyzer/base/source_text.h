// SourceText: the bytes of one file with a line index. Every position in the product is a byte offset into it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np {

using Offset = std::uint32_t;

// Half-open byte interval.
struct Range {
  Offset start = 0;
  Offset end = 0;
  bool empty() const { return start == end; }
  bool contains(Range other) const { return start <= other.start && other.end <= end; }
  bool operator==(const Range&) const = default;
  auto operator<=>(const Range&) const = default;
};

// 1-based; `column` counts Unicode code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  Offset offset = 0;
  bool operator==(const Position&) const = default;
};

class SourceText {
 public:
  SourceText() = default;
  // `path` is relative to the project root, with '/' separators.
  SourceText(std::string path, std::string bytes);

  // Errors: "io" (cannot be read), "not-utf8", "too-large" (over `max_bytes`).
  static Result<SourceText> read(const std::string& file, std::string path, std::size_t max_bytes = 16u << 20);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view slice(Range range) const;
  Position position(Offset offset) const;
  // 0-based line number of a byte offset, and the extent of a line without its terminator.
  std::uint32_t lineOf(Offset offset) const;
  Range lineRange(std::uint32_t line) const;
  std::uint32_t lineCount() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  // Length of a UTF-8 byte order mark at the start: 0 or 3.
  Offset bomLength() const;

 private:
  std::string path_;
  std::string bytes_;
  std::vector<Offset> line_starts_{0};
};

// True when `bytes` is valid UTF-8 (no overlong forms, no surrogates).
bool isValidUtf8(std::string_view bytes);

}  // namespace np
