// Only buffers whose init is `normal` or `uniform` are changed: offsets, indices and constants mean something to the
// kernel.

#include "kernel_port/certify/data.h"

#include <cmath>
#include <limits>
#include <random>

namespace np::kernel_port::certify {
namespace {

bool isRandom(const launch::LaunchFile& file, std::size_t i) {
  const auto& init = file.buffers[i].init;
  return launch::isFloat(file.buffers[i].type) && init &&
         (init->kind == launch::Init::Kind::Normal || init->kind == launch::Init::Kind::Uniform);
}

double changed(DataKind kind, double value, std::mt19937_64& random) {
  switch (kind) {
    case DataKind::Ordinary:
      return value;
    case DataKind::Zeros:
      return 0;
    case DataKind::Tiny:
      return value * 1e-39;
    case DataKind::Large:
      return value * 1024;
    case DataKind::Negative:
      return -std::fabs(value) - 0.5;
    case DataKind::NonFinite: {
      const std::uint64_t pick = random() % 64;
      if (pick == 0) return std::numeric_limits<double>::infinity();
      if (pick == 1) return -std::numeric_limits<double>::infinity();
      if (pick == 2) return std::numeric_limits<double>::quiet_NaN();
      return value;
    }
  }
  return value;
}

}  // namespace

const char* name(DataKind kind) {
  switch (kind) {
    case DataKind::Ordinary:
      return "ordinary";
    case DataKind::Zeros:
      return "zeros";
    case DataKind::Tiny:
      return "subnormal";
    case DataKind::Large:
      return "large";
    case DataKind::Negative:
      return "negative";
    case DataKind::NonFinite:
      return "inf and nan";
  }
  return "";
}

Result<std::vector<launch::HostBuffer>> makeData(const launch::LaunchFile& file, const launch::CasePlan& plan,
                                                 std::uint64_t seed, DataKind kind) {
  NP_ASSIGN(std::vector<launch::HostBuffer> buffers, launch::makeInputs(file, plan, seed));
  std::mt19937_64 random(seed * 7919 + 17);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!isRandom(file, i)) continue;
    const std::int64_t size = launch::byteSize(buffers[i].type);
    for (std::int64_t k = 0; k < buffers[i].elements(); ++k) {
      std::uint8_t* at = buffers[i].bytes.data() + k * size;
      launch::storeElement(buffers[i].type, changed(kind, launch::loadElement(buffers[i].type, at), random), at);
    }
  }
  return buffers;
}

}  // namespace np::kernel_port::certify
