// Reads only what is needed off the JSON: cell types and sources, the version and the kernel's language. A general JSON
// library does not say where in the file a string stands, and edits must leave every other byte of the notebook alone.
//
// The cells become one text because a notebook is one namespace: `import torch` in the first cell serves the last.

#include "analyzer/python/notebook.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analyzer/python/notebook_magics.h"

namespace np::analyzer::python {
namespace {

void appendUtf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

// A decoded string with the place of every byte.
struct Decoded {
  std::string text;
  std::vector<std::pair<Offset, Offset>> places;
};

// Walks JSON without building it. Every read returns false on anything that is not what it asks for.
class JsonWalker {
 public:
  explicit JsonWalker(std::string_view bytes) : bytes_(bytes) {}

  bool take(char c) {
    skipBlanks();
    if (at_ >= bytes_.size() || bytes_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool peek(char c) {
    skipBlanks();
    return at_ < bytes_.size() && bytes_[at_] == c;
  }

  bool string(Decoded& out) {
    if (!take('"')) return false;
    while (at_ < bytes_.size() && bytes_[at_] != '"')
      if (!character(out)) return false;
    return take('"');
  }

  // Steps over a value of any kind; nesting costs no call stack.
  bool skipValue() {
    std::size_t depth = 0;
    do {
      skipBlanks();
      if (at_ >= bytes_.size()) return false;
      const char c = bytes_[at_];
      if (c == '"') {
        Decoded ignored;
        if (!string(ignored)) return false;
      } else if (c == '{' || c == '[') {
        ++depth, ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return false;
        --depth, ++at_;
      } else if (c == ',' || c == ':') {
        if (depth == 0) return false;
        ++at_;
      } else {
        while (at_ < bytes_.size() && !std::isspace(static_cast<unsigned char>(bytes_[at_])) &&
               std::string_view("{}[]\",:").find(bytes_[at_]) == std::string_view::npos)
          ++at_;
      }
    } while (depth > 0);
    return true;
  }

  // Calls `each(key)` for every member of an object; it must read the value.
  template <class Each>
  bool object(Each each) {
    if (!take('{')) return false;
    if (take('}')) return true;
    do {
      Decoded key;
      if (!string(key) || !take(':') || !each(key.text)) return false;
    } while (take(','));
    return take('}');
  }

  template <class Each>
  bool array(Each each) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (!each()) return false;
    } while (take(','));
    return take(']');
  }

  bool atEnd() {
    skipBlanks();
    return at_ == bytes_.size();
  }

  int number() {
    skipBlanks();
    int value = -1;
    const auto [end, error] = std::from_chars(bytes_.data() + at_, bytes_.data() + bytes_.size(), value);
    if (error == std::errc()) at_ = static_cast<std::size_t>(end - bytes_.data());
    return value;
  }

 private:
  void skipBlanks() {
    while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
  }

  bool hex(std::size_t at, std::uint32_t& value) const {
    if (at + 4 > bytes_.size()) return false;
    const auto [end, error] = std::from_chars(bytes_.data() + at, bytes_.data() + at + 4, value, 16);
    return error == std::errc() && end == bytes_.data() + at + 4;
  }

