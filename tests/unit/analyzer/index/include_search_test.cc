// Where headers are found that no include folder of a build script leads to.

#include "analyzer/index/include_search.h"

#include <gtest/gtest.h>

namespace np::analyzer {
namespace {

using Names = std::vector<std::string>;

TEST(IncludedNames, DirectivesOnly) {
  EXPECT_EQ(includedNames("#include \"a.h\"\n  #  include <b/c.cuh> // why\r\n// #include \"no.h\"\n#include MACRO\n"),
            (Names{"a.h", "b/c.cuh"}));
  EXPECT_EQ(includedNames("#include \"open\n#include \"x.h\""), (Names{"x.h"}));
  EXPECT_EQ(includedNames("#include"), Names());
  EXPECT_EQ(includedNames(""), Names());
}

TEST(IncludeSearch, HeaderInAnotherFolderThroughAnother) {
  IncludeSearch search;
  search.add("csrc/quant/a.cu", {"quant.h", "vector"});
  search.add("csrc/includes/quant.h", {"deep/context.h"});
  search.add("third/deep/context.h", {});
  EXPECT_EQ(search.foldersFor("csrc/quant/a.cu", {}), (Names{"csrc/includes", "third"}));
  EXPECT_EQ(search.foldersFor("csrc/quant/a.cu", {"csrc/includes", "third"}), Names());
}

TEST(IncludeSearch, NearestOfCopies) {
  IncludeSearch search;
  search.add("csrc/q/a.cu", {"q.h"});
  search.add("pkg/ops/csrc/q/a.cu", {"q.h"});
  search.add("csrc/includes/q.h", {});
  search.add("pkg/ops/csrc/includes/q.h", {});
  EXPECT_EQ(search.foldersFor("csrc/q/a.cu", {}), (Names{"csrc/includes"}));
  EXPECT_EQ(search.foldersFor("pkg/ops/csrc/q/a.cu", {}), (Names{"pkg/ops/csrc/includes"}));
}

TEST(IncludeSearch, OwnFolderFirstStandardNamesNever) {
  IncludeSearch search;
  search.add("a/x.cu", {"x.h", "memory", "../b/y.h"});
  search.add("a/x.h", {"x.h"});
  search.add("c/x.h", {});
  search.add("c/memory", {});
  search.add("b/y.h", {"z.h"});
  search.add("deep/z.h", {});
  EXPECT_EQ(search.foldersFor("a/x.cu", {}), (Names{"deep"}));
}

TEST(IncludeSearch, ConfusingNamesEnd) {
  IncludeSearch search;
  search.add("a.cu", {"", "/", "..", "a.cu", "a.cu/", "./b.h"});
  search.add("b.h", {"a.cu"});
  EXPECT_EQ(search.foldersFor("a.cu", {}), Names());
  EXPECT_EQ(search.foldersFor("unknown.cu", {}), Names());
}

}  // namespace
}  // namespace np::analyzer
