// One line a code, in the order in which a translation meets them.

#include "cli/commands/refusal_codes.h"

#include <array>
#include <utility>

namespace np::cli {
namespace {

using Row = std::pair<const char*, const char*>;
constexpr std::array kRows = {
    Row{"NPT2901",
        "the kernel has a defect: a race, an access out of bounds, an uninitialised read, a divergent barrier"},
    Row{"NPT2902", "the launch does not fit the kernel's parameters"},
    Row{"NPT2903", "control or addresses depend on data"},
    Row{"NPT2904", "an operation outside what is lifted"},
    Row{"NPT2905", "an access outside a buffer, or to memory that was never written"},
    Row{"NPT2906", "lifting would take too much work at the sizes that are legal"},
    Row{"NPT2907", "the result depends on the order of threads"},
    Row{"NPT2908", "indices or conditions have no form in a Spec"},
    Row{"NPT2909", "no formula holds for every output element at every size tried"},
    Row{"NPT2910", "code or a decision that the sizes tried say nothing about"},
    Row{"NPT2911", "an output element is left unwritten"},
    Row{"NPT2920", "the host function that launches the kernel does something that no launch file can say"},
    Row{"NPT2921", "no sizes satisfy the host function's checks"},
    Row{"NPT2931", "blocks and warps in another order give another result"},
    Row{"NPT2932", "part of the kernel was never executed"},
    Row{"NPT2933", "the translation would not hold, or the kernel does not run, at a size that is allowed"},
    Row{"NPT2934", "a fault of ours: the formula fails at a size held out"},
    Row{"NPT2935", "a fault of ours: the Spec writes other elements than the kernel"},
    Row{"NPT2936", "a fault of ours: the Spec and the kernel disagree"},
    Row{"NPT2937", "a fault of ours: the tile program breaks a hardware rule"},
    Row{"NPT2938", "a fault of ours: the tile program and the kernel disagree"},
    Row{"NPT2939", "a fault of ours: the emitted text is not the program that was checked"},
    Row{"SCHED-PAD", "no schedule yet for reads that leave their buffer along two axes of a tile, or backwards"},
    Row{"SCHED-PAD-FACTOR", "outside its buffer a padded load would meet a factor that may be infinite"},
    Row{"SCHED-EXTREMUM-START", "a maximum or minimum of computed values starts at FLT_MAX"},
    Row{"SCHED-GATHER", "no schedule yet for indices that come from data"},
    Row{"SCHED-SCAN", "no schedule yet for recurrences of this form"},
    Row{"SCHED-NEGATIVE-STRIDE", "no schedule yet for reversed reads"},
    Row{"SCHED-PARTIAL-WRITE", "no schedule yet for outputs written in pieces"},
    Row{"SCHED-INTEGER", "no schedule yet for integer arithmetic on data"},
    Row{"SCHED-TYPE", "the chip has no such type (f64, i64)"},
    Row{"SCHED-CAST", "no schedule yet for this conversion"},
    Row{"SCHED-FUNCTION", "no schedule yet for this function"},
};

}  // namespace

std::string explainRefusal(const std::string& code) {
  for (const Row& row : kRows)
    if (code == row.first)
      return code + ": " + row.second +
             "\n\ndocs/architecture.md, \"Gates\", says when a translation is refused; the message names the line and "
             "what to change.\n";
  return "";
}

}  // namespace np::cli
