// `translate`: the request's JSON to a TranslateRequest, the Translation to the reply's.

#include "analyzer/base/report/report_json.h"
#include "kernel_port/driver/case_runner.h"
#include "kernel_port/driver/translate.h"
#include "kernel_port/driver/verbs_json.h"

namespace np::kernel_port::driver {

Result<Json> translateVerb(const Json& request) {
  TranslateRequest in;
  NP_ASSIGN(in.launch_file, textOr(request, "launch", ""));
  NP_ASSIGN(in.source, textOr(request, "source", ""));
  NP_ASSIGN(in.only, textOr(request, "only", ""));
  NP_ASSIGN(in.includes, listOr(request, "includes"));
  NP_ASSIGN(in.defines, listOr(request, "defines"));
  NP_ASSIGN(in.out_dir, textOr(request, "out_dir", ""));
  NP_ASSIGN(in.origin, textOr(request, "origin", ""));
  NP_ASSIGN(in.python, textOr(request, "python", "python3"));
  NP_ASSIGN(in.python_path, textOr(request, "python_path", ""));
  NP_ASSIGN(in.library_dir, textOr(request, "library_dir", ""));
  NP_ASSIGN(in.target, textOr(request, "target", "trn2"));
  NP_ASSIGN(in.seed, numberOr(request, "seed", 1));
  NP_ASSIGN(const std::string emit, textOr(request, "emit", ""));
  NP_ASSIGN(const Translation done, translate(in));
  Json reply = {{"port", Json::parse(portToJson(done.port))}, {"entry", done.entry}};
  if (emit == "ir") reply["emitted"] = done.ir;
  if (emit == "spec") reply["emitted"] = done.spec;
  if (emit == "tile") reply["emitted"] = done.tile;
  if (emit == "nki") reply["emitted"] = done.nki;
  return reply;
}

}  // namespace np::kernel_port::driver
