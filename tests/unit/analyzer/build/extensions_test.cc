// What readBuildFile takes from setup.py scripts of the usual shapes.

#include "analyzer/build/extensions.h"

#include <gtest/gtest.h>

namespace np::analyzer {
namespace {

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : " ") + item;
  return out;
}

BuildFile read(const std::string& text) {
  auto file = readBuildFile(SourceText("setup.py", text));
  EXPECT_TRUE(file.ok());
  return file.ok() ? *file : BuildFile{};
}

TEST(Extensions, PlainLists) {
  const BuildFile file = read(R"py(
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(ext_modules=[CUDAExtension(
    name="pkg._C", sources=["csrc/a.cu", "csrc/b.cpp"], include_dirs=["csrc/include"],
    define_macros=[("WITH_CUDA", None), ("N", "4")],
    extra_compile_args={"cxx": ["-O3", "-DCXX"], "nvcc": ["-O3", "-DNVCC=1", "-Ithird_party"]})])
)py");
  ASSERT_EQ(file.extensions.size(), 1u);
  const Extension& extension = file.extensions[0];
  EXPECT_EQ(extension.kind, "CUDAExtension");
  EXPECT_EQ(extension.name, "pkg._C");
  EXPECT_EQ(joined(extension.sources), "csrc/a.cu csrc/b.cpp");
  EXPECT_EQ(joined(extension.include_dirs), "csrc/include third_party");
  EXPECT_EQ(joined(extension.defines), "WITH_CUDA N=4 CXX NVCC=1");
  EXPECT_TRUE(extension.complete);
  EXPECT_EQ(extension.where.start.line, 4u);
}

TEST(Extensions, NamesJoinsAndAppends) {
  const BuildFile file = read(R"py(
import os.path as osp
from torch.utils import cpp_extension
here = osp.dirname(osp.abspath(__file__))
flags = ["-O2"]
flags += ["-DMORE"]
sources = [osp.join(here, "csrc", "a.cu")] + ["csrc/b.cu"]
ext = cpp_extension.CUDAExtension("pkg.ext", sources, include_dirs=[osp.join(here, "csrc")], extra_compile_args=flags)
)py");
  ASSERT_EQ(file.extensions.size(), 1u);
  EXPECT_EQ(joined(file.extensions[0].sources), "csrc/a.cu csrc/b.cu");
  EXPECT_EQ(joined(file.extensions[0].include_dirs), "csrc");
  EXPECT_EQ(joined(file.extensions[0].defines), "MORE");
}

TEST(Extensions, ComputedPartsClearComplete) {
  const BuildFile file = read(R"py(
import glob
from torch.utils.cpp_extension import CUDAExtension
ext = CUDAExtension(f"pkg._{suffix}", sources=glob.glob("csrc/*.cu"))
)py");
  ASSERT_EQ(file.extensions.size(), 1u);
  EXPECT_EQ(file.extensions[0].name, "");
  EXPECT_FALSE(file.extensions[0].complete);
}

TEST(Extensions, ClassChosenByCondition) {
  const BuildFile file = read(R"py(
from torch.utils.cpp_extension import CppExtension, CUDAExtension
def build(with_cuda):
    Extension = CppExtension
    if with_cuda:
        Extension = CUDAExtension
    return Extension(f"pkg._{with_cuda}", ["a.cpp"], include_dirs=["csrc"])
)py");
  ASSERT_EQ(file.extensions.size(), 1u);
  EXPECT_EQ(file.extensions[0].kind, "CUDAExtension");
  EXPECT_EQ(joined(file.extensions[0].include_dirs), "csrc");
}

TEST(Extensions, OtherCallsAreNoExtensions) {
  EXPECT_TRUE(read("from mine import CUDAExtension\nCUDAExtension('x', ['a.cu'])\n").extensions.empty());
}

}  // namespace
}  // namespace np::analyzer
