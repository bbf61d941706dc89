// analyzeCuda on whole small projects: what is joined, and what survives broken files, missing headers and a dead
// worker.

#include "analyzer/index/cuda_analysis.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : " ") + item;
  return out;
}

class CudaAnalysisTest : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/np_index_XXXXXX";
    root_ = mkdtemp(pattern);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(root_ + "/" + name).parent_path());
    std::ofstream(root_ + "/" + name) << text;
    if (!name.ends_with(".py")) files_.push_back(name);
  }

  CudaAnalysis analyse(CudaOptions options = {}) {
    Result<CudaAnalysis> out = analyzeCuda(root_, files_, options);
    if (!out.ok()) {
      ADD_FAILURE() << out.error().text();
      return {};
    }
    return std::move(*out);
  }

  std::string root_;
  std::vector<std::string> files_;
};

const Kernel* kernelNamed(const CudaAnalysis& analysis, const std::string& name) {
  for (const Kernel& kernel : analysis.kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

TEST_F(CudaAnalysisTest, GoldenProject) {
  const fs::path golden = "tests/golden/fused_block";
  std::ifstream setup(golden / "setup.py");
  std::stringstream text;
  text << setup.rdbuf();
  auto build = readBuildFile(SourceText("setup.py", text.str()));
  ASSERT_TRUE(build.ok());
  ASSERT_EQ(build->extensions.size(), 1u);
  EXPECT_EQ(build->extensions[0].name, "fused_block._C");

  CudaOptions options;
  options.build_files = {*build};
  auto analysis = analyzeCuda(golden.string(),
                              {"csrc/bias_gelu.cu", "csrc/ops.cpp", "csrc/ops.h", "csrc/scaled_softmax.cu"}, options);
  ASSERT_TRUE(analysis.ok()) << analysis.error().text();
  for (const CudaFile& file : analysis->files)
    EXPECT_EQ(file.status, FileStatus::Analysed) << file.path << ": " << file.reason;
  ASSERT_EQ(analysis->kernels.size(), 4u);
  for (const Kernel& kernel : analysis->kernels) {
    const std::string op = kernel.name.substr(0, kernel.name.size() - std::string("_kernel").size());
    ASSERT_EQ(kernel.launches.size(), 1u) << kernel.name;
    EXPECT_EQ(kernel.launches[0].function, op);
    ASSERT_EQ(kernel.bindings.size(), 1u) << kernel.name;
    EXPECT_EQ(kernel.bindings[0].name, "fused_block::" + op);
    EXPECT_NE(kernel.bindings[0].schema.find("-> Tensor"), std::string::npos);
  }
  EXPECT_TRUE(analysis->loose_launches.empty());
  EXPECT_EQ(cudaModules(*analysis), std::set<std::string>{"fused_block._C"});
  EXPECT_EQ(kernelsReachedBy(*analysis, "bias_gelu_backward").size(), 1u);

  ASSERT_EQ(analysis->host_functions.size(), 4u);
  const HostFunction& forward = analysis->host_functions[0];
  EXPECT_EQ(forward.name, "bias_gelu_forward");
  std::string kinds;
  for (const HostStatement& statement : forward.body) kinds += std::to_string(static_cast<int>(statement.kind));
  // 8 checks, guard, 3 lets and the block count, launch, launch check, return
  EXPECT_EQ(kinds, "2222222250000354");
  EXPECT_EQ(forward.body[2].value.args[1].name, "torch::kFloat");
  const HostStatement& launch = forward.body[13];
  ASSERT_EQ(launch.grid.size(), 1u);
  EXPECT_EQ(launch.grid[0].name, "blocks");
  EXPECT_EQ(launch.block[0].integer_value, 256);
  EXPECT_EQ(launch.args[0].name, "data_ptr");
}

TEST_F(CudaAnalysisTest, JoinsAcrossFilesThroughDispatchAndCalls) {
  write("csrc/kernels.cuh",
        "#pragma once\ntemplate <class T> __global__ void scale(T* y, T a, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] *= a;\n}\n");
  write("csrc/launch.cu", R"(#include <torch/extension.h>
#include "kernels.cuh"
void scale_cuda(torch::Tensor y, double a) {
  dim3 block(64, 2), grid((y.numel() + 127) / 128);
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "scale", [&] {
    scale<scalar_t><<<grid, block, sizeof(scalar_t) * 2>>>(y.data_ptr<scalar_t>(), (scalar_t)a, y.numel());
  });
}
)");
  write("csrc/bind.cpp", R"(#include <torch/extension.h>
void scale_cuda(torch::Tensor y, double a);
torch::Tensor scale_(torch::Tensor y, double a) { scale_cuda(y, a); return y; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale_", &scale_, "in place");
  m.def("twice_", [](torch::Tensor y) { return scale_(y, 2.0); });
}
)");
  CudaOptions options;
  options.build_files = {BuildFile{"setup.py", {}}};
  options.build_files[0].extensions.push_back(Extension{});
  options.build_files[0].extensions[0].name = "pkg._ext";
  options.build_files[0].extensions[0].sources = {"csrc/bind.cpp", "csrc/launch.cu"};
  const CudaAnalysis analysis = analyse(options);
  ASSERT_EQ(analysis.kernels.size(), 1u);
  const Kernel& kernel = analysis.kernels[0];
  EXPECT_EQ(kernel.where.path, "csrc/kernels.cuh");
  EXPECT_EQ(joined(kernel.template_params), "class T");
  ASSERT_EQ(kernel.launches.size(), 1u);
  EXPECT_EQ(kernel.launches[0].kernel, "scale<scalar_t>");
  EXPECT_EQ(kernel.launches[0].grid, "grid");
  EXPECT_EQ(kernel.launches[0].function, "scale_cuda");
  EXPECT_EQ(joined(kernel.launches[0].args), "y.data_ptr<scalar_t>() (scalar_t)a y.numel()");
  ASSERT_EQ(kernel.bindings.size(), 2u);
  EXPECT_EQ(kernel.bindings[0].name, "pkg._ext.scale_");
  EXPECT_EQ(kernel.bindings[1].name, "pkg._ext.twice_");

  ASSERT_EQ(analysis.host_functions.size(), 1u);
  const HostStatement& dispatch = analysis.host_functions[0].body.back();
  ASSERT_EQ(dispatch.kind, HostStatement::Kind::Dispatch);
  EXPECT_EQ(joined(dispatch.names), "double float");
  ASSERT_EQ(dispatch.body.size(), 1u);
  const HostStatement& launch = dispatch.body[0];
  ASSERT_EQ(launch.grid.size(), 1u);
  EXPECT_EQ(launch.grid[0].text, "(y.numel() + 127) / 128");
  ASSERT_EQ(launch.block.size(), 2u);
  EXPECT_EQ(launch.block[1].integer_value, 2);
  // Another size for every type: not a constant.
  EXPECT_EQ(launch.shared.kind, HostExpr::Kind::Unknown);
}

TEST_F(CudaAnalysisTest, ChangedGridIsNotSpelledOut) {
  write("a.cu", R"(__global__ void k(float* y) {}
void host(float* y, int n) {
  dim3 grid(n);
  grid.x = 3;
  k<<<grid, 32>>>(y);
}
)");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.host_functions.size(), 1u);
  const HostStatement& launch = analysis.host_functions[0].body.back();
  ASSERT_EQ(launch.kind, HostStatement::Kind::Launch);
  ASSERT_EQ(launch.grid.size(), 1u);
  EXPECT_EQ(launch.grid[0].kind, HostExpr::Kind::Unknown);
}

TEST_F(CudaAnalysisTest, OnlyConditionsThatAlwaysThrowAreChecks) {
  write("a.cu", R"(#include <torch/extension.h>
__global__ void k(float* y) {}
void host(torch::Tensor y, bool strict) {
  if (strict) TORCH_CHECK(y.dim() == 1);
  if (y.numel() > 100) throw std::runtime_error("too long");
  cudaMemset(y.data_ptr(), 0, 4);
  cudaDeviceSynchronize();
  k<<<1, 32>>>(y.data_ptr<float>());
}
)");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.host_functions.size(), 1u);
  const std::vector<HostStatement>& body = analysis.host_functions[0].body;
  ASSERT_EQ(body.size(), 5u);
  EXPECT_EQ(body[0].kind, HostStatement::Kind::If);
  EXPECT_EQ(body[0].body[0].kind, HostStatement::Kind::Check);
  EXPECT_EQ(body[1].kind, HostStatement::Kind::Check);
  EXPECT_EQ(body[1].value.name, "!");
  EXPECT_EQ(body[1].message, "too long");
  EXPECT_EQ(body[2].kind, HostStatement::Kind::Unknown) << "a memset is no error check";
  EXPECT_EQ(body[3].kind, HostStatement::Kind::Ignored);
}

TEST_F(CudaAnalysisTest, BrokenFileKeepsWhatSyntaxShows) {
  write("bad.cu", R"(#include "gone.h"
template <typename T> __global__ void C10_LAUNCH_BOUNDS_1(GONE_THREADS) first(Gone<T> x, float* y) { y[0] = x.v; }
void host(Gone<float> g, float* y) { first<float><<<Gone::blocks(3), 128>>>(g, y); }
__global__ void second(float* y { y[0] = 1; }
)");
  write("good.cu", "__global__ void fine(float* y) { y[0] = 1; }\nvoid go(float* y) { fine<<<1, 1>>>(y); }\n");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Partial);
  EXPECT_NE(analysis.files[0].reason.find("gone.h"), std::string::npos) << analysis.files[0].reason;
  EXPECT_EQ(analysis.files[1].status, FileStatus::Analysed) << analysis.files[1].reason;
  const Kernel* first = kernelNamed(analysis, "first");
  ASSERT_NE(first, nullptr);
  ASSERT_EQ(first->launches.size(), 1u);
  EXPECT_EQ(first->launches[0].grid, "Gone::blocks(3)");
  EXPECT_NE(kernelNamed(analysis, "second"), nullptr);
  EXPECT_NE(kernelNamed(analysis, "fine"), nullptr);
}

TEST_F(CudaAnalysisTest, KernelsInHeadersAndMacros) {
  write("k.h",
        "#define DEFINE(name, op)                       \\\n"
        "  __global__ void name(float* y) { y[0] op 1; } \\\n"
        "  void run_##name(float* y) { name<<<1, 32>>>(y); }\n"
        "DEFINE(add_one, +=)\n");
  write("k.cpp", "__global__ void inside_cpp(float* y) { y[0] = 1; }\n");
  const CudaAnalysis analysis = analyse();
  const Kernel* made = kernelNamed(analysis, "add_one");
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->where.start.line, 4u);
  ASSERT_EQ(made->launches.size(), 1u);
  EXPECT_EQ(made->launches[0].via, "DEFINE");
  EXPECT_EQ(made->launches[0].where.start.line, 4u);
  EXPECT_NE(kernelNamed(analysis, "inside_cpp"), nullptr);
}

