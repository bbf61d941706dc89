// Conversions only; no arithmetic happens here.

#include "kernel_port/certify/values.h"

#include <cstring>
#include <span>

#include "runtime/tile/interpret.h"

namespace np::kernel_port::certify {
namespace {

launch::ElementType elementType(tile::Dtype dtype) {
  switch (dtype) {
    case tile::Dtype::kF32:
      return launch::ElementType::F32;
    case tile::Dtype::kF16:
      return launch::ElementType::F16;
    case tile::Dtype::kBf16:
      return launch::ElementType::BF16;
    case tile::Dtype::kI32:
      return launch::ElementType::I32;
    case tile::Dtype::kU32:
      return launch::ElementType::U32;
    case tile::Dtype::kI16:
      return launch::ElementType::I16;
    case tile::Dtype::kU16:
      return launch::ElementType::U16;
    case tile::Dtype::kI8:
      return launch::ElementType::I8;
    case tile::Dtype::kU8:
      return launch::ElementType::U8;
  }
  return launch::ElementType::F32;
}

const launch::HostBuffer* named(const std::vector<launch::HostBuffer>& buffers, const std::string& name) {
  for (const launch::HostBuffer& buffer : buffers)
    if (buffer.name == name) return &buffer;
  return nullptr;
}

double scalarValue(const launch::Scalar& scalar) {
  if (!launch::isFloat(scalar.type)) return static_cast<double>(scalar.integer);
  std::uint8_t bytes[8] = {};
  launch::storeElement(scalar.type, scalar.real, bytes);
  return launch::loadElement(scalar.type, bytes);
}

}  // namespace

spec::Array toArray(const launch::HostBuffer& buffer) {
  spec::Array out;
  out.shape = buffer.extent;
  const std::int64_t size = launch::byteSize(buffer.type);
  out.data.reserve(static_cast<std::size_t>(buffer.elements()));
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    out.data.push_back(launch::loadElement(buffer.type, buffer.bytes.data() + i * size));
  return out;
}

spec::Inputs specInputs(const launch::LaunchFile& file, const launch::CasePlan& plan,
                        const std::vector<launch::HostBuffer>& buffers) {
  spec::Inputs out;
  for (const auto& [name, value] : plan.sizes) out.sizes[name] = value;
  for (const launch::Scalar& scalar : file.scalars) out.scalars[scalar.name] = scalarValue(scalar);
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (plan.buffers[i].role == launch::Role::In || plan.buffers[i].role == launch::Role::InOut)
      out.buffers[buffers[i].name] = toArray(buffers[i]);
  return out;
}

Result<std::vector<TileOutput>> runTile(const tile::TileProgram& program, const tile::FlatProgram& flat,
                                        const launch::LaunchFile& file,
                                        const std::vector<launch::HostBuffer>& buffers) {
  std::vector<std::vector<std::byte>> storage;
  std::vector<std::span<const std::byte>> inputs;
  std::vector<TileOutput> out;
  storage.reserve(program.params.size());
  std::vector<std::span<std::byte>> outputs;
  for (const tile::Param& param : program.params) {
    if (param.role != tile::Role::kIn) continue;
    std::vector<std::byte> bytes;
    if (const launch::HostBuffer* buffer = named(buffers, param.name)) {
      bytes.resize(buffer->bytes.size());
      std::memcpy(bytes.data(), buffer->bytes.data(), bytes.size());
    } else if (const launch::Scalar* scalar = file.findScalar(param.name)) {
      const float value = static_cast<float>(scalarValue(*scalar));
      bytes.resize(sizeof value);
      std::memcpy(bytes.data(), &value, sizeof value);
    } else {
      return makeError("tile-input",
                       "the tile program asks for \"" + param.name + "\", which the launch file does not have");
    }
    storage.push_back(std::move(bytes));
    inputs.emplace_back(storage.back());
  }
  std::size_t next = 0;
  std::vector<std::string> names;
  for (const tile::Param& param : program.params)
    if (param.role == tile::Role::kOut) names.push_back(param.name);
  std::vector<std::vector<std::byte>> results;
  for (const tile::FlatBuffer& buffer : flat.buffers)
    if (buffer.is_output)
      results.emplace_back(static_cast<std::size_t>(buffer.elements() * tile::dtypeBytes(buffer.dtype)),
                           std::byte{0xff});
  for (std::vector<std::byte>& result : results) outputs.emplace_back(result);
  NP_ASSIGN([[maybe_unused]] const tile::RunReport report, tile::interpret(flat, inputs, outputs));
  for (const tile::FlatBuffer& buffer : flat.buffers) {
    if (!buffer.is_output) continue;
    TileOutput one{next < names.size() ? names[next] : buffer.name, buffer.dtype, {}};
    const launch::ElementType type = elementType(buffer.dtype);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(results[next].data());
    for (std::int64_t i = 0; i < buffer.elements(); ++i)
      one.values.push_back(launch::loadElement(type, bytes + i * launch::byteSize(type)));
    out.push_back(std::move(one));
    ++next;
  }
  return out;
}

}  // namespace np::kernel_port::certify
