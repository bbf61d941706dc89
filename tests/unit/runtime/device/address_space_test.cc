#include "runtime/device/address_space.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/device/fault.h"

namespace np::device {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(AddressSpace, DeviceAddressesAreAConstantAwayFromTheBytes) {
  auto space = AddressSpace::reserve({.device_count = 2, .bytes_per_device = kMiB});
  ASSERT_TRUE(space.ok());
  char* host = space->hostBegin(1) + 100;
  void* device = space->toDevice(host);
  EXPECT_NE(device, host);
  EXPECT_EQ(space->toHost(device), host);
  EXPECT_TRUE(space->isDeviceAddress(device));
  EXPECT_FALSE(space->isDeviceAddress(host));
  EXPECT_TRUE(space->isHostAddress(host));
  EXPECT_EQ(space->deviceOf(device), 1);
  EXPECT_EQ(space->deviceOf(host), 1);
  EXPECT_EQ(space->deviceOf(space->hostBegin(1) - 1), 0);
  EXPECT_EQ(space->toHost(nullptr), nullptr);
}

TEST(AddressSpace, HostReadableSpaceIsNotGuarded) {
  auto space = AddressSpace::reserve({.device_count = 1, .bytes_per_device = kMiB, .host_readable = true});
  ASSERT_TRUE(space.ok());
  EXPECT_FALSE(space->isGuarded());
  EXPECT_EQ(space->toDevice(space->hostBegin(0)), space->hostBegin(0));
}

TEST(AddressSpace, ImpossibleSizeNamesWhatToLower) {
  auto space = AddressSpace::reserve({.device_count = 16, .bytes_per_device = size_t{1} << 50});
  ASSERT_FALSE(space.ok());
  EXPECT_NE(space.error().message.find("lower NEURON_PORT_DEVICE_MEMORY_MB or NEURON_RT_NUM_CORES"), std::string::npos);
}

TEST(FaultHandlerDeathTest, ExplainsADeviceAddressAndDies) {
  EXPECT_DEATH(
      {
        auto space = AddressSpace::reserve({.device_count = 2, .bytes_per_device = kMiB});
        installFaultHandler(&*space);
        auto* byte = static_cast<volatile char*>(space->toDevice(space->hostBegin(1)));
        (void)*byte;
      },
      "host code touched memory of device neuron:1 at 0x[0-9a-f]+; .*copy the tensor with .cpu\\(\\)");
}

}  // namespace
}  // namespace np::device
