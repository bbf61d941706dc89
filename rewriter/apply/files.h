// Whole files of a project, read and written without being led astray: what stands in a checkout was put there by
// somebody else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace np::rewriter {

// The bytes of a regular file; false for anything else. A link in the last place is not followed.
bool readFile(const std::filesystem::path& path, std::string& out);

// Makes a file that was not there; false when something has the name already. Permissions, and where possible the
// owner, are those of `like` when it is given.
bool writeNewFile(const std::filesystem::path& path, std::string_view bytes, const std::filesystem::path& like = {});

// Why a file of the project must not be replaced: "is read-only", "is a link that leads out of the project", …; empty
// when nothing speaks against it. `path` is relative to the root.
std::string whyNotReplaceable(const std::string& root, const std::string& path);

// A file name that nobody can have planted a file or link at, and that isTemporaryName knows again.
std::string temporaryName();
bool isTemporaryName(std::string_view name);

}  // namespace np::rewriter