TEST_F(CudaAnalysisTest, HeadersAreReadWhereTheyAreIncluded) {
  write("leans.cuh", "template <class T> __global__ void leans(Before b, T* y) { y[0] = b.v; }\n");
  write("user.cu",
        "struct Before { float v; };\n#include \"leans.cuh\"\n"
        "void go(Before b, float* y) { leans<float><<<1, 1>>>(b, y); }\n");
  write("alone.cuh", "__global__ void alone(Missing m) {}\n");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Analysed) << analysis.files[0].reason;
  EXPECT_EQ(analysis.files[2].status, FileStatus::Partial);
  ASSERT_NE(kernelNamed(analysis, "leans"), nullptr);
  EXPECT_EQ(kernelNamed(analysis, "leans")->launches.size(), 1u);
}

TEST_F(CudaAnalysisTest, KernelChosenByCondition) {
  write("a.cu", R"(template <class T, bool wide> __global__ void k(T* y) { y[0] = wide; }
__global__ void other(float* y) { y[0] = 2; }
template <class T> void host(T* y, bool wide) {
  auto kernel = wide ? &k<T, true> : &k<T, false>;
  kernel<<<1, 32>>>(y);
}
void mixed(float* y, bool b) {
  auto kernel = b ? &k<float, true> : &other;
  kernel<<<1, 32>>>(y);
}
)");
  const CudaAnalysis analysis = analyse();
  ASSERT_NE(kernelNamed(analysis, "k"), nullptr);
  ASSERT_EQ(kernelNamed(analysis, "k")->launches.size(), 1u);
  EXPECT_EQ(kernelNamed(analysis, "k")->launches[0].function, "host");
  EXPECT_EQ(analysis.loose_launches.size(), 1u) << "one of two kernels: not guessed";
}

