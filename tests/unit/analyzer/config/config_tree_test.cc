// Which of several configuration files counts for a source file, and what `config explain` knows.

#include "analyzer/config/config_tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

TEST(ConfigTree, TheNearestFileCountsAlone) {
  const fs::path root = fs::temp_directory_path() / ("np_config_" + std::to_string(::getpid()));
  std::vector<std::string> files;
  const auto write = [&](const std::string& path, const std::string& text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
    files.push_back(path);
  };
  write("pkg/pyproject.toml", "[tool.neuron-port]\nignore = [\"NPT3001\"]\n");
  write("pkg/deep/neuron-port.toml", "target = \"neuron\"\n");
  write("pkg/deep/pyproject.toml", "[tool.neuron-port]\nignore = [\"NPT4\"]\n");
  write("other/pyproject.toml", "[project]\nname = \"x\"\n");
  write("fixture/pyproject.toml", "this is [ no TOML");
  Config at_root;
  at_root.fail_on = "error";
  const auto tree = ConfigTree::make(root.string(), files, at_root);
  ASSERT_TRUE(tree.ok()) << tree.error().text();
  EXPECT_TRUE(tree->hasNested());
  EXPECT_EQ(tree->configFor("a.py").fail_on, "error");
  EXPECT_EQ(tree->configFor("other/a.py").fail_on, "error");
  EXPECT_EQ(tree->configFor("fixture/a.py").fail_on, "error");
  EXPECT_EQ(tree->configFor("pkg/sub/a.py").ignore, std::vector<std::string>{"NPT3001"});
  EXPECT_EQ(tree->configFor("pkg/sub/a.py").fail_on, "");
  EXPECT_EQ(tree->configFor("pkg/deep/a.py").target, "neuron");
  EXPECT_TRUE(tree->configFor("pkg/deep/a.py").ignore.empty());
  EXPECT_EQ(tree->folderFor("pkg/deep/x/a.py"), "pkg/deep");
  EXPECT_EQ(tree->folderFor("pkgs/a.py"), "");
  write("bad/neuron-port.toml", "slect = []\n");
  EXPECT_FALSE(ConfigTree::make(root.string(), files, at_root).ok());
  fs::remove_all(root);
}

TEST(ExplainConfig, NamesFileAndLineOrDefault) {
  const auto config =
      parseConfig("[project]\nname = \"x\"\n\n[tool.neuron-port]\nignore = [\"NPT3\"]\n\nfail-on = \"error\"\n",
                  "pyproject.toml", true);
  ASSERT_TRUE(config.ok());
  std::string shown;
  for (const Setting& setting : explainConfig(*config))
    shown += setting.key + " = " + setting.value + "  # " + setting.origin + "\n";
  EXPECT_EQ(shown,
            "select = [\"NPT\"]  # default\n"
            "extend-select = []  # default\n"
            "ignore = [\"NPT3\"]  # pyproject.toml:5\n"
            "exclude = []  # default\n"
            "fail-on = \"error\"  # pyproject.toml:7\n"
            "target = \"accelerator\"  # default\n"
            "min-torch = \"\"  # default: read from the project's requirements\n");
}

}  // namespace
}  // namespace np::analyzer
