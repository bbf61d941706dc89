// Module level of the compiler: which functions are needed, global variables with their start values, places.

#include <filesystem>

#include "kernel_port/frontend/prepare.h"
#include "kernel_port/simt/compiler_llvm.h"
#include "kernel_port/simt/ptx_functions.h"
#include "kernel_port/simt/run.h"

#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

namespace np::kernel_port::simt {
namespace {

using namespace llvm;

// Shared memory is undefined at the start whatever its initialiser says.
Space spaceOf(const llvm::GlobalVariable& variable) {
  switch (variable.getAddressSpace()) {
    case 3:
      return Space::Shared;
    case 4:
      return Space::Constant;
    default:
      return variable.isConstant() ? Space::Constant : Space::Global;
  }
}

uint32_t scalarBytes(Type* type, const DataLayout& layout) {
  while (true) {
    if (auto* array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
    } else if (auto* vector = dyn_cast<FixedVectorType>(type)) {
      type = vector->getElementType();
    } else if (auto* record = dyn_cast<StructType>(type); record && record->getNumElements() > 0) {
      uint32_t least = 8;
      for (Type* element : record->elements()) least = std::min(least, scalarBytes(element, layout));
      return least;
    } else {
      break;
    }
  }
  if (!type->isSized() || isa<StructType>(type)) return 1;
  const uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  return size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
}

}  // namespace

std::optional<FloatType> floatType(const Type* type) {
  type = type->getScalarType();
  if (type->isFloatTy()) return FloatType::F32;
  if (type->isDoubleTy()) return FloatType::F64;
  if (type->isHalfTy()) return FloatType::F16;
  if (type->isBFloatTy()) return FloatType::BF16;
  return std::nullopt;
}

ModuleCompiler::ModuleCompiler(const DeviceModule& module, Program& program)
    : module_(module), program_(program), layout_(module.module().getDataLayout()) {}

Result<void> ModuleCompiler::compile(const std::vector<const analyzer::DeviceKernel*>& kernels) {
  program_.source = module_.source();
  for (const llvm::GlobalVariable& variable : module_.module().globals())
    globals_.try_emplace(&variable, static_cast<uint32_t>(globals_.size()));
  for (const analyzer::DeviceKernel* kernel : kernels) {
    const llvm::Function* function = module_.function(*kernel);
    if (!function)
      return makeError("no-kernel", "kernel \"" + kernel->name + "\" has no body in the device module",
                       module_.source());
    program_.kernels.push_back({*kernel, functionIndex(*function)});
  }
  NP_TRY(addGlobals());
  for (size_t k = 0; k < pending_.size(); ++k) {
    NP_ASSIGN(program_.functions[k], FunctionCompiler(*this, *pending_[k]).compile());
  }
  // A wait for the grid in a function that is called out of line: any kernel may be the caller.
  std::vector<uint32_t> entries;
  for (const KernelEntry& kernel : program_.kernels) entries.push_back(kernel.function);
  bool called = false;
  for (uint32_t k = 0; k < program_.functions.size(); ++k)
    called |= program_.functions[k].grid_barrier && std::find(entries.begin(), entries.end(), k) == entries.end();
  for (uint32_t entry : entries) program_.functions[entry].grid_barrier |= called;
  return {};
}

uint32_t ModuleCompiler::functionIndex(const llvm::Function& function) {
  auto [found, added] = functions_.try_emplace(&function, static_cast<uint32_t>(pending_.size()));
  if (added) {
    pending_.push_back(&function);
    program_.functions.emplace_back().name = function.getName().str();
  }
  return found->second;
}

Result<void> ModuleCompiler::addGlobals() {
  for (const llvm::GlobalVariable& source : module_.module().globals()) {
    simt::GlobalVariable variable;
    Type* type = source.getValueType();
    variable.name = source.getName().str();
    // Mangled names of static variables in functions end in the variable's own name: "_ZZ1kvE4tile" is "tile".
    if (variable.name.starts_with("_ZZ")) {
      if (const size_t end = variable.name.rfind('E'); end != std::string::npos) {
        const std::string tail = variable.name.substr(end + 1);
        const size_t digits = tail.find_first_not_of("0123456789");
        if (digits != 0 && digits != std::string::npos) variable.name = tail.substr(digits);
      }
    }
    variable.space = spaceOf(source);
    variable.size = type->isSized() ? layout_.getTypeAllocSize(type).getFixedValue() : 0;
    variable.granule = scalarBytes(type, layout_);
    variable.dynamic_shared = variable.space == Space::Shared && source.isDeclaration();
    if (variable.space != Space::Shared) {
      if (variable.size > (uint64_t{1} << 30))
        return makeError("unsupported", "device variable \"" + variable.name + "\" is larger than 1 GiB",
                         module_.source());
      variable.bytes.assign(variable.size, 0);
      if (source.hasInitializer()) NP_TRY(writeInitialiser(*source.getInitializer(), 0, variable.bytes));
    }
    program_.globals.push_back(std::move(variable));
  }
  return {};
}

Result<void> ModuleCompiler::writeInitialiser(const Constant& constant, uint64_t offset, std::vector<uint8_t>& bytes) {
  if (isa<UndefValue>(constant) || constant.isNullValue()) return {};
  Type* type = constant.getType();
  if (type->isArrayTy() || type->isVectorTy() || type->isStructTy()) {
    const unsigned count = type->isStructTy()  ? type->getStructNumElements()
                           : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                               : cast<FixedVectorType>(type)->getNumElements();
    for (unsigned k = 0; k < count; ++k) {
      const Constant* element = constant.getAggregateElement(k);
      if (!element) return unsupported("an initial value of a device variable", nullptr);
      const uint64_t at = type->isStructTy()
                              ? layout_.getStructLayout(cast<StructType>(type))->getElementOffset(k).getFixedValue()
                              : k * layout_.getTypeAllocSize(element->getType()).getFixedValue();
      NP_TRY(writeInitialiser(*element, offset + at, bytes));
    }
    return {};
  }
  NP_ASSIGN(uint64_t value, constantBits(constant));
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  NP_CHECK(offset + size <= bytes.size() && size <= 8);
  std::memcpy(&bytes[offset], &value, size);
  return {};
}

Result<std::vector<Leaf>> ModuleCompiler::leaves(Type* type) const {
  std::vector<Leaf> out;
  if (auto* record = dyn_cast<StructType>(type)) {
    const StructLayout* layout = layout_.getStructLayout(record);
    for (unsigned k = 0; k < record->getNumElements(); ++k) {
      NP_ASSIGN(auto inner, leaves(record->getElementType(k)));
      for (const Leaf& leaf : inner)
        out.push_back({leaf.type, leaf.offset + layout->getElementOffset(k).getFixedValue()});
    }
    return out;
  }
  if (type->isArrayTy() || type->isVectorTy()) {
    Type* element = type->isArrayTy() ? type->getArrayElementType() : cast<VectorType>(type)->getElementType();
    if (isa<ScalableVectorType>(type)) return makeError("unsupported", "scalable vectors are not supported");
    const uint64_t count =
        type->isArrayTy() ? type->getArrayNumElements() : cast<FixedVectorType>(type)->getNumElements();
    if (count > 4096) return makeError("unsupported", "a value of more than 4096 elements is not supported");
    NP_ASSIGN(auto inner, leaves(element));
    const uint64_t stride = layout_.getTypeAllocSize(element).getFixedValue();
    for (uint64_t k = 0; k < count; ++k)
      for (const Leaf& leaf : inner) out.push_back({leaf.type, leaf.offset + k * stride});
    return out;
  }
  if (type->isVoidTy()) return out;
  if (type->isPointerTy() || floatType(type) || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
    return std::vector<Leaf>{{type, 0}};
  std::string text;
  raw_string_ostream stream(text);
  type->print(stream);
  return makeError("unsupported", "values of type \"" + text + "\" are not supported");
}

Result<uint64_t> ModuleCompiler::constantBits(const Constant& constant) {
  if (const auto* integer = dyn_cast<ConstantInt>(&constant)) {
    if (integer->getBitWidth() <= 64) return integer->getZExtValue();
  } else if (const auto* real = dyn_cast<ConstantFP>(&constant)) {
    const APInt bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() <= 64) return bits.getZExtValue();
  } else if (isa<ConstantPointerNull>(constant) || isa<UndefValue>(constant)) {
    return uint64_t{0};
  } else if (const auto* variable = dyn_cast<llvm::GlobalVariable>(&constant)) {
    return regionBase(kFirstGlobalRegion + globals_.lookup(variable));
  } else if (const auto* function = dyn_cast<llvm::Function>(&constant)) {
    // The address of what has no body (a pure virtual function) is that of no function.
    const uint64_t index = function->isDeclaration() ? 0xffffff : functionIndex(*function);
    return regionBase(kFunctionRegion) + 16 * index;
  } else if (const auto* expression = dyn_cast<ConstantExpr>(&constant)) {
    const auto* first = cast<Constant>(expression->getOperand(0));
    switch (expression->getOpcode()) {
      case llvm::Instruction::AddrSpaceCast:
      case llvm::Instruction::BitCast:
      case llvm::Instruction::IntToPtr:
        return constantBits(*first);
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::Trunc: {
        NP_ASSIGN(uint64_t value, constantBits(*first));
        if (first->getType()->isPointerTy() && first->getType()->getPointerAddressSpace() == 3)
          value = sharedWindow(value, 0, 0, 0);
        return value & maskOf(layout_.getTypeSizeInBits(expression->getType()).getFixedValue());
      }
      case llvm::Instruction::GetElementPtr: {
        APInt offset(64, 0);
        if (!cast<GEPOperator>(expression)->accumulateConstantOffset(layout_, offset)) break;
        NP_ASSIGN(uint64_t base, constantBits(*first));
        return base + offset.getZExtValue();
      }
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub: {
        NP_ASSIGN(uint64_t left, constantBits(*first));
        NP_ASSIGN(uint64_t right, constantBits(*cast<Constant>(expression->getOperand(1))));
        return (expression->getOpcode() == llvm::Instruction::Add ? left + right : left - right) &
               maskOf(layout_.getTypeSizeInBits(expression->getType()).getFixedValue());
      }
      default:
        break;
    }
  }
  std::string text;
  raw_string_ostream stream(text);
  constant.print(stream);
  return makeError("unsupported", "the constant \"" + text.substr(0, 100) + "\" is not supported");
}

Result<void> ModuleCompiler::flatten(const Constant& constant, std::vector<uint64_t>& out) {
  Type* type = constant.getType();
  if (!type->isArrayTy() && !type->isVectorTy() && !type->isStructTy()) {
    NP_ASSIGN(uint64_t bits, constantBits(constant));
    out.push_back(bits);
    return {};
  }
  NP_ASSIGN(auto scalars, leaves(type));
  if (isa<UndefValue>(constant) || constant.isNullValue()) {
    out.insert(out.end(), scalars.size(), 0);
    return {};
  }
  const unsigned count = type->isStructTy()  ? type->getStructNumElements()
                         : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                             : cast<FixedVectorType>(type)->getNumElements();
  for (unsigned k = 0; k < count; ++k) {
    const Constant* element = constant.getAggregateElement(k);
    if (!element) return makeError("unsupported", "a constant of an unknown form is not supported");
    NP_TRY(flatten(*element, out));
  }
  return {};
}

uint32_t ModuleCompiler::nameIndex(StringRef name) {
  program_.names.push_back(name.str());
  return static_cast<uint32_t>(program_.names.size() - 1);
}

uint32_t ModuleCompiler::pathIndex(const DIFile* file) {
  if (!file) return 0;
  namespace fs = std::filesystem;
  fs::path path(file->getFilename().str());
  if (path.is_relative()) path = fs::path(file->getDirectory().str()) / path;
  std::error_code ignored;
  std::string text = path.lexically_normal().string();
  if (fs::absolute(module_.source(), ignored).lexically_normal() == path.lexically_normal()) text = module_.source();
  for (uint32_t k = 0; k < program_.paths.size(); ++k)
    if (program_.paths[k] == text) return k;
  program_.paths.push_back(std::move(text));
  return static_cast<uint32_t>(program_.paths.size() - 1);
}

uint32_t ModuleCompiler::locationOf(const DILocation* location) {
  if (!location) return 0;
  if (auto found = locations_.find(location); found != locations_.end()) return found->second;
  Location out;
  out.caller = locationOf(location->getInlinedAt());
  out.path = pathIndex(location->getFile());
  out.line = location->getLine();
  out.column = location->getColumn();
  out.function =
      nameIndex(location->getScope()->getSubprogram() ? location->getScope()->getSubprogram()->getName() : StringRef());
  program_.locations.push_back(out);
  const auto index = static_cast<uint32_t>(program_.locations.size() - 1);
  locations_[location] = index;
  return index;
}

Error ModuleCompiler::unsupported(const std::string& what, const llvm::Instruction* where) {
  Error error = makeError("unsupported", what + " is not supported", module_.source());
  if (where && where->getDebugLoc()) error.location = program_.place(locationOf(where->getDebugLoc())).text();
  return error;
}

Result<std::unique_ptr<const Program>> compileProgram(const DeviceModule& source,
                                                      const std::vector<std::string>& names) {
  NP_ASSIGN(DeviceModule module, source.clone());
  inlineDeviceFunctions(module);
  std::vector<const analyzer::DeviceKernel*> kernels;
  for (const std::string& name : names) {
    NP_ASSIGN(const analyzer::DeviceKernel* kernel, module.get(name));
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  }
  if (names.empty())
    for (const analyzer::DeviceKernel& kernel : module.kernels()) kernels.push_back(&kernel);
  auto program = std::make_unique<Program>();
  NP_TRY(ModuleCompiler(module, *program).compile(kernels));
  return std::unique_ptr<const Program>(std::move(program));
}

}  // namespace np::kernel_port::simt