TEST_F(CudaAnalysisTest, OverloadedBindingsReachTheirFunction) {
  write("a.cu", R"(#include <torch/extension.h>
namespace py = pybind11;
__global__ void k(float* y) { y[0] = 1; }
void run(torch::Tensor y) { k<<<1, 1>>>(y.data_ptr<float>()); }
void run(torch::Tensor y, int64_t n) { run(y); }
PYBIND11_MODULE(ext, m) { m.def("run", py::overload_cast<torch::Tensor, int64_t>(&run)); }
)");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.kernels.size(), 1u);
  ASSERT_EQ(analysis.kernels[0].bindings.size(), 1u) << analysis.files[0].reason;
  EXPECT_EQ(analysis.kernels[0].bindings[0].name, "ext.run");
}

TEST_F(CudaAnalysisTest, DeadWorkerLeavesSyntax) {
  write("a.cu", "__global__ void k(float* y) { y[0] = 1; }\nvoid go(float* y) { k<<<1, 1>>>(y); }\n");
  write("worker.py", "");
  std::ofstream(root_ + "/worker") << "#!/bin/sh\nkill -SEGV $$\n";
  chmod((root_ + "/worker").c_str(), 0755);
  CudaOptions options;
  options.worker.executable = root_ + "/worker";
  const CudaAnalysis analysis = analyse(options);
  ASSERT_EQ(analysis.files.size(), 1u);
  EXPECT_EQ(analysis.files[0].status, FileStatus::Partial);
  EXPECT_NE(analysis.files[0].reason.find("signal"), std::string::npos) << analysis.files[0].reason;
  ASSERT_EQ(analysis.kernels.size(), 1u);
  EXPECT_EQ(analysis.kernels[0].launches.size(), 1u);
}

