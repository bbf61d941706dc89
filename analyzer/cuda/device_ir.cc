// Names of the plain types of a device IR request.

#include "analyzer/cuda/device_ir.h"

namespace np::analyzer {

const char* toString(ParamKind kind) {
  switch (kind) {
    case ParamKind::Pointer:
      return "pointer";
    case ParamKind::Integer:
      return "integer";
    case ParamKind::Float:
      return "float";
    case ParamKind::Struct:
      return "struct";
  }
  return "struct";
}

}  // namespace np::analyzer
