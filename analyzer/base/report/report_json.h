// The Report as JSON, version 1 (docs/contracts: "Report JSON"); the schema it follows is report_schema.json beside it.
#pragma once

#include <string>

#include "analyzer/base/report/report.h"

namespace np {

// Pretty-printed with two spaces, newline at the end. Keys in contract order, lists in report order.
std::string reportToJson(const Report& report);

// One finding a line, each a JSON object of its own.
std::string findingsToJsonLines(const Report& report);

// The JSON Schema (draft 2020-12) of reportToJson's output.
std::string reportJsonSchema();

// Reads back the `kernels[].port` objects that neuron-port-kernel writes. Error "json" when the text is not such an
// object.
Result<Port> portFromJson(const std::string& text);
std::string portToJson(const Port& port);

}  // namespace np
