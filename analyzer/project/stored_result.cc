// Every field in order, lengths before texts. The cache's context holds the version of the tool, so there is no format
// version of its own; still, bytes that do not fit are refused rather than trusted.

#include "analyzer/project/stored_result.h"

#include <cstring>
#include <type_traits>

namespace np::analyzer {
namespace {

// One list of fields serves writing and reading.
template <typename Stream>
class Fields {
 public:
  explicit Fields(Stream& stream) : stream_(stream) {}

  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void field(T& value) {
    stream_.raw(&value, sizeof value);
  }
  void field(std::string& text) {
    auto size = static_cast<std::uint32_t>(text.size());
    field(size);
    stream_.resize(text, size);
    if (stream_.ok) stream_.raw(text.data(), size);
  }
  template <typename T>
  void field(std::vector<T>& list) {
    auto size = static_cast<std::uint32_t>(list.size());
    field(size);
    stream_.resize(list, size);
    for (T& item : list) field(item);
  }
  void field(Range& r) { field(r.start), field(r.end); }
  void field(Position& p) { field(p.line), field(p.column), field(p.offset); }
  void field(Edit& e) { field(e.path), field(e.range), field(e.text); }
  void field(Related& r) { field(r.path), field(r.range), field(r.start), field(r.end), field(r.message); }
  void field(Fix& f) {
    field(f.safety), field(f.title), field(f.min_torch), field(f.group), field(f.imports), field(f.edits);
  }
  void field(Finding& f) {
    field(f.rule), field(f.name), field(f.subject), field(f.severity), field(f.effort), field(f.evidence);
    field(f.url), field(f.path), field(f.range), field(f.start), field(f.end), field(f.message), field(f.notes);
    field(f.trace), field(f.fingerprint), field(f.fixes);
  }
  void field(StoredResult& r) { field(r.findings), field(r.partial), field(r.skipped), field(r.unknown_calls); }

 private:
  Stream& stream_;
};

struct Writer {
  std::string out;
  bool ok = true;
  void raw(const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); }
  template <typename T>
  void resize(T&, std::size_t) {}
};

struct Reader {
  std::string_view rest;
  bool ok = true;
  void raw(void* data, std::size_t size) {
    if (size > rest.size()) {
      ok = false;
      std::memset(data, 0, size);
      return;
    }
    std::memcpy(data, rest.data(), size);
    rest.remove_prefix(size);
  }
  // Every item takes at least one byte, so a length beyond the rest is damage.
  template <typename T>
  void resize(T& list, std::size_t size) {
    if (size > rest.size()) ok = false;
    list.resize(ok ? size : 0);
  }
};

}  // namespace

std::string encode(const StoredResult& result) {
  if (result.findings.empty() && result.partial.empty() && result.skipped.empty() && result.unknown_calls == 0)
    return "";
  Writer writer;
  Fields<Writer>(writer).field(const_cast<StoredResult&>(result));  // writing changes nothing
  return std::move(writer.out);
}

std::optional<StoredResult> decode(std::string_view bytes) {
  StoredResult out;
  if (bytes.empty()) return out;
  Reader reader{bytes};
  Fields<Reader>(reader).field(out);
  if (!reader.ok || !reader.rest.empty()) return std::nullopt;
  return out;
}

}  // namespace np::analyzer
