// Where things are written: Clang's locations as places in the files of the project.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/base/report/report.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class LangOptions;
class SourceManager;
}  // namespace clang

namespace np::analyzer::worker {

// "From our shims": which of the embedded folders a location lies in.
enum class Origin { Project, CudaShim, TorchShim, Elsewhere };

class Places {
 public:
  // `root` must be a real path.
  Places(clang::SourceManager& sources, const clang::LangOptions& language, std::string root);

  Origin origin(clang::SourceLocation where);
  // The file a location is written in, relative to the root; empty when it lies elsewhere.
  const std::string& path(clang::SourceLocation where);
  // The text as written in the project's file. Code from a macro body is the use of the macro; from a macro argument,
  // itself.
  SourceRange range(clang::SourceRange tokens);
  std::string text(clang::SourceRange tokens);
  // The token at `where`.
  SourceRange token(clang::SourceLocation where);
  // The macros whose bodies spell the code at `where`, innermost first; empty for code written out, even as a macro
  // argument.
  std::vector<std::string> spellingMacros(clang::SourceLocation where);
  // Where the code stands in its file: an argument where it is written, a macro body where the macro is used.
  clang::SourceLocation useOf(clang::SourceLocation where);

 private:
  struct File {
    std::string path;
    Origin origin = Origin::Elsewhere;
    std::unique_ptr<SourceText> text;
  };
  File& fileOf(clang::SourceLocation where);
  clang::CharSourceRange fileRange(clang::SourceRange tokens);

  clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  std::string root_;
  std::map<clang::FileID, File> files_;
};

}  // namespace np::analyzer::worker
