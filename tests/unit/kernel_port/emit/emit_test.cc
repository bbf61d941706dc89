// Emitted text, traced by the stand-in `nki`, is the program it was emitted from; guards name what they miss.
#include "kernel_port/emit/emit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyzer/base/process.h"
#include "kernel_port/emit/python_text.h"
#include "kernel_port/schedule/schedule.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/text.h"

namespace np::kernel_port::emit {
namespace {

namespace fs = std::filesystem;

struct Case {
  const char* name;
  std::vector<std::vector<int64_t>> sizes;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

struct Emitted {
  spec::Spec spec;
  tile::TileProgram program;
  fs::path module;
};

Emitted emitGolden(const std::string& name, const fs::path& folder) {
  std::ifstream in("tests/golden/specs/" + name + ".spec");
  std::stringstream text;
  text << in.rdbuf();
  Emitted out;
  out.spec = spec::parseSpec(text.str(), name).value();
  auto made = schedule::schedule(out.spec, {name, 8});
  EXPECT_TRUE(made.ok()) << made.error().text();
  out.program = made->program;
  ModuleInfo info;
  info.source = name + ".cu";
  info.spec = spec::printFormulas(out.spec);
  for (const auto& scalar : out.spec.scalars) info.scalars.push_back(scalar.name);
  const auto module = emitModule(out.program, info);
  EXPECT_TRUE(module.ok()) << module.error().text();
  fs::create_directories(folder);
  out.module = folder / (name + "_nki.py");
  std::ofstream(out.module) << *module;
  return out;
}

// Traces at `sizes`; `shape_off` makes the first tensor one row too long.
ProcessOutput trace(const Emitted& kernel, const spec::SizeValues& sizes, bool shape_off = false) {
  std::string args = "{";
  for (const auto& [name, value] : sizes) args += "\"" + name + "\": " + std::to_string(value) + ", ";
  bool first = shape_off;
  for (const tile::Param& param : kernel.program.params) {
    if (param.role != tile::Role::kIn) continue;
    args += "\"" + param.name + "\": {\"dtype\": \"" + tile::dtypeNkiName(param.dtype) + "\", \"shape\": [";
    for (size_t d = 0; d < param.extents.size(); ++d) {
      const int64_t extent = param.extents[d].evaluate(tile::Bindings(sizes.begin(), sizes.end())).value();
      args += (d ? ", " : "") + std::to_string(extent + (first ? 1 : 0));
      first = false;
    }
    args += "]}, ";
  }
  args.replace(args.size() - 2, 2, "}");
  const fs::path file = kernel.module.parent_path() / "args.json";
  std::ofstream(file) << args;
  const std::string build = std::getenv("NP_BUILD_DIR");
  ProcessRequest request;
  request.argv = {".venv/bin/python", "-m", "nki.trace", kernel.module.string(), "--args", file.string()};
  request.environment = {"PYTHONPATH=runtime/python", "NEURON_PORT_LIB_DIR=" + build + "/lib",
                         "PYTHONDONTWRITEBYTECODE=1"};
  auto output = runProcess(request);
  EXPECT_TRUE(output.ok()) << output.error().text();
  return *output;
}

fs::path workFolder(const std::string& name) {
  return fs::temp_directory_path() / ("np_emit_test_" + name + std::to_string(::getpid()));
}

class Roundtrip : public testing::TestWithParam<Case> {};

TEST_P(Roundtrip, TraceIsTheProgram) {
  const fs::path folder = workFolder(GetParam().name);
  const Emitted kernel = emitGolden(GetParam().name, folder);
  for (const auto& values : GetParam().sizes) {
    spec::SizeValues sizes;
    for (size_t i = 0; i < values.size(); ++i) sizes[kernel.spec.sizes[i]] = values[i];
    const auto flat = tile::instantiate(kernel.program, tile::Bindings(sizes.begin(), sizes.end()));
    ASSERT_TRUE(flat.ok()) << flat.error().text();
    const ProcessOutput traced = trace(kernel, sizes);
    ASSERT_EQ(traced.exit_code, 0) << traced.err;
    EXPECT_EQ(traced.out, tile::printFlat(*flat)) << values[0];
  }
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Emit, Roundtrip,
                         testing::Values(Case{"saxpy", {{67}, {70001}}}, Case{"gelu", {{131}}}, Case{"bias", {{3, 67}}},
                                         Case{"lrelu", {{300}}}, Case{"vec4add", {{68}}},
                                         Case{"rowsum_sh", {{5, 300}, {3, 20001}}}, Case{"rowsum_shfl", {{3, 67}}},
                                         Case{"softmax", {{3, 67}, {200, 6001}}}, Case{"layernorm", {{5, 131}}},
                                         Case{"matmul", {{19, 37, 23}, {130, 600, 300}}},
                                         Case{"matmul_tiled", {{16, 32, 48}}},
                                         Case{"transpose", {{19, 37}, {129, 700}}}));

TEST(Emit, GuardsNameTheAssumption) {
  const fs::path folder = workFolder("guards");
  const Emitted kernel = emitGolden("vec4add", folder);
  EXPECT_NE(trace(kernel, {{"n", 7}}).err.find("ValueError: vec4add needs n % 4 == 0"), std::string::npos);
  EXPECT_NE(trace(kernel, {{"n", 0}}).err.find("ValueError: vec4add needs n >= 1"), std::string::npos);
  EXPECT_NE(trace(kernel, {{"n", 8}}, true).err.find("ValueError: vec4add needs x of shape (n,)"), std::string::npos);
  fs::remove_all(folder);
}

TEST(Emit, PythonText) {
  const tile::Expr n = tile::Expr::symbol("n"), m = tile::Expr::symbol("m");
  EXPECT_EQ(exprText(tile::ceilDiv(n, 128) * m), "(-(-n//128))*m");
  EXPECT_EQ(exprText(n - (m - 1)), "n - (m - 1)");
  EXPECT_EQ(exprText(tile::floorDiv(n * 2, m + 1)), "n*2//(m + 1)");
  EXPECT_EQ(exprText(tile::floorMod(n, 4) * m), "n % 4*m");
  EXPECT_EQ(numberText(tile::Number(1.0, 1, n * m), false), "1.0/(n*m)");
  EXPECT_EQ(numberText(tile::Number(3), true), "3");
  EXPECT_EQ(viewText(tile::View("x", {{m, n, 2}})), "x[m:m + n*2:2]");
  tile::TileProgram program;
  program.name = "lambda";
  EXPECT_EQ(emitModule(program, {}).error().code, "emit-name");
}

}  // namespace
}  // namespace np::kernel_port::emit
