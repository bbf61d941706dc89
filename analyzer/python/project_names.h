// The import graph of a project: which file a module name means, what a name of another file stands for, which device
// it holds. Per-file summaries are made on demand, so that only files which some question reaches are parsed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/source_text.h"
#include "analyzer/python/device_terms.h"
#include "analyzer/python/file_summary.h"

namespace np::analyzer::python {

// Safe to use from several threads. The texts must outlive it; files that cannot be parsed bind nothing.
class ProjectNames {
 public:
  explicit ProjectNames(std::vector<const SourceText*> files);
  ~ProjectNames();

  // The outside name behind a dotted name written in `from`, followed through relative imports, re-exports and star
  // imports: ".compat.autocast" → "torch.cuda.amp.autocast". A name that ends in the project comes back as
  // "package.module.name"; one that leads nowhere comes back as it is.
  std::string canonicalName(std::string_view from, std::string_view dotted) const;

  // What `name` stands for when it can only come from one of the star imports of `from`; empty when none gives it.
  std::string starName(std::string_view from, const std::vector<std::string>& stars, std::string_view name) const;

  // The file of the project that a module name means in `from`; empty for outside modules.
  std::string fileOf(std::string_view from, std::string_view module) const;

  // Whether the project itself defines what the name means: a module, or something bound in one.
  bool defines(std::string_view from, std::string_view dotted) const;
  // Whether some file besides `from` holds the text: false proves that none of them uses such a name.
  bool heldElsewhere(std::string_view from, std::string_view text) const;
  // Whether the name means a function of the project that is compiled for GPUs.
  bool isGpuFunction(std::string_view from, std::string_view dotted) const;

  // The terms of a value of another file, with names resolved as far as the project goes.
  DeviceTerms deviceTerms(std::string_view from, const DeviceTerm& term) const;

 private:
  struct File;
  struct Place {
    const File* file = nullptr;
    std::string rest;  // "DEVICE", "Config.device", "get_device()"; empty: the module itself
  };
  const File* find(std::string_view from, const std::vector<std::string>& parts, std::size_t count) const;
  Place locate(std::string from, std::string dotted, std::string* outside, int& budget) const;
  std::optional<std::string> exported(const File& file, std::string_view name, int& budget) const;
  DeviceTerms deviceTerms(std::string_view from, const DeviceTerm& term, int& budget) const;
  const FileSummary& summaryOf(const File& file) const;
  const File* byPath(std::string_view path) const;
  void buildIndex() const;

  std::vector<std::unique_ptr<File>> files_;
  mutable std::once_flag indexed_;
  mutable std::map<std::string, std::vector<const File*>, std::less<>> by_stem_;
  mutable std::map<std::string_view, const File*> by_path_;
};

}  // namespace np::analyzer::python
