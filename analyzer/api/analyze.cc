// Reads every file once, lets a small pool of threads analyse the Python ones while the Clang worker's processes do the
// C++ ones, then joins, selects, suppresses and orders. Output does not depend on the number of jobs.

#include "analyzer/api/analyze.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "analyzer/api/file_suppressions.h"
#include "analyzer/api/fingerprint.h"
#include "analyzer/api/kept_results.h"
#include "analyzer/api/nearest_selection.h"
#include "analyzer/api/withheld_fixes.h"
#include "analyzer/build/extensions.h"
#include "analyzer/index/cuda_analysis.h"
#include "analyzer/python/project_names.h"
#include "analyzer/rules/cuda/cuda_rules.h"
#include "analyzer/rules/environment/analyze_environment.h"
#include "analyzer/rules/host/host_rules.h"
#include "analyzer/rules/torch/analyze_python.h"
#include "analyzer/rules/torch/api_table.h"
#include "analyzer/rules/torch/script_safety.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

// Python files beyond this size are data, not code; parsing them would cost minutes.
constexpr std::size_t kMaxBytes = 16u << 20;

struct Unit {
  ProjectFile file;
  SourceText text;
  PythonResult python;
  bool is_read = true;  // false: the text was not needed so far
  FileStamp stamp;      // taken before reading, when results are kept
  ContentHash content;
  std::string unreadable;  // why the text cannot be had
};

class Run {
 public:
  Run(const AnalyzeRequest& request, const RuleRegistry& rules) : request_(request), rules_(rules) {}

  Result<Analysis> analyze() {
    std::vector<std::string> ids;
    for (const RuleInfo& rule : rules_.all()) ids.push_back(rule.id);
    NP_TRY(RuleSelection::make(request_.selection, ids));  // the first mistake to name
    NP_ASSIGN(Walk walk, walkFiles());
    NP_ASSIGN(const NearestSelection selection, NearestSelection::make(request_, ids, walk));
    walk.files.insert(walk.files.end(), walk.environment.begin(), walk.environment.end());
    addOverlaid(walk);
    out_.root = walk.root;
    NP_ASSIGN(const ApiTable table, ApiTable::load());
    readFiles(walk);
    // The C++ side first: it tells which Python modules are compiled CUDA extensions.
    NP_TRY(analyzeCudaFiles());
    analyzePythonFiles(table);
    collect(selection);
    finish();
    return std::move(out_);
  }

 private:
  Result<Walk> walkFiles() {
    Walk walk;
    if (request_.overlay.empty() || !request_.walk.only.empty() || request_.walk.paths.empty() ||
        request_.walk.paths[0] != "-") {
      NP_ASSIGN(walk, walkProject(request_.root, request_.walk));
    } else {
      walk.root = request_.root;
    }
    return walk;
  }

  void addOverlaid(Walk& walk) const {
    std::set<std::string_view> known;
    for (const ProjectFile& file : walk.files) known.insert(file.path);
    std::vector<ProjectFile> overlaid;
    for (const auto& [path, text] : request_.overlay) {
      ProjectFile file{path, FileKind::Python};
      if (!known.contains(path) && fileKind(path, file.kind)) overlaid.push_back(file);
    }
    walk.files.insert(walk.files.end(), overlaid.begin(), overlaid.end());
  }

  // A run over part of a project, or over texts that are not on disk, keeps nothing.
  bool keepsResults() const {
    return !request_.cache_folder.empty() && request_.overlay.empty() && request_.walk.only.empty();
  }

  static bool isPython(const ProjectFile& file) {
    return file.kind == FileKind::Python || file.kind == FileKind::Notebook;
  }

