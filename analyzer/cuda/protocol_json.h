// The worker's requests and replies as JSON text; both ends use these functions.
#pragma once

#include <string>

#include "analyzer/base/result.h"
#include "analyzer/cuda/device_ir.h"
#include "analyzer/cuda/facts.h"

namespace np::analyzer {

std::string toJson(const DeviceIrRequest& request);
std::string toJson(const DeviceIrReply& reply);
// Error "worker-protocol" when the text is not such a request or reply.
Result<DeviceIrRequest> deviceIrRequestFromJson(const std::string& text);
Result<DeviceIrReply> deviceIrReplyFromJson(const std::string& text);

std::string toJson(const FactsRequest& request);
std::string toJson(const FactsReply& reply);
Result<FactsRequest> factsRequestFromJson(const std::string& text);
Result<FactsReply> factsReplyFromJson(const std::string& text);

}  // namespace np::analyzer
