// The verbs. Each prints its result to standard output, everything else to standard error, and returns the exit code of
// the contract: 0 done, 1 findings or refusals, 2 bad usage or input, 3 our own error.
#pragma once

#include "cli/invocation.h"

namespace np::cli {

enum ExitCode { kDone = 0, kFindings = 1, kUsage = 2, kInternal = 3 };

int runCheck(const Invocation& invocation);   // check, fix
int runKernel(const Invocation& invocation);  // kernel run, check, translate
int runPort(const Invocation& invocation);
int runGraph(const Invocation& invocation);
int runProgram(const Invocation& invocation);  // run
int runExplain(const Invocation& invocation);
int runRules(const Invocation& invocation);
int runSchema(const Invocation& invocation);
int runDoctor(const Invocation& invocation);
int runConfig(const Invocation& invocation);
int runBaseline(const Invocation& invocation);  // baseline create, update, prune
int runClean(const Invocation& invocation);

}  // namespace np::cli
