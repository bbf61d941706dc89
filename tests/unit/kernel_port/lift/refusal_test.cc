// What must not be lifted, and what the refusal says; and that names do not matter.
#include <gtest/gtest.h>

#include "kernel_port/spec/text.h"
#include "lift_helpers.h"

namespace np::kernel_port::lift {
namespace {

constexpr const char* kPlainBuffers = R"("x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"},
      "y": {"type": "f32", "extent": ["n"], "role": "out"})";

std::string launchText(const std::string& kernel, const std::string& buffers) {
  return R"json({"version": 1, "source": "kernel.cu", "sizes": {"names": ["n"], "cases": [[37], [64], [131]]},
    "buffers": {)json" +
         buffers + R"json(}, "scalars": {},
    "launches": [{"kernel": ")json" +
         kernel + R"json(", "grid": ["ceildiv(n,32)", "1", "1"], "block": ["32", "1", "1"], "shared": "0",
                  "args": ["n", "x", "y"]}]})json";
}

struct Refusal {
  const char* name;
  const char* code;
  int line;             // of the refused code, 0: none
  const char* message;  // part of it
  const char* source;
  const char* buffers;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithCodeLineAndReason) {
  const Refusal& c = GetParam();
  Result<LiftResult> lifted = liftText(c.name, c.source, launchText("k", c.buffers));
  ASSERT_FALSE(lifted.ok()) << spec::printFormulas(lifted->spec);
  EXPECT_EQ(lifted.error().code, c.code) << lifted.error().text();
  EXPECT_NE(lifted.error().message.find(c.message), std::string::npos) << lifted.error().text();
  EXPECT_FALSE(lifted.error().notes.empty());
  if (c.line > 0)
    EXPECT_NE(lifted.error().location.find("kernel.cu:" + std::to_string(c.line) + ":"), std::string::npos)
        << lifted.error().text();
}

constexpr const char* kCounter = R"("x": {"type": "f32", "extent": ["n"], "role": "in", "init": "normal"},
      "y": {"type": "i32", "extent": ["n"], "role": "inout", "init": "zeros"})";

constexpr Refusal kRefusals[] = {
    {"data_trip_count", "NPT2903", 6, "the number of iterations of a loop depends on float data", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  while (v * v > 1e-6f)
    v = v * 0.5f;
  y[i] = v;
})",
     kPlainBuffers},
    {"used_atomic", "NPT2907", 4, "depends on the order of threads", R"(
__global__ void k(int n, const float* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[atomicAdd(&y[0], 1) % n] = i;
})",
     kCounter},
    {"never_executed", "NPT2910", 5, "runs at none of the sizes tried", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 100000) {
    if (i < n) y[i] = 2.0f * x[i];
  } else if (i < n) y[i] = x[i];
})",
     kPlainBuffers},
    {"unwritten", "NPT2911", 0, "is never written", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = x[i];
})",
     kPlainBuffers},
    {"conditional_write", "NPT2911", 0, "written for some data only", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.0f) y[i] = x[i];
})",
     kPlainBuffers},
    {"outside", "NPT2905", 4, "which has", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];
})",
     kPlainBuffers},
    {"uninitialised_shared", "NPT2905", 6, "before anything was written", R"(
__global__ void k(int n, const float* x, float* y) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i];
  if (i < n) y[i] = s[threadIdx.x + 1];
})",
     kPlainBuffers},
    {"barrier_under_data", "NPT2903", 6, "a barrier under a branch that depends on data", R"(
__global__ void k(int n, const float* x, float* y) {
  __shared__ float s[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.5f) {
    __syncthreads();
    s[threadIdx.x] = 1.0f;
  }
  if (i < n) y[i] = x[i];
})",
     kPlainBuffers},
    {"regime", "NPT2909", 0, "another expression than the kernel's", R"(
__global__ void k(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (n & 1) ? x[i] : -x[i];
})",
     kPlainBuffers},
};

INSTANTIATE_TEST_SUITE_P(Kernels, Refused, testing::ValuesIn(kRefusals),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Names, DoNotMatter) {
  const char* softmax = R"(
__global__ void NAME(int A0, const float* A1, float* A2) {
  // COMMENT
  int A3 = blockIdx.x * blockDim.x + threadIdx.x;
  if (A3 < A0) A2[A3] = 1.0f / (1.0f + expf(-A1[A3]));
})";
  auto renamed = [&](std::vector<std::pair<std::string, std::string>> names) {
    std::string text = softmax;
    for (const auto& [from, to] : names)
      for (size_t at = text.find(from); at != std::string::npos; at = text.find(from))
        text.replace(at, from.size(), to);
    return text;
  };
  Result<LiftResult> plain = liftText(
      "names_a",
      renamed({{"NAME", "sigmoid"}, {"COMMENT", "sigmoid"}, {"A0", "n"}, {"A1", "x"}, {"A2", "y"}, {"A3", "i"}}),
      launchText("sigmoid", kPlainBuffers));
  Result<LiftResult> odd = liftText(
      "names_b",
      renamed({{"NAME", "softmax"}, {"COMMENT", "matmul"}, {"A0", "x"}, {"A1", "tanh_"}, {"A2", "n"}, {"A3", "relu"}}),
      launchText("softmax", kPlainBuffers));
  ASSERT_TRUE(plain.ok()) << plain.error().text();
  ASSERT_TRUE(odd.ok()) << odd.error().text();
  EXPECT_EQ(spec::printSpec(plain->spec), spec::printSpec(odd->spec));
  EXPECT_EQ(spec::printFormulas(plain->spec), "y[i in n] = 1.0/(1.0 + exp(-x[i]))\n");
}

}  // namespace
}  // namespace np::kernel_port::lift
