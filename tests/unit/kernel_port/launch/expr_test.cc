// Expressions: values with floor division, precedence, canonical text, and errors that name the thing.

#include "kernel_port/launch/expr.h"

#include <gtest/gtest.h>

namespace np::kernel_port::launch {
namespace {

const Sizes kSizes = {{"M", 7}, {"N", 67}, {"zero", 0}, {"big", INT64_MAX}};

struct ValueCase {
  const char* text;
  int64_t value;
  const char* printed;
};

TEST(Expr, ValuesAndText) {
  for (const ValueCase& c : std::initializer_list<ValueCase>{{"3", 3, "3"},
                                                             {"M*N", 469, "M*N"},
                                                             {"M + N * 2", 141, "M + N*2"},
                                                             {"(M+N)*2", 148, "(M + N)*2"},
                                                             {"N - M - 1", 59, "N - M - 1"},
                                                             {"N - (M - 1)", 61, "N - (M - 1)"},
                                                             {"N/2", 33, "N/2"},
                                                             {"-N/2", -34, "-N/2"},
                                                             {"-N%4", 1, "-N%4"},
                                                             {"N % -4", -1, "N%-4"},
                                                             {"ceildiv(N, 32)", 3, "ceildiv(N, 32)"},
                                                             {"ceildiv(-N,32)", -2, "ceildiv(-N, 32)"},
                                                             {"min(M,N,3)", 3, "min(M, N, 3)"},
                                                             {"max(M, N)", 67, "max(M, N)"},
                                                             {"M/(N/2)", 0, "M/(N/2)"},
                                                             {"M/N*2", 0, "M/N*2"},
                                                             {"--M", 7, "--M"}}) {
    auto expr = parseExpr(c.text);
    ASSERT_TRUE(expr.ok()) << c.text;
    auto value = evaluate(*expr, kSizes);
    ASSERT_TRUE(value.ok()) << c.text;
    EXPECT_EQ(*value, c.value) << c.text;
    EXPECT_EQ(toText(*expr), c.printed);
    EXPECT_EQ(toText(*parseExpr(toText(*expr))), c.printed);
  }
}

TEST(Expr, ParseErrorsNameTextAndColumn) {
  struct Case {
    const char *text, *part;
  };
  for (const Case& c : std::initializer_list<Case>{{"", "an operand is missing at column 1"},
                                                   {"M +", "an operand is missing at column 4"},
                                                   {"M N", "unexpected \"N\" at column 3"},
                                                   {"(M", "\")\" is missing"},
                                                   {"floor(M)", "unknown function \"floor\""},
                                                   {"ceildiv(M)", "\"ceildiv\" takes two operands"},
                                                   {"ceildiv(M,1,2)", "\"ceildiv\" takes two operands"},
                                                   {"1.5", "unexpected \".\""},
                                                   {"99999999999999999999", "does not fit 64 bits"}}) {
    auto expr = parseExpr(c.text);
    ASSERT_FALSE(expr.ok()) << c.text;
    EXPECT_EQ(expr.error().code, "bad-expression");
    EXPECT_NE(expr.error().message.find(c.part), std::string::npos) << expr.error().message;
  }
  EXPECT_FALSE(parseExpr(std::string(100000, '(')).ok());
  EXPECT_FALSE(parseExpr(std::string(100000, '-') + "1").ok());
}

TEST(Expr, EvaluationErrors) {
  for (const char* text : {"M/zero", "M%zero", "ceildiv(M,zero)", "big+1", "big*2", "-big-2", "unknown"})
    EXPECT_FALSE(evaluate(*parseExpr(text), kSizes).ok()) << text;
}

TEST(Expr, Conditions) {
  EXPECT_TRUE(*holds(*parseCondition("M <= 7"), kSizes));
  EXPECT_FALSE(*holds(*parseCondition("M<7"), kSizes));
  EXPECT_TRUE(*holds(*parseCondition("N % 4 == 3"), kSizes));
  EXPECT_TRUE(*holds(*parseCondition("N != M"), kSizes));
  EXPECT_TRUE(*holds(*parseCondition("N >= M * 2"), kSizes));
  EXPECT_FALSE(parseCondition("N").ok());
  EXPECT_FALSE(parseCondition("N < M < 3").ok());
}

}  // namespace
}  // namespace np::kernel_port::launch
