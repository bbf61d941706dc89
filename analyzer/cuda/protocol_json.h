// The worker's requests and replies as JSON text; both ends use these functions.
#pragma once

#include <string>

#include "analyzer/base/result.h"
#include "analyzer/cuda/device_ir.h"

namespace np::analyzer {

std::string toJson(const DeviceIrRequest& request);
std::string toJson(const DeviceIrReply& reply);
// Error "worker-protocol" when the text is not such a request or reply.
Result<DeviceIrRequest> deviceIrRequestFromJson(const std::string& text);
Result<DeviceIrReply> deviceIrReplyFromJson(const std::string& text);

}  // namespace np::analyzer
