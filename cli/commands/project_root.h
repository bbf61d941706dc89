// The project that a command line is about.
#pragma once

#include <string>
#include <vector>

namespace np::cli {

// The project root of the folder that holds all of `paths`, so that every one of them is inside; none: of the working
// directory. A link to a file counts where the link is; a link to a folder is followed, as the user named it.
std::string projectRoot(const std::vector<std::string>& paths);

}  // namespace np::cli
