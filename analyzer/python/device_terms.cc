// Joins terms into values. A value with more terms than anyone would read is Unknown besides the first ones.

#include "analyzer/python/device_terms.h"

#include <algorithm>
#include <charconv>

namespace np::analyzer::python {

void join(DeviceTerms& into, DeviceTerms terms) {
  for (DeviceTerm& term : terms) {
    if (std::any_of(into.begin(), into.end(), [&](const DeviceTerm& known) { return known.sameAs(term); })) continue;
    if (into.size() == kMostTerms - 1) term = DeviceTerm{};
    if (into.size() >= kMostTerms) return;
    into.push_back(std::move(term));
  }
}

DeviceTerm termOfWord(std::string_view word) {
  DeviceTerm out;
  const std::size_t colon = std::min(word.find(':'), word.size());
  const std::string_view type = word.substr(0, colon), rest = word.substr(std::min(colon + 1, word.size()));
  if (type == "cuda")
    out.device = Device::Cuda;
  else if (type == "cpu")
    out.device = Device::Cpu;
  else if (type == "neuron" || type == "privateuseone")
    out.device = Device::Neuron;
  int index = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
  const bool is_number = !rest.empty() && error == std::errc() && end == rest.data() + rest.size();
  if (out.device == Device::Cuda && is_number) out.index = index;
  // "cpu: 3 cores" is a sentence.
  if (!rest.empty() && !is_number && out.device != Device::Cuda) out.device = Device::Unknown;
  return out;
}

DeviceValue valueOf(const DeviceTerms& terms) {
  DeviceValue out;
  const DeviceTerm* told = nullptr;
  const auto weight = [](const DeviceTerm& term) {
    switch (term.device) {
      case Device::Cuda:
        return 3;
      case Device::FromConfig:
        return 1;
      case Device::Unknown:
        return 0;
      default:
        return 2;
    }
  };
  bool first_cuda = true;
  for (const DeviceTerm& term : terms) {
    out.kinds |= static_cast<std::uint16_t>(1u << static_cast<unsigned>(term.device));
    if (term.device == Device::Cuda) {
      out.index = first_cuda || out.index == term.index ? term.index : -1;
      first_cuda = false;
    }
    if (!told || weight(term) > weight(*told)) told = &term;
  }
  if (told) out.trace = told->trace;
  return out;
}

std::string toString(const DeviceValue& value) {
  static constexpr const char* kNames[] = {"unset",  "cpu",     "cuda",        "accelerator",
                                           "neuron", "same-as", "from-config", "unknown"};
  std::string out;
  for (unsigned i = 0; i < 8; ++i) {
    if (!(value.kinds & (1u << i))) continue;
    if (!out.empty()) out += ", ";
    out += kNames[i];
    if (i == static_cast<unsigned>(Device::Cuda) && value.index >= 0) out += ":" + std::to_string(value.index);
  }
  return out;
}

}  // namespace np::analyzer::python
