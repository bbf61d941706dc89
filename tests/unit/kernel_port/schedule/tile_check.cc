#include "tests/unit/kernel_port/schedule/tile_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "kernel_port/spec/evaluate.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/interpret.h"
#include "runtime/tile/verify.h"

namespace np::kernel_port::schedule {
namespace {

using namespace spec;

// f32, f16, bf16 and 8- to 32-bit integers, as stored.
void encode(double value, DType type, std::byte* to) {
  if (type == DType::F32) {
    const auto v = static_cast<float>(value);
    std::memcpy(to, &v, 4);
  } else if (type == DType::F16) {
    const auto v = static_cast<_Float16>(value);
    std::memcpy(to, &v, 2);
  } else if (type == DType::Bf16) {
    const auto v = static_cast<float>(value);
    std::memcpy(to, reinterpret_cast<const std::byte*>(&v) + 2, 2);
  } else {
    const auto v = static_cast<int64_t>(value);
    std::memcpy(to, &v, static_cast<size_t>(dtypeBytes(type)));
  }
}

double decode(const std::byte* from, DType type) {
  if (type == DType::F16) {
    _Float16 v;
    std::memcpy(&v, from, 2);
    return static_cast<double>(v);
  }
  if (type == DType::I32) {
    int32_t v = 0;
    std::memcpy(&v, from, 4);
    return v;
  }
  float v = 0;
  std::memcpy(reinterpret_cast<std::byte*>(&v) + (type == DType::Bf16 ? 2 : 0), from, type == DType::Bf16 ? 2 : 4);
  return v;
}

Inputs makeInputs(const Spec& spec, const SizeValues& sizes, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Inputs out;
  out.sizes = sizes;
  for (const Scalar& scalar : spec.scalars)
    out.scalars[scalar.name] = roundToType(std::fabs(normal(random)) + 0.1, scalar.type);
  for (const Buffer& buffer : spec.buffers) {
    if (buffer.role == Role::Out) continue;
    Array array;
    size_t count = 1;
    for (const SizeExpr& extent : buffer.extents)
      array.shape.push_back(extent.evaluate(sizes)), count *= static_cast<size_t>(array.shape.back());
    for (size_t i = 0; i < count; ++i)
      array.data.push_back(isFloat(buffer.type) ? roundToType(normal(random), buffer.type)
                                                : static_cast<double>(random() % 5));
    out.buffers[buffer.name] = array;
  }
  return out;
}

std::vector<std::byte> bytesOf(const Array& array, DType type) {
  std::vector<std::byte> out(array.data.size() * static_cast<size_t>(dtypeBytes(type)));
  for (size_t i = 0; i < array.data.size(); ++i)
    encode(array.data[i], type, out.data() + i * static_cast<size_t>(dtypeBytes(type)));
  return out;
}

std::string compare(const Spec& spec, const Inputs& inputs, const std::vector<std::vector<std::byte>>& outputs) {
  const auto exact = boundSpec(spec, inputs), native = evaluateSpec(spec, inputs, Precision::Native);
  if (!exact.ok()) return exact.error().text();
  size_t next = 0;
  for (const Buffer& buffer : spec.buffers) {
    if (buffer.role == Role::In) continue;
    const Output& want = exact->at(buffer.name);
    const auto& near = native->at(buffer.name).values.data;
    const auto& bytes = outputs[next++];
    for (size_t i = 0; i < want.values.data.size(); ++i) {
      const double got = decode(bytes.data() + i * static_cast<size_t>(dtypeBytes(buffer.type)), buffer.type);
      const double value = want.values.data[i], allowed = 4 * std::fabs(near[i] - value) + 8 * want.bound[i];
      if (!(std::fabs(got - value) <= allowed)) {
        return "\"" + buffer.name + "\" element " + std::to_string(i) + " is " + std::to_string(got) +
               ", the Spec says " + std::to_string(value) + " within " + std::to_string(allowed);
      }
    }
  }
  return "";
}

}  // namespace

std::string checkAt(const Spec& spec, const tile::TileProgram& program, const SizeValues& sizes, unsigned seed) {
  tile::Bindings bindings(sizes.begin(), sizes.end());
  const auto flat = tile::instantiate(program, bindings);
  if (!flat.ok()) return flat.error().text();
  for (const tile::Hardware& hardware : tile::allHardware()) {
    const auto violations = tile::verify(*flat, hardware);
    if (!violations.empty()) return std::string(hardware.target) + ": " + violations[0].message;
  }
  const Inputs inputs = makeInputs(spec, sizes, seed);
  std::vector<std::vector<std::byte>> in, out;
  for (const Buffer& buffer : spec.buffers) {
    if (buffer.role != Role::Out) in.push_back(bytesOf(inputs.buffers.at(buffer.name), buffer.type));
  }
  for (const Scalar& scalar : spec.scalars)
    in.push_back(bytesOf({{1, 1}, {inputs.scalars.at(scalar.name)}}, scalar.type));
  for (const Buffer& buffer : spec.buffers) {
    if (buffer.role == Role::In) continue;
    size_t bytes = static_cast<size_t>(dtypeBytes(buffer.type));
    for (const SizeExpr& extent : buffer.extents) bytes *= static_cast<size_t>(extent.evaluate(sizes));
    out.emplace_back(bytes);
  }
  std::vector<std::span<const std::byte>> ins(in.begin(), in.end());
  std::vector<std::span<std::byte>> outs(out.begin(), out.end());
  const auto report = tile::interpret(*flat, ins, outs);
  if (!report.ok()) return report.error().text();
  return compare(spec, inputs, out);
}

Spec goldenSpec(const std::string& name) {
  std::ifstream in("tests/golden/specs/" + name + ".spec");
  std::stringstream text;
  text << in.rdbuf();
  auto spec = parseSpec(text.str(), name);
  EXPECT_TRUE(spec.ok()) << spec.error().text();
  return std::move(spec).value();
}

}  // namespace np::kernel_port::schedule
