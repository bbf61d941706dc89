// NPT5105 cuda-container-image; NPT5101 for images of Python itself
//
// `FROM nvidia/cuda:…`, `image: pytorch/pytorch:…-cuda…`. AWS publishes Deep Learning Containers for Neuron.

#include <cctype>

#include "analyzer/rules/environment/environment_file.h"
#include "analyzer/rules/environment/versions.h"

namespace np::analyzer {
namespace {

bool isCudaImage(const std::string& image) {
  if (image.starts_with("nvidia/") || image.find("/nvidia/") != std::string::npos ||
      image.find("nvcr.io") != std::string::npos)
    return true;
  const auto tag = image.rfind(':');
  return tag != std::string::npos &&
         (image.find("cuda", tag) != std::string::npos || image.find("-cu1", tag) != std::string::npos ||
          image.find("-gpu", tag) != std::string::npos);
}

// "python:3.8-slim" → "3.8".
std::string_view pythonTag(std::string_view image) {
  if (!image.starts_with("python:")) return {};
  image.remove_prefix(7);
  std::size_t end = 0;
  while (end < image.size() && (std::isdigit(static_cast<unsigned char>(image[end])) || image[end] == '.')) ++end;
  return image.substr(0, end);
}

void judge(EnvironmentFile& file, std::string_view image) {
  image = unquoted(trimmed(image));
  const std::string lower = lowered(image);
  if (isCudaImage(lower)) {
    file.add("NPT5105", image, std::string(image),
             "an image with CUDA; take a Neuron Deep Learning Container or a plain one");
  } else if (const std::string_view version = pythonTag(image); version.size() > 1 && !admitsNeuronPython(version)) {
    file.add("NPT5101", image, std::string(image), "TorchNeuron needs Python 3.12, 3.13 or 3.14");
  }
}

}  // namespace

void containerRules(EnvironmentFile& file) {
  const bool docker = file.kind() == EnvironmentKind::Dockerfile;
  const bool yaml = file.kind() == EnvironmentKind::Yaml || file.kind() == EnvironmentKind::Workflow;
  if (!docker && !yaml) return;
  for (const EnvironmentLine& one : file.lines()) {
    std::string_view line = trimmed(one.text);
    if (docker && lowered(line.substr(0, 5)) == "from ") {
      std::string_view rest = trimmed(line.substr(5));
      if (rest.starts_with("--")) rest = trimmed(rest.substr(std::min(rest.size(), rest.find(' '))));
      judge(file, rest.substr(0, rest.find(' ')));
    }
    // `ARG BASE_IMAGE=nvidia/cuda:…`
    if (docker && lowered(line.substr(0, 4)) == "arg ")
      if (const auto equals = line.find('=');
          equals != std::string_view::npos && line.find(':') != std::string_view::npos)
        judge(file, line.substr(equals + 1));
    if (!yaml) continue;
    if (line.starts_with("- ")) line = trimmed(line.substr(2));
    for (std::string_view key : {"image:", "container:", "base_image:"})
      if (line.starts_with(key) && line.size() > key.size()) judge(file, line.substr(key.size()));
  }
}

}  // namespace np::analyzer
