// compileDeviceIr on small kernels: names, parameter facts, and one clear error for everything that can be wrong.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/cuda/worker_client.h"

namespace np::analyzer {
namespace {

class DeviceIrTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/np_device_ir_XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  Result<DeviceIr> compile(const std::string& source, std::vector<std::string> kernels) {
    DeviceIrRequest request;
    request.source = write("k.cu", source);
    request.kernels = std::move(kernels);
    request.output = folder_ + "/k.bc";
    return compileDeviceIr(request);
  }

  std::string folder_;
};

constexpr const char* kKernels = R"cuda(
#include <vector>
namespace a {
namespace {
struct Packed { float scale; int shape[2]; const double* p; };
template <class T, int N = 4>
__global__ void __launch_bounds__(128, 2) scale(Packed p, bool flag, unsigned char c, const T* __restrict__ x, T* y) {
  y[threadIdx.x] = x[0] * p.scale * N;
}
}  // namespace
template <class F> __global__ void apply(F f, float* y) { y[0] = f(y[0]); }
struct Square { __device__ float operator()(float x) const { return x * x; } };
}  // namespace a
namespace b { template <class T, int N> __global__ void scale(T* y) { y[0] = N; } }
__global__ void plain(long n, double d) {}
void host() { not_declared(3); }
)cuda";

TEST_F(DeviceIrTest, InstantiatesTemplatesByTheirWrittenName) {
  for (const char* name :
       {"a::scale<float, 128>", "a::scale<double>", "b::scale<int, 3>", "apply<Square>", "plain", "::plain"}) {
    auto ir = compile(kKernels, {name});
    ASSERT_TRUE(ir.ok()) << name << ": " << ir.error().text();
    ASSERT_EQ(ir->kernels.size(), 1u);
    EXPECT_EQ(ir->kernels[0].name, name);
    EXPECT_FALSE(ir->kernels[0].symbol.empty());
    EXPECT_GT(std::filesystem::file_size(ir->bitcode), 1000u);
  }
}

TEST_F(DeviceIrTest, ParameterFactsComeFromTheTypes) {
  auto ir = compile(kKernels, {"a::scale<float, 128>"});
  ASSERT_TRUE(ir.ok()) << ir.error().text();
  const DeviceKernel& kernel = ir->kernels[0];
  EXPECT_EQ(kernel.qualified_name, "a::(anonymous namespace)::scale<float, 128>");
  EXPECT_EQ(kernel.max_threads, 128u);
  EXPECT_EQ(kernel.min_blocks, 2u);
  EXPECT_EQ(kernel.line, 7u);
  ASSERT_EQ(kernel.params.size(), 5u);

  const ParamFact& packed = kernel.params[0];
  EXPECT_EQ(packed.kind, ParamKind::Struct);
  EXPECT_EQ(packed.size, 24u);
  std::string fields;
  for (const FieldFact& field : packed.fields)
    fields += field.name + ":" + field.type + "@" + std::to_string(field.offset) + " ";
  EXPECT_EQ(fields, "scale:f32@0 shape[0]:i32@4 shape[1]:i32@8 p:pointer@16 ");

  EXPECT_EQ(kernel.params[1].scalar, "bool");
  EXPECT_EQ(kernel.params[2].scalar, "u8");
  EXPECT_EQ(kernel.params[3].kind, ParamKind::Pointer);
  EXPECT_EQ(kernel.params[3].pointee, "f32");
  EXPECT_TRUE(kernel.params[3].is_const);
  EXPECT_TRUE(kernel.params[3].is_restrict);
  EXPECT_FALSE(kernel.params[4].is_const);
}

TEST_F(DeviceIrTest, AllKernelsWhenNoneIsNamed) {
  auto ir = compile(R"cuda(
template <class T> __global__ void twice(T* y) { y[threadIdx.x] *= 2; }
__global__ void once(float* y) { y[threadIdx.x] += 1; }
void host(float* y) { twice<float><<<1, 32>>>(y); once<<<1, 32>>>(y); }
)cuda",
                    {});
  ASSERT_TRUE(ir.ok()) << ir.error().text();
  std::string names;
  for (const DeviceKernel& kernel : ir->kernels) names += kernel.name + " ";
  EXPECT_EQ(names, "twice<float> once ");
}

