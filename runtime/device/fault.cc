// The fault handler: host code that follows a device pointer gets a sentence instead of a bare segmentation fault.
//
// The handler writes with async-signal-safe calls only, puts the previous handler back and returns; the access faults
// again and the previous handler (Python's faulthandler, a debugger, the default action) deals with it. Addresses that
// are not the device's are passed on untouched. It does not recover: there is no value to return for such a read.

#include "runtime/device/fault.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace np::device {
namespace {

// A signal handler has no argument for context; these two are written once, before the handler is installed.
std::atomic<const AddressSpace*> guarded_space{nullptr};
struct sigaction previous_action;

void append(char*& cursor, const char* text) {
  while (*text) *cursor++ = *text++;
}

void appendNumber(char*& cursor, uint64_t number, unsigned base) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  while (count) *cursor++ = digits[--count];
}

void onFault(int, siginfo_t* info, void*) {
  const AddressSpace* space = guarded_space.load();
  if (space && space->isDeviceAddress(info->si_addr)) {
    char message[320];
    char* cursor = message;
    append(cursor, "neuron-port: host code touched memory of device neuron:");
    appendNumber(cursor, static_cast<uint64_t>(space->deviceOf(info->si_addr)), 10);
    append(cursor, " at 0x");
    appendNumber(cursor, reinterpret_cast<uintptr_t>(info->si_addr), 16);
    append(cursor,
           "; on Trainium this memory is not the host's: copy the tensor with .cpu() before a library reads its "
           "data_ptr()\n");
    [[maybe_unused]] auto written = write(STDERR_FILENO, message, static_cast<size_t>(cursor - message));
  }
  sigaction(SIGSEGV, &previous_action, nullptr);
}

}  // namespace

void installFaultHandler(const AddressSpace* space) {
  if (guarded_space.exchange(space)) return;
  struct sigaction action;
  std::memset(&action, 0, sizeof(action));
  action.sa_sigaction = &onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_action);
}

}  // namespace np::device
