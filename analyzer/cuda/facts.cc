// Names of the plain types of a facts reply.

#include "analyzer/cuda/facts.h"

namespace np::analyzer {

const char* toString(UnitStatus status) {
  switch (status) {
    case UnitStatus::Parsed:
      return "parsed";
    case UnitStatus::Partial:
      return "partial";
    case UnitStatus::Failed:
      return "failed";
  }
  return "failed";
}

}  // namespace np::analyzer
