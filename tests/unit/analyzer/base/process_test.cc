// Children: exit codes, large input and output at once, deadlines, programs that do not exist.

#include "analyzer/base/process.h"

#include <gtest/gtest.h>

namespace np {
namespace {

TEST(Process, PassesInputAndTakesOutput) {
  ProcessRequest request;
  request.argv = {"cat"};
  request.input = std::string(1 << 20, 'x');
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, request.input);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(Process, KeepsOutputAndErrorApart) {
  ProcessRequest request;
  request.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"};
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "out\n");
  EXPECT_EQ(result->err, "err\n");
  EXPECT_EQ(result->exit_code, 3);
}

TEST(Process, EndsWhatRunsTooLong) {
  ProcessRequest request;
  request.argv = {"sh", "-c", "sleep 60"};
  request.timeout = std::chrono::milliseconds(100);
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->timed_out);
}

TEST(Process, SurvivesAChildThatDoesNotRead) {
  ProcessRequest request;
  request.argv = {"true"};
  request.input = std::string(1 << 20, 'x');
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exit_code, 0);
}

TEST(Process, ReportsSignals) {
  ProcessRequest request;
  request.argv = {"sh", "-c", "kill -SEGV $$"};
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->signal, 11);
  EXPECT_EQ(result->exit_code, 139);
}

TEST(Process, NamesTheProgramThatIsMissing) {
  ProcessRequest request;
  request.argv = {"/nonexistent/program"};
  const auto result = runProcess(request);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("/nonexistent/program"), std::string::npos);
}

TEST(Process, AddsToTheEnvironment) {
  ProcessRequest request;
  request.argv = {"sh", "-c", "printf %s \"$NP_TEST_VALUE\""};
  request.environment = {"NP_TEST_VALUE=one"};
  const auto result = runProcess(request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "one");
}

}  // namespace
}  // namespace np
