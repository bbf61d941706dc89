// The notebook mapper reads only what it needs; whether the whole is still JSON is for a JSON library to say.

#include <nlohmann/json.hpp>

#include "rewriter/python/syntax_check.h"

namespace np::rewriter {

bool isJson(std::string_view text) { return nlohmann::json::accept(text.begin(), text.end()); }

}  // namespace np::rewriter
