// Every file is read and, where it holds device code, parsed by tree-sitter; files that mention CUDA or torch go to
// Clang, one process a file, a few at a time. A file is Partial when Clang had errors there or could not be run: what
// tree-sitter saw is then all we have. Results do not depend on the order in which processes end.

#include "analyzer/index/cuda_analysis.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "analyzer/cuda/syntax_facts.h"
#include "analyzer/index/include_search.h"
#include "analyzer/index/join.h"
#include "analyzer/index/merged_facts.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

struct FileWork {
  std::string path;
  std::optional<SourceText> text;
  std::string unreadable;
  bool for_clang = false;
  bool header = false;
  std::string seen_by;  // a header: the source whose unit describes it
  std::optional<SyntaxFacts> syntax;
  std::string syntax_error;
  FactsRequest request;  // what Clang was asked
  std::optional<UnitFacts> unit;
  std::string clang_error;
};

bool mentionsCuda(std::string_view bytes) {
  for (const char* word : {"cuda", "CUDA", "__global__", "__device__", "<<<", "torch/", "TORCH_LIBRARY", "pybind11",
                           "ATen/", "cublas", "nccl"})
    if (bytes.find(word) != std::string_view::npos) return true;
  return false;
}

bool isHeader(const std::string& path) {
  return path.ends_with(".cuh") || path.ends_with(".h") || path.ends_with(".hpp") || path.ends_with(".hh") ||
         path.ends_with(".inl");
}

FileWork readFile(const fs::path& root, const std::string& path, const CudaOptions& options) {
  FileWork work;
  work.path = path;
  const auto planned = options.texts.find(path);
  Result<SourceText> text = planned != options.texts.end() ? Result<SourceText>(SourceText(path, planned->second))
                                                           : SourceText::read((root / path).string(), path);
  if (!text.ok()) {
    work.unreadable = text.error().message;
    return work;
  }
  work.text = std::move(*text);
  const std::string_view bytes = work.text->bytes();
  const bool device = mayHoldDeviceCode(bytes);
  if (device) {
    Result<SyntaxFacts> syntax = readSyntax(*work.text);
    if (syntax.ok())
      work.syntax = std::move(*syntax);
    else
      work.syntax_error = syntax.error().message;
  }
  const bool cuda_file = path.ends_with(".cu") || path.ends_with(".cuh");
  // A plain header is described by the files that include it.
  work.header = isHeader(path);
  work.for_clang = cuda_file || device || (mentionsCuda(bytes) && !work.header);
  return work;
}

void addFolder(std::vector<std::string>& out, const fs::path& root, const std::string& folder) {
  std::error_code ignored;
  const std::string normal = fs::path(folder).lexically_normal().string();
  if (std::find(out.begin(), out.end(), normal) == out.end() && fs::is_directory(root / folder, ignored))
    out.push_back(normal);
}

// Include folders: those of the build files, then the usual ones, then every folder above the file up to the root.
std::vector<std::string> includesFor(const std::string& path, const fs::path& root, const CudaOptions& options) {
  std::vector<std::string> out;
  for (const BuildFile& build : options.build_files) {
    const fs::path base = fs::path(build.path).parent_path();
    for (const Extension& extension : build.extensions)
      for (const std::string& folder : extension.include_dirs) addFolder(out, root, (base / folder).string());
  }
  for (const std::string& folder : options.includes) addFolder(out, root, folder);
  for (fs::path folder = fs::path(path).parent_path();; folder = folder.parent_path()) {
    addFolder(out, root, folder.empty() ? "." : folder.string());
    addFolder(out, root, (folder / "include").string());
    addFolder(out, root, (folder / "csrc").string());
    if (folder.empty()) break;
  }
  return out;
}

bool lists(const Extension& extension, const fs::path& base, const std::string& path) {
  return std::any_of(extension.sources.begin(), extension.sources.end(), [&](const std::string& source) {
    return (base / source).lexically_normal().generic_string() == path;
  });
}

// The macros of the extensions that list the file; of all extensions when none does.
std::vector<std::string> definesFor(const std::string& path, const CudaOptions& options) {
  std::vector<std::string> all, own;
  const auto addTo = [](std::vector<std::string>& out, const std::string& define) {
    if (std::find(out.begin(), out.end(), define) == out.end()) out.push_back(define);
  };
  for (const BuildFile& build : options.build_files)
    for (const Extension& extension : build.extensions) {
      const bool listed = lists(extension, fs::path(build.path).parent_path(), path);
      for (const std::string& define : extension.defines) {
        addTo(all, define);
        if (listed) addTo(own, define);
      }
    }
  std::vector<std::string> out = options.defines;
  for (const std::string& define : own.empty() ? all : own) addTo(out, define);
  std::erase(out, "WITH_NEURON");  // the CUDA side is what is analysed
  return out;
}

void runClang(FileWork& work, const fs::path& root, const CudaOptions& options, const IncludeSearch& search) {
  FactsRequest request;
  request.root = root.string();
  request.files = {work.path};
  request.includes = includesFor(work.path, root, options);
  request.late_includes = search.foldersFor(work.path, request.includes);
  request.defines = definesFor(work.path, options);
  request.std = options.std;
  request.texts = options.texts;
  Result<UnitFacts> unit = collectFacts(request, options.worker);
  if (unit.ok())
    work.unit = std::move(*unit);
  else
    work.clang_error = unit.error().message;
  work.request = std::move(request);
}

template <class Wanted>
void runClangOn(std::vector<FileWork>& works, const fs::path& root, const CudaOptions& options,
                const IncludeSearch& search, Wanted wanted) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < works.size(); i = next++)
      if (works[i].for_clang && wanted(works[i])) runClang(works[i], root, options, search);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back(loop);
  loop();
  for (std::thread& thread : threads) thread.join();
}

