// neuron-port-clang VERB: one request as JSON on standard input, one reply as JSON on standard output.
//
//   ir      device bitcode of named kernels
//   facts   kernels, launches, bindings and CUDA names of files on a bare checkout
//
// Limits itself (memory, CPU time) because what it parses is not trusted. Exit code 0 when a reply was written, 2 for a
// usage error. A crash of Clang ends the process; the client reports it.

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <iostream>
#include <iterator>
#include <string>

#include "analyzer/cuda/protocol_json.h"
#include "analyzer/cuda/worker/device_compiler.h"
#include "analyzer/cuda/worker/host_facts.h"

namespace {

using namespace np;
using namespace np::analyzer;

constexpr rlim_t kMemoryBytes = rlim_t{6} << 30;
// Processor time, not wall time: what a file yields must not depend on how busy the machine is.
constexpr rlim_t kCpuSeconds = 120;

void limitResources() {
  const rlimit memory{kMemoryBytes, kMemoryBytes}, cpu{kCpuSeconds, kCpuSeconds}, core{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
}

Result<std::string> answer(const std::string& verb, const std::string& text) {
  if (verb == "ir") {
    NP_ASSIGN(const DeviceIrRequest request, deviceIrRequestFromJson(text));
    return toJson(worker::compileDevice(request));
  }
  if (verb == "facts") {
    NP_ASSIGN(const FactsRequest request, factsRequestFromJson(text));
    return toJson(worker::collectHostFacts(request));
  }
  return makeError("usage", "unknown verb \"" + verb + "\", expected ir or facts");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: neuron-port-clang ir|facts <request.json >reply.json\n");
    return 2;
  }
  limitResources();
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const Result<std::string> reply = answer(argv[1], text);
  if (!reply) {
    fprintf(stderr, "neuron-port-clang: %s\n", reply.error().text().c_str());
    return 2;
  }
  std::cout << *reply << '\n';
  return 0;
}