TEST_F(CudaAnalysisTest, NamesOfTwoKernelsAreNotMixedUp) {
  write("a.cu", "static __global__ void k(float* y) {}\nvoid a(float* y) { k<<<1, 1>>>(y); }\n");
  write("b.cu", "static __global__ void k(float* y) {}\nvoid b(float* y) { k<<<2, 1>>>(y); }\n");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.kernels.size(), 2u);
  ASSERT_EQ(analysis.kernels[0].launches.size(), 1u);
  EXPECT_EQ(analysis.kernels[0].launches[0].grid, "1");
  ASSERT_EQ(analysis.kernels[1].launches.size(), 1u);
  EXPECT_EQ(analysis.kernels[1].launches[0].grid, "2");
}

TEST_F(CudaAnalysisTest, UnreadableFileIsSkippedWithTheReason) {
  write("a.cu", "__global__ void k(float* y) {}\n");
  files_.push_back("absent.cu");
  std::ofstream(root_ + "/latin.cu") << "// caf\xe9\n__global__ void k2(float* y) {}\n";
  files_.push_back("latin.cu");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[1].status, FileStatus::Skipped);
  EXPECT_FALSE(analysis.files[1].reason.empty());
  EXPECT_EQ(analysis.files[2].status, FileStatus::Skipped);
  EXPECT_NE(analysis.files[2].reason.find("UTF-8"), std::string::npos) << analysis.files[2].reason;
}

TEST_F(CudaAnalysisTest, HeaderOfAFolderThatNoBuildFileNames) {
  write("csrc/a/k.cu", "#include \"deep.h\"\n__global__ void k(Number* y) { y[0] = 1; }\n");
  write("csrc/includes/deep.h", "#include \"deeper.h\"\n");
  write("third_party/deeper.h", "using Number = float;\n");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Analysed) << analysis.files[0].reason;
  EXPECT_EQ(joined(analysis.files[0].command.late_includes), "csrc/includes third_party");
}

