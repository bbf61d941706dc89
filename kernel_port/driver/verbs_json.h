// The verbs of neuron-port-kernel: each takes the request's JSON and gives the reply's.
#pragma once

#include <nlohmann/json.hpp>

#include "analyzer/base/result.h"

namespace np::kernel_port::driver {

using Json = nlohmann::ordered_json;

// Both: {"launch": FILE, "source": FILE?, "includes": [], "defines": [], "std": "c++17"?, "cases": [k, ...]?, "seed":
// n?,
//        "step_limit": n?}; the reply has "cases": [{"sizes", "seconds", "instructions", "defects": [...]}].
// run: also "out_dir" (writes DIR/k/in/NAME.npy and DIR/k/out/NAME.npy) and "inputs" (a folder laid out the same way).
Result<Json> runVerb(const Json& request);

// check: also "orders" (how many shuffled schedules to try beside the forward and the reversed one, default 1).
Result<Json> checkVerb(const Json& request);

// Also "out_dir" (the emitted module, written only when every gate passed), "only", "origin", "emit" (ir, spec, tile,
// nki), "python" and "python_path" (for the roundtrip gate), "target", "seed". The reply has "port" (as in the report),
// "entry" and, with "emit", "emitted".
Result<Json> translateVerb(const Json& request);

}  // namespace np::kernel_port::driver