  void readFiles(const Walk& walk) {
    Coverage& coverage = out_.report.coverage;
    // Coverage is about sources; an environment file counts only when it could not be read.
    for (const ProjectFile& file : walk.files) coverage.files += file.kind != FileKind::Environment;
    coverage.files += static_cast<std::uint32_t>(walk.unreadable.size());
    for (const Unreadable& file : walk.unreadable) coverage.skipped.push_back({file.path, file.reason});
    std::vector<Result<SourceText>> texts(walk.files.size(), SourceText());
    const auto waits = [&](std::size_t i) {
      return keepsResults() && isPython(walk.files[i]) && !isBuildFile(walk.files[i]);
    };
    inParallel(texts.size(), [&](std::size_t i) {
      if (waits(i)) return;
      const std::string& path = walk.files[i].path;
      const auto overlaid = request_.overlay.find(path);
      texts[i] = overlaid != request_.overlay.end()
                     ? Result<SourceText>(SourceText(path, overlaid->second))
                     : SourceText::read((fs::path(walk.root) / path).string(), path, kMaxBytes);
    });
    units_.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].ok()) {
        units_.push_back({walk.files[i], std::move(*texts[i]), {}, !waits(i), {}, {}, ""});
        continue;
      }
      coverage.files += walk.files[i].kind == FileKind::Environment;
      coverage.skipped.push_back({walk.files[i].path, texts[i].error().message});
    }
  }

  std::string onDisk(const Unit& unit) const { return out_.root + "/" + unit.file.path; }

  void read(Unit& unit) const {
    if (unit.is_read) return;
    auto text = SourceText::read(onDisk(unit), unit.file.path, kMaxBytes);
    unit.is_read = text.ok();
    if (text.ok())
      unit.text = std::move(*text);
    else
      unit.unreadable = text.error().message;
    unit.content = hashOf(unit.text.bytes());
  }

  void leaveUnreadable() {
    for (const Unit& unit : units_)
      if (!unit.unreadable.empty()) out_.report.coverage.skipped.push_back({unit.file.path, unit.unreadable});
    std::erase_if(units_, [](const Unit& unit) { return !unit.unreadable.empty(); });
  }

  // Calls work(0) … work(count - 1), on as many threads as the request allows.
  template <typename Work>
  void inParallel(std::size_t count, const Work& work) const {
    std::atomic<std::size_t> next{0};
    const auto loop = [&] {
      for (std::size_t i; (i = next++) < count;) work(i);
    };
    const unsigned wanted =
        request_.jobs > 0 ? static_cast<unsigned>(request_.jobs) : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> pool;
    for (unsigned i = 1; i < std::min<std::size_t>(wanted, count); ++i) pool.emplace_back(loop);
    loop();
    for (std::thread& thread : pool) thread.join();
  }

  static bool isCpp(FileKind kind) {
    return kind == FileKind::Cuda || kind == FileKind::Cpp || kind == FileKind::CppHeader;
  }

  static bool isBuildFile(const ProjectFile& file) {
    const std::string name = fs::path(file.path).filename().string();
    return file.kind == FileKind::Python && (name == "setup.py" || name == "build.py");
  }

  Result<void> analyzeCudaFiles() {
    std::vector<std::string> files;
    CudaOptions options;
    options.jobs = request_.jobs > 0 ? static_cast<unsigned>(request_.jobs) : 2;
    for (const Unit& unit : units_) {
      if (isCpp(unit.file.kind)) files.push_back(unit.file.path);
      if (!isBuildFile(unit.file)) continue;
      auto build_file = readBuildFile(unit.text);
      if (build_file.ok()) options.build_files.push_back(std::move(*build_file));
      auto findings = checkBuildFile(unit.text, rules_);
      if (findings.ok()) add(*findings);
    }
    if (request_.with_cuda) checkHostCode(options.build_files);
    for (const auto& [path, text] : request_.overlay)
      if (FileKind kind; fileKind(path, kind) && isCpp(kind)) options.texts.emplace(path, text);
    if (files.empty() || !request_.with_cuda) {
      for (BuildFile& file : options.build_files)
        out_.extensions.insert(out_.extensions.end(), file.extensions.begin(), file.extensions.end());
      return {};
    }
    if (request_.known_cuda) {
      cuda_ = *request_.known_cuda;
    } else {
      NP_ASSIGN(cuda_, analyzeCuda(out_.root, files, options));
    }
    out_.cuda = std::make_shared<const CudaAnalysis>(cuda_);
    NP_ASSIGN(const std::vector<Finding> findings, checkCuda(cuda_, rules_));
    add(findings);
    out_.report.kernels = cuda_.kernels;
    out_.host_functions = cuda_.host_functions;
    out_.extensions = cuda_.extensions;
    for (const BindingFacts& binding : cuda_.bindings) out_.bindings.push_back(binding.binding);
    return {};
  }

  void checkHostCode(const std::vector<BuildFile>& build_files) {
    std::vector<const SourceText*> texts;
    for (const Unit& unit : units_)
      if (isCpp(unit.file.kind)) texts.push_back(&unit.text);
    add(checkHost(texts, build_files, rules_));
  }

  void add(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) by_path_[finding.path].push_back(finding);
  }

  void analyzePythonFiles(const ApiTable& table) {
    PythonContext context{rules_, table};
    context.target = request_.neuron_target ? Target::Neuron : Target::Accelerator;
    context.pin = torchPin();
    context.cuda_modules = cudaModules(cuda_);
    std::optional<ResultCache> cache;
    if (keepsResults()) {
      const ContentHash depends = keptContext(request_.cache_key + "\n" + request_.min_torch, out_.root, context);
      cache = ResultCache::open(request_.cache_folder, depends);
      if (takeKept(*cache)) {
        // Only Python's results are kept; requirements, containers and the like are few and looked at each time.
        inParallel(units_.size(), [&](std::size_t i) {
          if (!isPython(units_[i].file)) analyzeUnit(units_[i], context);
        });
        return;
      }
      inParallel(units_.size(), [&](std::size_t i) { read(units_[i]); });
      leaveUnreadable();
    }
    std::vector<const SourceText*> python_texts;
    for (const Unit& unit : units_) {
      if (unit.file.kind != FileKind::Python) continue;
      python_texts.push_back(&unit.text);
      context.own_modules.insert(unit.file.path.substr(0, unit.file.path.find_first_of("/.")));
      context.own_modules.insert(moduleName(unit.file.path));
    }
    context.compiles_script = std::any_of(python_texts.begin(), python_texts.end(),
                                          [](const SourceText* text) { return mentionsScript(text->bytes()); });
    const python::ProjectNames project(std::move(python_texts));
    context.project = &project;
    inParallel(units_.size(), [&](std::size_t i) { analyzeUnit(units_[i], context); });
    if (cache) keepAll(*cache);
  }

  ContentHash digest() const {
    std::vector<std::pair<std::string, ContentHash>> files;
    for (const Unit& unit : units_)
      if (isPython(unit.file)) files.emplace_back(unit.file.path, unit.content);
    return digestOf(files);
  }

  // True when every Python file is as it was when the cache was saved: then all results are in it. A file that nobody
  // touched is not even read.
  bool takeKept(ResultCache& cache) {
    std::atomic<bool> touched{false};
    inParallel(units_.size(), [&](std::size_t i) {
      Unit& unit = units_[i];
      if (!isPython(unit.file)) return;
      if (unit.is_read) {
        unit.content = hashOf(unit.text.bytes());
        return;
      }
      unit.stamp = stampOf(onDisk(unit)).value_or(FileStamp{});
      if (const auto* entry = cache.untouched(unit.file.path, unit.stamp)) {
        unit.content = entry->content;
      } else {
        read(unit);
        touched = true;
      }
    });
    leaveUnreadable();
    if (digest() != cache.project()) return false;
    for (Unit& unit : units_) {
      if (!isPython(unit.file)) continue;
      const auto* entry = cache.entry(unit.file.path);
      auto kept = entry ? decodeKept(entry->value) : std::nullopt;
      if (!kept) return false;
      unit.python = std::move(kept->python);
      if (!unit.is_read && (kept->needs_text || by_path_.contains(unit.file.path))) read(unit);
      if (!(unit.content == entry->content)) return false;  // it changed in the meantime
    }
    if (touched) saveAgain(cache);
    return true;
  }

  // The same results with newer stamps.
  void saveAgain(ResultCache& cache) const {
    for (const Unit& unit : units_)
      if (isPython(unit.file)) cache.put(unit.file.path, unit.stamp, unit.content, cache.entry(unit.file.path)->value);
    cache.setProject(digest());
    (void)cache.save();  // a run can go on without its cache
  }

  void keepAll(ResultCache& cache) const {
    for (const Unit& unit : units_) {
      if (!isPython(unit.file)) continue;
      const bool needs_text = !unit.python.findings.empty() || Suppressions::mayHaveSome(unit.text.bytes());
      cache.put(unit.file.path, unit.stamp, unit.content, encodeKept({unit.python, needs_text}));
    }
    cache.setProject(digest());
    (void)cache.save();
  }

  // "pkg/sub/mod.py" → "pkg.sub.mod", "pkg/__init__.py" → "pkg".
  static std::string moduleName(std::string path) {
    path.resize(path.rfind('.'));
    if (path.ends_with("/__init__")) path.resize(path.size() - 9);
    std::replace(path.begin(), path.end(), '/', '.');
    return path;
  }

  static void analyzeUnit(Unit& unit, const PythonContext& context) {
    if (unit.file.kind == FileKind::Python) unit.python = analyzePython(unit.text, context);
    if (unit.file.kind == FileKind::Notebook) unit.python = analyzeNotebook(unit.text, context);
    if (unit.file.kind == FileKind::Environment) unit.python.findings = analyzeEnvironment(unit.text, context.registry);
  }

  // The pin the project states, in the files where one is looked for.
  TorchPin torchPin() const {
    if (!request_.min_torch.empty()) return TorchPin::atLeast(request_.min_torch);
    for (const char* name : {"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"}) {
      const auto text = SourceText::read((fs::path(out_.root) / name).string(), name);
      if (!text.ok()) continue;
      if (const auto pin = findTorchPin(text->bytes())) return *pin;
    }
    return {};
  }

  void collect(const NearestSelection& selection) {
    Coverage& coverage = out_.report.coverage;
    for (Unit& unit : units_) {
      if (unit.file.kind == FileKind::Environment) {
        add(unit.python.findings);
      } else if (!isCpp(unit.file.kind)) {
        const PythonResult& python = unit.python;
        coverage.unknown_calls += python.unknown_calls;
        if (!python.skipped.empty())
          coverage.skipped.push_back({unit.file.path, python.skipped});
        else if (!python.partial.empty())
          coverage.partial_files.push_back({unit.file.path, python.partial});
        else
          ++coverage.analysed;
        add(python.findings);
      } else if (!request_.with_cuda) {
        coverage.skipped.push_back({unit.file.path, "C++ analysis is switched off"});
      }
    }
    for (const CudaFile& file : cuda_.files) {
      if (file.status == FileStatus::Analysed) ++coverage.analysed;
      if (file.status == FileStatus::Partial) coverage.partial_files.push_back({file.path, file.reason});
      if (file.status == FileStatus::Skipped) coverage.skipped.push_back({file.path, file.reason});
    }
    std::sort(coverage.partial_files.begin(), coverage.partial_files.end(),
              [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
    std::sort(coverage.skipped.begin(), coverage.skipped.end(),
              [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
    std::set<std::string_view> not_whole;
    for (const auto* files : {&coverage.partial_files, &coverage.skipped})
      for (const SkippedFile& file : *files) not_whole.insert(file.path);
    for (const Unit& unit : units_) addFindings(unit, selection, !not_whole.contains(unit.file.path));
    coverage.partial = static_cast<std::uint32_t>(coverage.partial_files.size());
    if (request_.strict) addGaps(selection);
  }

  // Every finding is asked for, selected or not: a suppression of a rule that is not selected now is not unused.
  void addFindings(const Unit& unit, const NearestSelection& selection, bool is_whole) {
    if (!unit.is_read) return;  // nothing found, nothing suppressed
    FileSuppressions suppressions = FileSuppressions::of(unit.text, unit.file.kind);
    std::vector<Finding>& out = out_.report.findings;
    const std::size_t first = out.size();
    SplitFlows split;
    for (const Finding& finding : by_path_[unit.file.path]) {
      const bool covered = suppressions.covers(finding), selected = selection.selects(finding.rule, finding.path);
      out_.report.coverage.suppressed += covered && selected;
      if (covered || !selected) {
        split.add(finding);
        continue;
      }
      out.push_back(finding);
      withholdFixes(out.back());
    }
    for (std::size_t i = first; i < out.size(); ++i) split.withhold(out[i]);
    // What was not looked at whole may hold what a suppression is for.
    if (!is_whole || !selection.selects("NPT0002", unit.file.path)) return;
    for (Finding& finding : suppressions.unused(rules_)) out.push_back(std::move(finding));
  }

  void addGaps(const NearestSelection& selection) {
    const auto add_gap = [&](const SkippedFile& file, const char* what) {
      if (!selection.selects("NPT0001", file.path)) return;
      Finding finding = rules_.make("NPT0001");
      finding.path = file.path;
      finding.message = what + file.reason;
      out_.report.findings.push_back(std::move(finding));
    };
    for (const SkippedFile& file : out_.report.coverage.skipped) add_gap(file, "not analysed: ");
    for (const SkippedFile& file : out_.report.coverage.partial_files) add_gap(file, "only partly analysed: ");
  }

  void finish() {
    auto& findings = out_.report.findings;
    std::sort(findings.begin(), findings.end(), before);
    for (Unit& unit : units_)
      if (unit.is_read) out_.texts.emplace(unit.file.path, std::move(unit.text));
    Fingerprints fingerprints;
    const SourceText none;
    for (Finding& finding : findings) {
      const auto text = out_.texts.find(finding.path);
      finding.fingerprint = fingerprints.next(finding, text == out_.texts.end() ? none : text->second);
    }
  }

  const AnalyzeRequest& request_;
  const RuleRegistry& rules_;
  std::vector<Unit> units_;
  std::map<std::string, std::vector<Finding>> by_path_;
  CudaAnalysis cuda_;
  Analysis out_;
};

}  // namespace

Result<Analysis> analyze(const AnalyzeRequest& request, const RuleRegistry& rules) {
  return Run(request, rules).analyze();
}

}  // namespace np::analyzer
