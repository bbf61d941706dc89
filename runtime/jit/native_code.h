// Machine code in this process: an object file that was made for this CPU, linked against named addresses only. Code
// from a repository sees none of the process's own symbols.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/result.h"

namespace np::jit {

struct Symbol {
  std::string name;
  void* address = nullptr;
};

class NativeCode {
 public:
  // Links `object` (ELF bytes). Error "jit" when it names something that `symbols` lacks.
  static Result<NativeCode> link(const std::string& object, const std::vector<Symbol>& symbols);

  NativeCode(NativeCode&&) noexcept;
  NativeCode& operator=(NativeCode&&) noexcept;
  ~NativeCode();

  // The address of a function of the object. Error "jit" when there is none.
  Result<void*> find(const std::string& name) const;

 private:
  struct State;
  explicit NativeCode(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace np::jit
