// The report's JSON: keys of the contract, and ports that survive the way through text.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analyzer/base/nearest.h"
#include "analyzer/base/report/report_json.h"

namespace np {
namespace {

TEST(Report, CountsFindingsByTheBestFix) {
  Report report;
  Finding finding;
  finding.rule = "NPT3001";
  finding.fixes = {Fix{FixSafety::Display}, Fix{FixSafety::Safe}};
  report.findings = {finding, Finding{}};
  const Summary summary = summarize(report);
  EXPECT_EQ(summary.safe, 1u);
  EXPECT_EQ(summary.by_hand, 1u);
  EXPECT_EQ(summary.by_rule.at("NPT3001"), 1u);
}

TEST(Report, JsonSurvivesInvalidText) {
  Report report;
  Finding finding;
  finding.message = "bad \xFF byte";
  report.findings = {finding};
  const auto json = nlohmann::json::parse(reportToJson(report));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["findings"].size(), 1u);
}

TEST(Report, PortGoesThroughText) {
  Port port;
  port.status = PortStatus::Refused;
  port.reason = PortReason{"NPT2901", "race", SourceRange{"a.cu", {3, 9}, {2, 1, 3}, {2, 7, 9}}, "add __syncthreads()"};
  port.gates = {{"race", false, "2 places"}};
  port.sizes = {{3, 67}};
  port.cost = CostEstimate{"trn2", 1, 2, 3, "dma"};
  const auto back = portFromJson(portToJson(port));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(portToJson(*back), portToJson(port));
  EXPECT_FALSE(portFromJson("[1]").ok());
  EXPECT_FALSE(portFromJson("{").ok());
}

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(nearest("NPT3002", {"NPT1003", "NPT3001"}), "NPT3001");
  EXPECT_EQ(nearest("chekc", {"fix", "check"}), "check");
  EXPECT_FALSE(nearest("entirely-different", {"fix", "check"}).has_value());
}

}  // namespace
}  // namespace np
