// Readiness: how much of a port is automatic, what takes minutes, hours or a rewrite, and in which order to do it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"

namespace np {

enum class Work { Rewrite, Hours, Minutes, Automatic };
const char* toString(Work work);

// One line of the work list: all places of a rule that want the same kind of work, or one kernel.
struct WorkItem {
  Work work = Work::Minutes;
  bool blocker = false;    // the project cannot run on Neuron before it is done
  std::string rule, name;  // of the rule, or of the refusal and the kernel
  std::uint32_t places = 0, files = 0;
  std::string path;  // of the first place
  std::uint32_t line = 0;
};

struct Readiness {
  std::uint32_t automatic = 0, minutes = 0, hours = 0, rewrite = 0;  // places
  std::uint32_t advice = 0;                                          // hints without a fix: to know, not to do
  std::uint32_t blockers = 0;                                        // work items
  std::vector<WorkItem> worklist;                                    // blockers first, then the most work first
};

// A safe fix is automatic; one to review takes minutes; the rest what its rule says. A kernel that was refused or is
// not supported is a rewrite and blocks; one that nobody tried to translate is not counted.
Readiness readinessOf(const Report& report);

}  // namespace np