// Sources first; a header is then parsed alone only when no source includes it, because headers lean on what stands
// before them.
void runClangOnAll(std::vector<FileWork>& works, const fs::path& root, const CudaOptions& options) {
  IncludeSearch search;
  for (const FileWork& work : works)
    if (work.text) search.add(work.path, includedNames(work.text->bytes()));
  runClangOn(works, root, options, search, [](const FileWork& work) { return !work.header; });
  std::map<std::string, std::string> seen_by;
  for (const FileWork& work : works)
    for (const std::string& file : work.unit ? work.unit->files : std::vector<std::string>())
      seen_by.emplace(file, work.path);
  for (FileWork& work : works)
    if (const auto seen = seen_by.find(work.path); work.header && seen != seen_by.end()) work.seen_by = seen->second;
  runClangOn(works, root, options, search, [](const FileWork& work) { return work.header && work.seen_by.empty(); });
}

// The first error that a unit reports inside one of its headers; empty when there is none.
std::string errorInHeader(const FileWork& header, const std::vector<FileWork>& works) {
  for (const FileWork& work : works)
    if (work.path == header.seen_by && work.unit)
      for (const SourceDiagnostic& diagnostic : work.unit->diagnostics)
        if (diagnostic.path == header.path)
          return diagnostic.path + ":" + std::to_string(diagnostic.line) + ": " + diagnostic.message;
  return {};
}

CudaFile statusOf(const FileWork& work, const std::vector<FileWork>& works, std::size_t added) {
  CudaFile out;
  out.path = work.path;
  out.command = work.request;
  out.seen_by = work.seen_by;
  const auto partial = [&](const std::string& reason) {
    out.status = FileStatus::Partial;
    out.reason = reason;
  };
  if (!work.unreadable.empty()) {
    out.status = FileStatus::Skipped;
    out.reason = work.unreadable;
  } else if (!work.for_clang) {
    return out;
  } else if (!work.seen_by.empty()) {
    if (const std::string error = errorInHeader(work, works); !error.empty()) partial(error);
  } else if (!work.unit) {
    partial("clang: " + work.clang_error);
  } else if (work.unit->status != UnitStatus::Parsed) {
    partial(work.unit->reason);
  } else if (!work.syntax_error.empty()) {
    partial(work.syntax_error);
  }
  if (added && out.status == FileStatus::Partial)
    out.reason += "; " + std::to_string(added) + (added == 1 ? " kernel or launch" : " kernels and launches") +
                  " known by syntax alone";
  return out;
}

// Extensions with sources relative to the root.
std::vector<Extension> extensionsOf(const CudaOptions& options) {
  std::vector<Extension> out;
  for (const BuildFile& build : options.build_files) {
    const fs::path base = fs::path(build.path).parent_path();
    for (Extension extension : build.extensions) {
      for (std::string& source : extension.sources) source = (base / source).lexically_normal().string();
      out.push_back(std::move(extension));
    }
  }
  return out;
}

}  // namespace

Result<CudaAnalysis> analyzeCuda(const std::string& given_root, const std::vector<std::string>& files,
                                 const CudaOptions& options) {
  std::error_code failed;
  const fs::path root = fs::canonical(given_root, failed);
  if (failed) return makeError("not-found", "\"" + given_root + "\" does not exist");
  std::vector<FileWork> works;
  for (const std::string& file : files) works.push_back(readFile(root, file, options));
  runClangOnAll(works, root, options);

  std::vector<UnitFacts> units;
  for (FileWork& work : works)
    if (work.unit) units.push_back(*work.unit);
  MergedFacts facts = mergeUnits(std::move(units));
  CudaAnalysis out;
  for (const FileWork& work : works) {
    const std::size_t added = work.syntax ? addSyntax(work.path, *work.syntax, facts) : 0;
    out.files.push_back(statusOf(work, works, added));
  }
  out.extensions = extensionsOf(options);
  joinFacts(facts, out);
  out.host_functions = std::move(facts.host_functions);
  out.kernel_facts = std::move(facts.kernels);
  out.launch_facts = std::move(facts.launches);
  out.uses = std::move(facts.uses);
  out.traits = std::move(facts.traits);
  out.functions = std::move(facts.functions);
  out.includes = std::move(facts.includes);
  return out;
}

std::set<std::string> cudaModules(const CudaAnalysis& analysis) {
  std::set<std::string> out;
  for (const Extension& extension : analysis.extensions) {
    const bool has_cuda = extension.kind == "CUDAExtension" ||
                          std::any_of(extension.sources.begin(), extension.sources.end(),
                                      [](const std::string& source) { return source.ends_with(".cu"); });
    if (has_cuda && !extension.name.empty()) out.insert(extension.name);
  }
  return out;
}

std::vector<const Kernel*> kernelsReachedBy(const CudaAnalysis& analysis, const std::string& python_name) {
  std::vector<const Kernel*> out;
  const auto named = [&](const Binding& binding) {
    const std::string& name = binding.name;
    if (name == python_name) return true;
    const bool tail = name.size() > python_name.size() && name.ends_with(python_name);
    const char before = tail ? name[name.size() - python_name.size() - 1] : ' ';
    return tail && (before == '.' || before == ':');
  };
  for (const Kernel& kernel : analysis.kernels)
    if (std::any_of(kernel.bindings.begin(), kernel.bindings.end(), named)) out.push_back(&kernel);
  return out;
}

}  // namespace np::analyzer
