// Bitcode to machine code, by way of the object cache. What is stored is one line of facts about the code, the names it
// links to, and the object.

#include "kernel_port/simt/fast/compiled_kernel.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <sstream>

#include "kernel_port/simt/fast/code_llvm.h"
#include "kernel_port/simt/fast/symbols.h"
#include "runtime/jit/object_cache.h"

namespace np::kernel_port::fast {
namespace {

constexpr int kVersion = 3;  // of generated code: raise it with every change to the code generators

// No full unrolling beyond four: the code is compiled once a launch, and thread code gains little from more.
constexpr const char* kAfter =
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),always-inline,globaldce,"
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,"
    "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,dse,simplifycfg,loop-simplify,lcssa,loop-mssa(licm),"
    "loop-unroll<O3;full-unroll-max=4;no-upperbound>,instcombine<no-verify-fixpoint>,early-cse,simplifycfg)";

struct Object {
  bool waits = false;
  uint32_t workers = 1, warp = 1;
  uint64_t static_shared = 0;
  std::string code;
  std::vector<std::string> symbols;
};

std::string pack(const Object& object) {
  std::ostringstream out;
  out << object.waits << ' ' << object.workers << ' ' << object.warp << ' ' << object.static_shared << ' '
      << object.symbols.size() << '\n';
  for (const std::string& symbol : object.symbols) out << symbol << '\n';
  out << object.code;
  return out.str();
}

std::optional<Object> unpack(const std::string& text) {
  std::istringstream in(text);
  Object out;
  size_t count = 0;
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  std::istringstream facts(line);
  facts >> out.waits >> out.workers >> out.warp >> out.static_shared >> count;
  if (!facts) return std::nullopt;
  for (size_t k = 0; k < count; ++k) {
    if (!std::getline(in, line)) return std::nullopt;
    out.symbols.push_back(line);
  }
  out.code.assign(std::istreambuf_iterator<char>(in), {});
  return out;
}

Result<Object> generate(const std::string& bitcode, const KernelRequest& request, const FastOptions& options,
                        const jit::HostCompiler& compiler) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "device"), context);
  if (!module) return makeError("bad-bitcode", llvm::toString(module.takeError()));
  Specialisation launch;
  launch.block = request.block;
  launch.parallel = options.schedule == Schedule::Parallel;
  NP_ASSIGN(Prepared prepared, prepareKernel(**module, request.symbol, launch, compiler));
  const size_t parameters = prepared.function->arg_size() - 1;
  Object out;
  out.static_shared = prepared.static_shared;
  Body body;
  NP_ASSIGN(body, makeThreadBody(prepared, launch));
  makeRunFunction(body, parameters);
  prepared.function->eraseFromParent();
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(**module, &stream)) return makeError("jit", "generated code is not valid: " + broken);
  compiler.optimise(**module, kAfter);
  out.waits = body.waits, out.workers = body.workers, out.warp = body.warp;
  for (const llvm::Function& function : **module)
    if (function.isDeclaration() && function.getName().starts_with("np.") && !function.use_empty())
      out.symbols.push_back(function.getName().str());
  NP_ASSIGN(out.code, compiler.compile(**module));
  return out;
}

Result<CompiledKernel> load(const Object& object) {
  std::vector<jit::Symbol> symbols;
  for (const std::string& name : object.symbols) {
    void* address = symbolAddress(name);
    if (!address) return makeError("jit", "generated code calls \"" + name + "\", which does not exist");
    symbols.push_back({name, address});
  }
  // What code generators call on their own account, to copy and clear memory.
  for (const char* name : {"memcpy", "memset", "memmove", "fmaf", "fma", "fmodf", "fmod"}) {
    void* address = symbolAddress(name);
    if (address) symbols.push_back({name, address});
  }
  NP_ASSIGN(jit::NativeCode code, jit::NativeCode::link(object.code, symbols));
  NP_ASSIGN(void* run, code.find("np.run"));
  CompiledKernel out{std::move(code)};
  out.run = reinterpret_cast<RunFunction>(run);
  out.waits = object.waits, out.workers = object.workers, out.warp = object.warp;
  out.static_shared = object.static_shared;
  return out;
}

}  // namespace

Result<CompiledKernel> compileKernel(const std::string& bitcode, const KernelRequest& request,
                                     const FastOptions& options) {
  jit::HostOptions host;
  host.contract = options.contract;
  host.avx512 = options.avx512;
  NP_ASSIGN(jit::HostCompiler compiler, jit::HostCompiler::create(host));
  std::ostringstream key;
  key << kVersion << '\n' << compiler.description() << '\n' << request.symbol << '\n';
  for (const uint32_t extent : request.block) key << extent << ' ';
  key << (options.schedule == Schedule::Parallel) << '\n' << bitcode;
  const jit::ObjectCache cache(options.cache_folder);
  if (const auto stored = cache.load(key.str())) {
    if (const auto object = unpack(*stored)) {
      NP_ASSIGN(CompiledKernel out, load(*object));
      out.from_cache = true;
      return out;
    }
  }
  Result<Object> object = generate(bitcode, request, options, compiler);
  if (!object.ok()) return object.error();
  cache.store(key.str(), pack(*object));
  return load(*object);
}

}  // namespace np::kernel_port::fast