TEST_F(CudaAnalysisTest, NamesakeOfASystemHeaderIsNotTaken) {
  write("a.cu", "#include <time.h>\n__global__ void k(float* y) {}\ntime_t now() { return time(nullptr); }\n");
  write("other/time.h", "#error not this one\n");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Analysed) << analysis.files[0].reason;
}

TEST_F(CudaAnalysisTest, MissingHeaderMakesAFilePartialEvenWithoutAnError) {
  write("a.cu", "#include \"absent.h\"\n__global__ void k(float* y) { y[0] = 1; }\n");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Partial);
  EXPECT_EQ(analysis.files[0].reason, "header not found: \"absent.h\"");
  EXPECT_EQ(analysis.kernels.size(), 1u);
}

// tests/regress: a template's `dim3 grid(n)` is a list in parentheses without a type.
TEST_F(CudaAnalysisTest, DimensionsInATemplate) {
  write("a.cu", R"cu(
template <typename T> __global__ void k(T* y) { y[0] = 1; }
template <typename T, int kWidth> void go(T* y, int n) {
  const dim3 grid((n + kWidth - 1) / kWidth, 2), block(kWidth);
  k<T><<<grid, block>>>(y);
}
)cu");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.files[0].status, FileStatus::Analysed) << analysis.files[0].reason;
  ASSERT_EQ(analysis.kernels.size(), 1u);
  EXPECT_EQ(analysis.kernels[0].launches.size(), 1u);
}

TEST_F(CudaAnalysisTest, OpsWithoutKernelsSayWhy) {
  write("ops.cpp", R"cpp(
#include <torch/extension.h>
    int version() { return 1; }
    void elsewhere(torch::Tensor x);
    PYBIND11_MODULE(ext, m) {
      m.def("version", &version);
      m.def("elsewhere", &elsewhere);
    }
  )cpp");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.bindings.size(), 2u);
  EXPECT_EQ(analysis.bindings[0].no_kernel, "its host code launches no kernel");
  EXPECT_EQ(analysis.bindings[1].no_kernel, "\"elsewhere\" is not defined in the files that were analysed");
}

TEST_F(CudaAnalysisTest, KernelThatAFunctionPicks) {
  write("a.cu", R"cu(
typedef void (*Fn)(float*);
template <bool wide> __global__ void k(float* y) { y[0] = wide; }
__global__ void other(float* y) {}
Fn pick(bool wide) { if (wide) return k<true>; return k<false>; }
Fn pickAny(bool wide) { return wide ? k<true> : other; }
void go(float* y) { Fn kernel = pick(true); kernel<<<1, 1>>>(y); }
void unclear(float* y) { Fn kernel = pickAny(true); kernel<<<1, 1>>>(y); }
)cu");
  const CudaAnalysis analysis = analyse();
  ASSERT_EQ(analysis.kernels.size(), 2u);
  ASSERT_EQ(analysis.kernels[0].launches.size(), 1u);
  EXPECT_EQ(analysis.kernels[0].launches[0].function, "go");
  ASSERT_EQ(analysis.loose_launches.size(), 1u);
  EXPECT_EQ(analysis.loose_launches[0].function, "unclear");
}

TEST_F(CudaAnalysisTest, LocalNamedLikeATemplateParameter) {
  write("a.cu", R"cu(
template <int bits> __global__ void k(float* y) { constexpr int bits = 3; y[0] = bits; }
void go(float* y) { k<2><<<1, 1>>>(y); }
)cu");
  const CudaAnalysis analysis = analyse();
  EXPECT_EQ(analysis.files[0].status, FileStatus::Analysed) << analysis.files[0].reason;
}

TEST_F(CudaAnalysisTest, AbsentRoot) { EXPECT_EQ(analyzeCuda(root_ + "/absent", {}).error().code, "not-found"); }

}  // namespace
}  // namespace np::analyzer
