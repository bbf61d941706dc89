// .npy, versions 1 to 3: magic, header length, a Python dict literal, raw data. We write version 1 and read row-major
// little-endian arrays of our own element types only; the header's dict is searched for its three keys, not evaluated.

#include "kernel_port/launch/npy.h"

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace np::kernel_port::launch {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

std::string descriptor(ElementType type) {
  if (type == ElementType::Bool) return "|b1";
  const char kind = type == ElementType::BF16 ? 'u' : isFloat(type) ? 'f' : isSigned(type) ? 'i' : 'u';
  const int64_t size = byteSize(type);
  return std::string(size == 1 ? "|" : "<") + kind + std::to_string(size);
}

std::string shapeText(const std::vector<int64_t>& extent) {
  std::string out = "(";
  for (size_t k = 0; k < extent.size(); ++k) out += (k ? ", " : "") + std::to_string(extent[k]);
  return out + (extent.size() == 1 ? ",)" : ")");
}

// The text after "'key':" in the header.
std::optional<std::string_view> valueOf(std::string_view header, std::string_view key) {
  for (char quote : {'\'', '"'}) {
    const size_t at = header.find(quote + std::string(key) + quote);
    if (at == std::string_view::npos) continue;
    const size_t colon = header.find(':', at);
    if (colon == std::string_view::npos) return std::nullopt;
    const size_t start = header.find_first_not_of(' ', colon + 1);
    return start == std::string_view::npos ? std::nullopt : std::optional(header.substr(start));
  }
  return std::nullopt;
}

std::string withoutSpaces(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ') out += c;
  return out;
}

// "(3, 4)" or "(3,)" with spaces taken out, up to the closing parenthesis.
std::string shapeIn(std::string_view value) {
  const size_t end = value.find(')');
  return end == std::string_view::npos ? "" : withoutSpaces(value.substr(0, end + 1));
}

}  // namespace

std::string toNpy(const HostBuffer& buffer) {
  std::string header = "{'descr': '" + descriptor(buffer.type) +
                       "', 'fortran_order': False, 'shape': " + shapeText(buffer.extent) + ", }";
  const size_t fixed = kMagic.size() + 4;
  header.append(63 - (fixed + header.size()) % 64, ' ');  // the data starts at a multiple of 64
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
  return out;
}

Result<HostBuffer> fromNpy(const std::string& data, const BufferPlan& expected, const std::string& path) {
  auto fail = [&](const std::string& what) { return makeError("npy", what, path); };
  if (data.size() < 12 || std::string_view(data).substr(0, 6) != kMagic) return fail("not an .npy file");
  const int version = static_cast<unsigned char>(data[6]);
  if (version < 1 || version > 3) return fail("unknown .npy version " + std::to_string(version));
  const size_t length_bytes = version == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t k = 0; k < length_bytes; ++k) length |= size_t{static_cast<unsigned char>(data[8 + k])} << (8 * k);
  const size_t start = 8 + length_bytes;
  if (length > data.size() - start) return fail("the .npy header is cut off");
  const std::string_view header = std::string_view(data).substr(start, length);

  const auto descr = valueOf(header, "descr"), order = valueOf(header, "fortran_order"),
             shape = valueOf(header, "shape");
  if (!descr || !order || !shape) return fail("the .npy header lacks descr, fortran_order or shape");
  const std::string wanted = descriptor(expected.type);
  const std::string found(descr->substr(1, std::min(descr->size(), descr->find(descr->front(), 1)) - 1));
  if (found != wanted)
    return fail("the array has type \"" + found + "\"; buffer \"" + expected.name + "\" needs \"" + wanted + "\"");
  if (!order->starts_with("False") && expected.extent.size() > 1)
    return fail("the array is column-major; save it with numpy.ascontiguousarray");
  if (shapeIn(*shape) != withoutSpaces(shapeText(expected.extent)))
    return fail("the array has shape " + shapeIn(*shape) + "; buffer \"" + expected.name + "\" needs " +
                shapeText(expected.extent));
  if (static_cast<int64_t>(data.size() - start - length) != expected.bytes())
    return fail("the array holds " + std::to_string(data.size() - start - length) + " bytes, not " +
                std::to_string(expected.bytes()));
  HostBuffer out{expected.name, expected.type, expected.extent, {}};
  out.bytes.assign(data.begin() + start + length, data.end());
  return out;
}

Result<void> writeNpy(const std::string& path, const HostBuffer& buffer) {
  const std::string temporary = path + ".partial";
  {
    std::ofstream out(temporary, std::ios::binary);
    out << toNpy(buffer);
    if (!out.flush()) return makeError("io", "cannot write \"" + path + "\"", path);
  }
  std::error_code failed;
  std::filesystem::rename(temporary, path, failed);
  if (failed) return makeError("io", "cannot write \"" + path + "\": " + failed.message(), path);
  return {};
}

Result<HostBuffer> readNpy(const std::string& path, const BufferPlan& expected) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) return makeError("io", "cannot read \"" + path + "\"", path);
  return fromNpy(text.str(), expected, path);
}

}  // namespace np::kernel_port::launch
