// The C++ files of a project together: which functions nvcc compiles, which Python can call, which files a build
// without CUDA compiles.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/build/extensions.h"
#include "analyzer/rules/host/cpp_file.h"

namespace np::analyzer::host {

struct BoundFunction {
  std::string op;      // "torch_scatter::scatter_sum", or the Python name of a pybind function
  bool is_op = false;  // registered with the dispatcher under that name
};

class HostProject {
 public:
  HostProject(const std::vector<const SourceText*>& texts, const std::vector<BuildFile>& build_files);

  const std::vector<CppFile>& files() const { return files_; }

  // True for what a build without nvcc compiles: sources that are not .cu, .cu files that hold bindings (their host
  // side is compiled through a wrapper), and the headers they reach.
  bool isHost(const CppFile& file) const { return host_.contains(file.path()); }
  static bool hasBindings(const CppFile& file);

  // True when a function of this name and this many parameters is defined in a .cu file that is not compiled.
  bool isDefinedByNvcc(const Item& item) const;

  // The file and the files of the project that it includes, directly or not.
  std::vector<const CppFile*> closure(const CppFile& file) const;

  // Null when nothing registers or exports the function.
  const BoundFunction* bound(const std::string& name) const;

  // The dispatcher's name under which a build for Neuron looks for what the function does.
  std::string opOf(const CppFile& file, const Item& item) const;

  // Number of functions (or declarations, per file) of that name in the file.
  static std::size_t countOf(const CppFile& file, const std::string& name, ItemKind kind);

 private:
  void findBindings();
  void findHostFiles();
  const CppFile* included(const CppFile& from, const std::string& header) const;

  std::vector<CppFile> files_;
  std::set<std::string> host_;
  std::set<std::pair<std::string, std::size_t>> nvcc_functions_;
  std::map<std::string, BoundFunction> bound_;
  std::set<std::string> namespaces_;              // of registered ops
  std::map<std::string, std::string> extension_;  // source → "fast_transformers_hashing_hash_cuda"
};

}  // namespace np::analyzer::host
