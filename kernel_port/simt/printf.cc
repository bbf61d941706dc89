// Device printf: the format string and a buffer of naturally aligned 4- and 8-byte slots. Each conversion is handed to
// the host's snprintf by itself, rebuilt from its parsed parts, so that no format of the kernel reaches it unchecked.

#include <cstdio>

#include "kernel_port/simt/machine.h"

namespace np::kernel_port::simt {

std::string Machine::textAt(Thread& thread, uint64_t address, size_t limit) {
  std::string out;
  for (; out.size() < limit; ++address) {
    const uint64_t number = address >> kRegionShift;
    const uint64_t offset = (address & ((uint64_t{1} << kRegionShift) - 1)) - kRegionMiddle;
    if (number == kNullRegion || number >= regions_.size() || offset >= regions_[number].size) break;
    const uint8_t* data = number == kLocalRegion ? thread.local.data() : regions_[number].data;
    if (data[offset] == 0) break;
    out += static_cast<char>(data[offset]);
  }
  return out;
}

std::string Machine::format(Thread& thread, uint64_t format, uint64_t arguments, uint32_t place) {
  const std::string text = textAt(thread, format, 4096);
  std::string out;
  uint64_t at = arguments;
  const auto next = [&](uint32_t size) {
    at = (at + size - 1) / size * size;
    const uint64_t value = load(thread, at, size, size, place);
    at += size;
    return value;
  };
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      out += text[k];
      continue;
    }
    if (k + 1 < text.size() && text[k + 1] == '%') {
      out += '%';
      ++k;
      continue;
    }
    std::string spec = "%";
    size_t end = k + 1;
    for (; end < text.size() && std::string_view("-+ #0123456789.*").find(text[end]) != std::string_view::npos; ++end) {
      if (text[end] == '*') {
        spec += std::to_string(static_cast<int>(next(4)) % 1000);
      } else {
        spec += text[end];
      }
    }
    bool wide = false;
    for (; end < text.size() && std::string_view("hlzjt").find(text[end]) != std::string_view::npos; ++end)
      wide |= text[end] != 'h';
    if (end >= text.size() || spec.size() > 12) {
      out += text.substr(k);
      break;
    }
    char buffer[1200] = "";
    switch (const char kind = text[end]) {
      case 'd':
      case 'i': {
        const long long value = wide ? static_cast<long long>(next(8)) : static_cast<int32_t>(next(4));
        std::snprintf(buffer, sizeof buffer, (spec + "lld").c_str(), value);
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        std::snprintf(buffer, sizeof buffer, (spec + "ll" + kind).c_str(),
                      static_cast<unsigned long long>(wide ? next(8) : next(4)));
        break;
      case 'c':
        std::snprintf(buffer, sizeof buffer, (spec + "c").c_str(), static_cast<int>(next(4)));
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const uint64_t bits = next(8);
        double value;
        std::memcpy(&value, &bits, 8);
        std::snprintf(buffer, sizeof buffer, (spec + kind).c_str(), value);
        break;
      }
      case 's': {
        const std::string value = textAt(thread, next(8), 1000);
        std::snprintf(buffer, sizeof buffer, (spec + "s").c_str(), value.c_str());
        break;
      }
      case 'p':
        std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(next(8)));
        break;
      default:
        out += text.substr(k, end + 1 - k);
    }
    out += buffer;
    k = end;
  }
  return out;
}

}  // namespace np::kernel_port::simt
