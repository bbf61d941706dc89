// Tests of torch.cuda.is_available(): what each one decides.
#pragma once

#include <vector>

#include "analyzer/python/module.h"

namespace np::analyzer::python {

enum class TestRole : std::uint8_t {
  Guard,   // decides whether statements run
  Choice,  // picks one of two expressions
  Flag,    // kept in a variable
  Skip,    // argument of a test decorator: skipif(not torch.cuda.is_available())
  Query,   // anything else: printed, returned, passed on
};

struct AvailabilityTest {
  NodeId call = kNoNode;
  TestRole role = TestRole::Query;
  // True when the guarded code runs if the call is false: `if not torch.cuda.is_available(): …`.
  bool negated = false;
  // False when the call is only one way to get in: `a or torch.cuda.is_available()`.
  bool decisive = true;
  NodeId holder = kNoNode;      // the if, elif or while, the conditional expression, the assignment, the decorator
  NodeId condition = kNoNode;   // the whole expression that the call is part of
  std::vector<NodeId> guarded;  // statements (or the expression) that need the call to be true
};

// No hand-written file comes near; bounds the time that generated ones may take.
inline constexpr std::size_t kMostTests = 500;

// In source order, at most kMostTests.
std::vector<AvailabilityTest> findAvailabilityTests(const Module& module);

// The statements that run only when `test`, an expression, is true; used for `if use_cuda:` as well.
// `holder` is filled with the statement or expression that tests it.
AvailabilityTest roleOf(const Module& module, NodeId test);

}  // namespace np::analyzer::python