struct BadCase {
  const char* what;
  const char* source;
  const char* kernel;
  const char* message;
};

TEST_F(DeviceIrTest, FaultsOfTheSourceOrTheNameAreOneClearError) {
  const BadCase cases[] = {
      {"unknown name", kKernels, "nope", "kernel \"nope\" not found, the file has \"a::scale\""},
      {"ambiguous", kKernels, "scale<float, 2>", "ambiguous: \"a::scale\" and \"b::scale\""},
      {"no arguments", kKernels, "apply", "is a template, write its arguments"},
      {"bad argument", kKernels, "b::scale<Missing, 1>",
       "cannot be instantiated: use of undeclared identifier 'Missing'"},
      {"overloads", "__global__ void k(float*) {} __global__ void k(int*) {}", "k", "has 2 overloads"},
      {"declared only", "__global__ void k(float*);", "k", "has no body here"},
      {"syntax", "__global__ void k(float* y) { y[0] = ; }", "k", "expected expression"},
      {"missing header", "#include \"config.h\"\n__global__ void k(float* y) {}", "k", "'config.h' file not found"},
      {"no kernel", "int main() {}", "k", "the file has no kernel"},
  };
  for (const BadCase& bad : cases) {
    auto ir = compile(bad.source, {bad.kernel});
    ASSERT_FALSE(ir.ok()) << bad.what;
    EXPECT_EQ(ir.error().code, "cuda-compile") << bad.what;
    EXPECT_NE(ir.error().text().find(bad.message), std::string::npos) << bad.what << ": " << ir.error().text();
  }
}

TEST_F(DeviceIrTest, ErrorsNameThePlace) {
  auto ir = compile("__global__ void k(float* y) {\n  y[0] = ;\n}\n", {"k"});
  ASSERT_FALSE(ir.ok());
  EXPECT_EQ(ir.error().location, folder_ + "/k.cu:2:10");
}

TEST_F(DeviceIrTest, MissingSource) {
  DeviceIrRequest request;
  request.source = folder_ + "/absent.cu";
  request.output = folder_ + "/k.bc";
  auto ir = compileDeviceIr(request);
  ASSERT_FALSE(ir.ok());
  EXPECT_NE(ir.error().message.find("does not exist"), std::string::npos);
}

TEST_F(DeviceIrTest, UnwritableOutput) {
  DeviceIrRequest request;
  request.source = write("k.cu", "__global__ void k(float* y) { y[0] = 1; }");
  request.output = folder_ + "/absent/k.bc";
  auto ir = compileDeviceIr(request);
  ASSERT_FALSE(ir.ok());
  EXPECT_NE(ir.error().message.find("cannot write"), std::string::npos);
}

// Stand-ins for a worker that misbehaves.
class BadWorkerTest : public DeviceIrTest {
 protected:
  Error callScript(const std::string& body, double timeout_s) {
    const std::string script = write("worker", "#!/bin/sh\n" + body + "\n");
    chmod(script.c_str(), 0755);
    auto ir = compileDeviceIr(DeviceIrRequest{"x.cu", {}, {}, {}, "c++17", "x.bc"}, WorkerOptions{script, timeout_s});
    return ir.ok() ? makeError("ok", "no error") : ir.error();
  }
};

TEST_F(BadWorkerTest, CrashTimeoutAndGarbageAreErrors) {
  EXPECT_EQ(callScript("kill -SEGV $$", 10).code, "worker-crash");
  EXPECT_EQ(callScript("echo broken >&2; exit 3", 10).message, "the clang worker failed: broken");
  EXPECT_EQ(callScript("sleep 30", 0.3).code, "worker-timeout");
  EXPECT_EQ(callScript("echo nothing", 10).code, "worker-protocol");
  EXPECT_EQ(callScript("cat >/dev/null; echo '{\"ok\": 3}'", 10).code, "worker-protocol");
}

TEST_F(DeviceIrTest, AbsentWorker) {
  auto ir = compileDeviceIr(DeviceIrRequest{"x.cu", {}, {}, {}, "c++17", "x.bc"}, WorkerOptions{"/nowhere/worker", 1});
  ASSERT_FALSE(ir.ok());
  EXPECT_EQ(ir.error().code, "no-clang-worker");
}

}  // namespace
}  // namespace np::analyzer