  bool character(Decoded& out) {
    const std::size_t start = at_;
    std::string decoded;
    if (bytes_[at_] != '\\') {
      decoded = bytes_[at_++];
    } else {
      if (at_ + 1 >= bytes_.size()) return false;
      const char c = bytes_[at_ + 1];
      at_ += 2;
      constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
      if (c == 'u') {
        std::uint32_t code = 0, low = 0;
        if (!hex(at_, code)) return false;
        at_ += 4;
        const bool is_pair = code >= 0xD800 && code < 0xDC00 && bytes_.substr(at_, 2) == "\\u" && hex(at_ + 2, low);
        if (is_pair && low >= 0xDC00 && low < 0xE000) {
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
          at_ += 6;
        }
        appendUtf8(decoded, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
      } else if (const auto known = kEscapes.find(c); known != std::string_view::npos) {
        decoded = kMeanings[known];
      } else {
        return false;
      }
    }
    for (char byte : decoded) {
      out.text += byte;
      out.places.emplace_back(static_cast<Offset>(start), static_cast<Offset>(at_));
    }
    return true;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

class NotebookReader {
 public:
  explicit NotebookReader(const SourceText& json) : json_(json), walker_(json.bytes()) {}

  Result<Notebook> read() {
    bool has_cells = false;
    const bool whole = walker_.object([&](const std::string& key) {
      if (key == "cells" && !has_cells) {
        has_cells = true;
        return walker_.array([&] { return cell(); });
      }
      if (key == "nbformat") {
        version_ = walker_.number();
        return version_ >= 0;
      }
      return key == "metadata" ? metadata() : walker_.skipValue();
    });
    if (!whole || !walker_.atEnd()) return makeError("not-a-notebook", "not a notebook: its JSON cannot be read");
    if (version_ != 4) return makeError("nbformat", "notebook format " + std::to_string(version_) + ", only 4 is read");
    if (!has_cells) return makeError("not-a-notebook", "not a notebook: it has no \"cells\"");
    if (!language_.empty() && language_ != "python")
      return makeError("not-python", "the notebook's language is \"" + language_ + "\"");
    return std::move(out_);
  }

 private:
  bool metadata() {
    if (!walker_.peek('{')) return walker_.skipValue();
    return walker_.object([&](const std::string& key) {
      const bool names_language = key == "language_info" || key == "kernelspec";
      if (!names_language || !walker_.peek('{')) return walker_.skipValue();
      return walker_.object([&](const std::string& inner) {
        const bool is_name =
            (key == "language_info" && inner == "name") || (key == "kernelspec" && inner == "language");
        if (!is_name || !walker_.peek('"')) return walker_.skipValue();
        Decoded name;
        if (!walker_.string(name)) return false;
        language_ = name.text;
        return true;
      });
    });
  }

  bool cell() {
    bool is_code = false;
    std::vector<Decoded> pieces;
    std::string language;
    const bool whole = walker_.object([&](const std::string& key) {
      if (key == "cell_type" && walker_.peek('"')) {
        Decoded type;
        if (!walker_.string(type)) return false;
        is_code = type.text == "code";
        return true;
      }
      if (key == "metadata") return cellMetadata(language);
      if (key != "source") return walker_.skipValue();
      pieces.clear();
      const auto one = [&] {
        pieces.emplace_back();
        return walker_.string(pieces.back());
      };
      return walker_.peek('[') ? walker_.array(one) : one();
    });
    if (whole && is_code) append(pieces, language.empty() || language == "python");
    return whole;
  }

  // An editor notes there when a cell is written in another language than the notebook.
  bool cellMetadata(std::string& language) {
    if (!walker_.peek('{')) return walker_.skipValue();
    return walker_.object([&](const std::string& key) {
      if (key != "vscode" || !walker_.peek('{')) return walker_.skipValue();
      return walker_.object([&](const std::string& inner) {
        if (inner != "languageId" || !walker_.peek('"')) return walker_.skipValue();
        Decoded name;
        if (!walker_.string(name)) return false;
        language = name.text;
        return true;
      });
    });
  }

  void append(const std::vector<Decoded>& pieces, bool is_python) {
    std::string code;
    for (const Decoded& piece : pieces) {
      ++piece_;
      code += piece.text;
      for (const auto& [start, end] : piece.places) out_.origin_.push_back({start, end, piece_});
    }
    if (!is_python) code.assign(code.size(), ' ');
    out_.unended_cells_ += maskMagics(code) == CellLanguage::Unended;
    const auto start = static_cast<Offset>(out_.code_.size());
    out_.code_ += code + "\n";
    out_.cells_.push_back({start, static_cast<Offset>(out_.code_.size())});
    const Offset after = out_.origin_.empty() ? 0 : out_.origin_.back().end;
    out_.origin_.push_back({after, after, 0});
  }

  const SourceText& json_;
  JsonWalker walker_;
  Notebook out_;
  std::uint32_t piece_ = 0;
  int version_ = -1;
  std::string language_;
};

Result<Notebook> Notebook::parse(const SourceText& json) { return NotebookReader(json).read(); }

Range Notebook::jsonRange(Range code) const {
  if (origin_.empty()) return {0, 0};
  const auto last = static_cast<Offset>(origin_.size() - 1);
  const Offset start = origin_[std::min(code.start, last)].start;
  if (code.empty()) return {start, start};
  return {start, origin_[std::min<Offset>(code.end - 1, last)].end};
}

Offset Notebook::codeOffset(Offset json) const {
  const auto at = std::partition_point(origin_.begin(), origin_.end(), [&](const Origin& o) { return o.end <= json; });
  return static_cast<Offset>(at - origin_.begin());
}

Range Notebook::codeRange(Range json) const {
  const Offset start = codeOffset(json.start);
  if (json.empty()) return {start, start};
  return {start, std::max(start, codeOffset(json.end - 1) + 1)};
}

std::vector<Edit> Notebook::jsonEdits(const Edit& edit) const {
  const Range range = edit.range;
  if (range.end > origin_.size() || range.start > range.end) return {};
  const std::string text = escapedForJson(edit.text);
  if (range.empty()) {
    // Before the character there, or after the one before when the string ends here.
    if (range.start < origin_.size() && origin_[range.start].piece != 0) {
      const Offset at = origin_[range.start].start;
      return {{edit.path, {at, at}, text}};
    }
    if (range.start == 0 || origin_[range.start - 1].piece == 0) return {};
    const Offset at = origin_[range.start - 1].end;
    return {{edit.path, {at, at}, text}};
  }
  std::vector<Edit> out;
  for (Offset at = range.start; at < range.end;) {
    const std::uint32_t piece = origin_[at].piece;
    if (piece == 0) return {};
    Offset end = at;
    while (end < range.end && origin_[end].piece == piece) ++end;
    out.push_back({edit.path, {origin_[at].start, origin_[end - 1].end}, out.empty() ? text : ""});
    at = end;
  }
  return out;
}

std::string escapedForJson(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += c < 0x10 ? "\\u000" : "\\u001";
      out += kDigits[static_cast<std::size_t>(c) % 16];
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace np::analyzer::python
