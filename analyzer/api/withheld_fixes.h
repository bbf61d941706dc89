// Fixes that are not made whatever a rule proposes.
#pragma once

#include "analyzer/base/finding.h"

namespace np::analyzer {

// Takes the fixes of a stub (.pyi) away, with a note: it states the types of a module, and its defaults are never
// computed.
void withholdFixes(Finding& finding);

}  // namespace np::analyzer
