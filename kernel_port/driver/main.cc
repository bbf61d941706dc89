// neuron-port-kernel: runs, checks and translates CUDA kernels for the command line program.
//
// One request on standard input, {"verb": "run", ...}, one reply on standard output:
//   {"ok": true, ...} or {"ok": false, "error": {"code", "message", "location", "notes"}}
// Exit code 0 whenever a reply was written; 2 when the input is no request at all. A verb is one row below and one
// file.

#include <iostream>
#include <iterator>
#include <new>
#include <string>

#include "analyzer/base/nearest.h"
#include "kernel_port/driver/limits.h"
#include "kernel_port/driver/verbs_json.h"

namespace {

using np::kernel_port::driver::Json;

struct Verb {
  const char* name;
  np::Result<Json> (*run)(const Json& request);
};

constexpr Verb kVerbs[] = {
    {"run", np::kernel_port::driver::runVerb},
    {"check", np::kernel_port::driver::checkVerb},
    {"translate", np::kernel_port::driver::translateVerb},
};

np::Result<Json> dispatch(const Json& request) {
  const auto verb = request.find("verb");
  if (verb == request.end() || !verb->is_string())
    return np::makeError("request", "key \"verb\" of the request is missing");
  std::vector<std::string> names;
  for (const Verb& known : kVerbs) {
    if (*verb == known.name) return known.run(request);
    names.push_back(known.name);
  }
  const auto close = np::nearest(verb->get<std::string>(), names);
  return np::makeError("request", "unknown verb \"" + verb->get<std::string>() + "\"" +
                                      (close ? "; did you mean \"" + *close + "\"?" : ""));
}

Json errorReply(const np::Error& error) {
  return {{"ok", false},
          {"error",
           {{"code", error.code}, {"message", error.message}, {"location", error.location}, {"notes", error.notes}}}};
}

}  // namespace

int main() {
  np::kernel_port::driver::limitResources();
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  const Json request = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object()) {
    std::cerr << "neuron-port-kernel: standard input holds no JSON request; this program is run by neuron-port\n";
    return 2;
  }
  Json reply;
  try {
    auto result = dispatch(request);
    if (result.ok()) {
      reply = {{"ok", true}};
      reply.update(*result);
    } else {
      reply = errorReply(result.error());
    }
  } catch (const std::bad_alloc&) {
    reply = errorReply(np::makeError("memory-limit", "out of memory: use smaller sizes"));
  }
  // Text of the analysed source may hold bytes that are no UTF-8.
  std::cout << reply.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  return 0;
}
