// The `facts` verb: one host pass over each file on a bare checkout.
#pragma once

#include "analyzer/cuda/facts.h"

namespace np::analyzer::worker {

FactsReply collectHostFacts(const FactsRequest& request);

}  // namespace np::analyzer::worker
