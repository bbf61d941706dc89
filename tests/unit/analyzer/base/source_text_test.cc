// Positions: columns in code points, byte order marks, all line ends, clamped offsets.

#include "analyzer/base/source_text.h"

#include <gtest/gtest.h>

namespace np {
namespace {

TEST(SourceText, CountsColumnsInCodePoints) {
  const SourceText text("a.py", "x = \"é\"; y\n");
  EXPECT_EQ(text.position(9).column, 9u);  // the é is two bytes
  EXPECT_EQ(text.position(0), (Position{1, 1, 0}));
}

TEST(SourceText, ByteOrderMarkIsNoColumn) {
  const SourceText text("a.py", "\xEF\xBB\xBFimport torch\n");
  EXPECT_EQ(text.position(3).column, 1u);
  EXPECT_EQ(text.position(3).offset, 3u);
  EXPECT_EQ(text.position(10).column, 8u);
}

TEST(SourceText, KnowsEveryLineEnd) {
  const SourceText text("a.py", "a\r\nb\rc\nd");
  EXPECT_EQ(text.lineCount(), 4u);
  EXPECT_EQ(text.slice(text.lineRange(0)), "a");
  EXPECT_EQ(text.slice(text.lineRange(1)), "b");
  EXPECT_EQ(text.slice(text.lineRange(3)), "d");
  EXPECT_EQ(text.position(5).line, 3u);
}

TEST(SourceText, ClampsOffsetsPastTheEnd) {
  const SourceText text("a.py", "ab");
  EXPECT_EQ(text.position(99), (Position{1, 3, 2}));
  EXPECT_EQ(text.slice({1, 99}), "b");
  EXPECT_TRUE(text.lineRange(7).empty());
}

TEST(Utf8, RejectsWhatIsNotUtf8) {
  EXPECT_TRUE(isValidUtf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
  EXPECT_FALSE(isValidUtf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(isValidUtf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(isValidUtf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(isValidUtf8("a\xE2\x82"));         // cut off
  EXPECT_FALSE(isValidUtf8("\x80"));
}

TEST(SourceText, ReadNamesWhatIsWrong) {
  const auto missing = SourceText::read("/nonexistent/x.py", "x.py");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "io");
  EXPECT_NE(missing.error().text().find("x.py"), std::string::npos);
}

}  // namespace
}  // namespace np
