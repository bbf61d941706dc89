// LLVM's own printer.

#include "kernel_port/frontend/ir_text.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace np::kernel_port {

std::string irText(const DeviceModule& module) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  module.module().print(stream, nullptr);
  return out;
}

}  // namespace np::kernel_port
