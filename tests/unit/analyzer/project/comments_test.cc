// Where comments are, and that only they can suppress.

#include "analyzer/project/comments.h"

#include <gtest/gtest.h>

#include "analyzer/project/suppressions.h"

namespace np::analyzer {
namespace {

std::vector<std::string> texts(std::string_view bytes, const std::vector<Range>& ranges) {
  std::vector<std::string> out;
  for (const Range& range : ranges) out.emplace_back(bytes.substr(range.start, range.end - range.start));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Comments, OfCppAreNotInStrings) {
  constexpr std::string_view kCode =
      "int a = 1'000'000; // one\n"
      "const char* s = \"// no \\\" // no\"; /* two\n lines */ char c = '\"'; // three \\\n goes on\n"
      "auto r = R\"x(// no )\" /* no */)x\"; auto u = u8R\"(// no)\"; // four\n"
      "char q = '\\''; // five\r\n"
      "#define X \"unclosed // no\n"
      "/* open";
  EXPECT_EQ(texts(kCode, cppComments(kCode)),
            (Texts{"// one", "/* two\n lines */", "// three \\\n goes on", "// four", "// five", "/* open"}));
}

TEST(Comments, OfScriptsFollowBlanks) {
  constexpr std::string_view kText =
      "# one\ntorch==2.1#no\nurl: 'a # no' # two\nrun: \"x # no\"\r\n\t# three\rname: it's # no\nb # four";
  EXPECT_EQ(texts(kText, hashComments(kText)), (Texts{"# one", "# two", "# three", "# four"}));
}

TEST(Comments, AnyBytesEnd) {
  for (const char* text : {"", "/", "\"", "'", "R\"", "R\"(", "R\"x", "//", "/*", "\\", "// \\", "#", "'\\"}) {
    for (const Range& range : cppComments(text)) EXPECT_LE(range.end, std::string_view(text).size()) << text;
    for (const Range& range : hashComments(text)) EXPECT_LE(range.end, std::string_view(text).size()) << text;
  }
}

TEST(Suppressions, OnlyCommentsCount) {
  const SourceText text("a.cu",
                        "auto s = \"// neuron-port: ignore[NPT1003]\"; cudaFree(p);\n"
                        "cudaFree(q);  // neuron-port: ignore[NPT1003]\n"
                        "/* neuron-port: ignore[NPT1003]\n */ cudaFree(r);\n"
                        "auto t = \"neuron-port: x\"; cudaFree(s);  // neuron-port: ignore[NPT1003]\n");
  Suppressions s = Suppressions::parse(text, cppComments(text.bytes()));
  ASSERT_EQ(s.all().size(), 3u);
  const auto covers = [&](const char* what) {
    Finding f;
    f.rule = "NPT1003";
    const auto at = static_cast<Offset>(text.bytes().find(what));
    f.range = {at, at + 3};
    return s.covers(text, f);
  };
  EXPECT_FALSE(covers("cudaFree(p)"));
  EXPECT_TRUE(covers("cudaFree(q)"));
  EXPECT_TRUE(covers("cudaFree(r)"));
  EXPECT_TRUE(covers("cudaFree(s)"));
}

}  // namespace
}  // namespace np::analyzer
