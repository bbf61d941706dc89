// Linking by LLVM's ORC. The library of an object holds the absolute symbols it is given and nothing of the process, so
// that a typo is an error here and untrusted device code cannot reach libc.

#include "runtime/jit/native_code.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>

namespace np::jit {
namespace {

Error failed(llvm::Error error) {
  return makeError("jit", "cannot link generated code: " + llvm::toString(std::move(error)));
}

}  // namespace

struct NativeCode::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

NativeCode::NativeCode(std::unique_ptr<State> state) : state_(std::move(state)) {}
NativeCode::NativeCode(NativeCode&&) noexcept = default;
NativeCode& NativeCode::operator=(NativeCode&&) noexcept = default;
NativeCode::~NativeCode() = default;

Result<NativeCode> NativeCode::link(const std::string& object, const std::vector<Symbol>& symbols) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  // No platform: it would want the process's symbols for constructors and thread locals, which kernels do not have.
  auto jit = llvm::orc::LLJITBuilder()
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit) return failed(jit.takeError());
  llvm::orc::SymbolMap map;
  for (const Symbol& symbol : symbols)
    map[(*jit)->mangleAndIntern(symbol.name)] = {llvm::orc::ExecutorAddr::fromPtr(symbol.address),
                                                 llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (!map.empty())
    if (auto error = (*jit)->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(map))))
      return failed(std::move(error));
  if (auto error = (*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "kernel")))
    return failed(std::move(error));
  auto state = std::make_unique<State>();
  state->jit = std::move(*jit);
  return NativeCode(std::move(state));
}

Result<void*> NativeCode::find(const std::string& name) const {
  auto address = state_->jit->lookup(name);
  if (!address) return failed(address.takeError());
  return address->toPtr<void*>();
}

}  // namespace np::jit
