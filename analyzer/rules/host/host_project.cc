// Everything is found by name: a function is bound when a PYBIND11_MODULE, a TORCH_LIBRARY or a RegisterOperators
// mentions it, and belongs to nvcc when its definition stands in a .cu file. Of two functions with one name the project
// says nothing, and the rules leave both alone.

#include "analyzer/rules/host/host_project.h"

#include <algorithm>
#include <deque>

namespace np::analyzer::host {
namespace {

bool isSource(const CppFile& file) { return !file.isDevice() && !file.isHeader(); }

bool registersOps(const CppFile& file, const Item& item) {
  for (std::size_t i = item.first; i <= item.last && i < file.tokens().size(); ++i)
    if (file.tokens()[i].is("RegisterOperators")) return true;
  return false;
}

std::string unquoted(std::string_view text) {
  return text.size() < 2 ? std::string() : std::string(text.substr(1, text.size() - 2));
}

// "./csrc/../a.cu" and "csrc/a.cu" meet by their last part and suffix.
bool endsWithPath(std::string_view path, std::string_view tail) {
  while (tail.starts_with("./")) tail.remove_prefix(2);
  while (tail.starts_with("../")) tail.remove_prefix(3);
  return path == tail || (path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/');
}

}  // namespace

HostProject::HostProject(const std::vector<const SourceText*>& texts, const std::vector<BuildFile>& build_files) {
  for (const SourceText* text : texts) files_.push_back(readCppFile(*text));
  for (const BuildFile& build : build_files)
    for (const Extension& extension : build.extensions)
      for (const std::string& source : extension.sources) {
        std::string flat = extension.name;
        std::replace(flat.begin(), flat.end(), '.', '_');
        const std::string folder = build.path.substr(0, build.path.rfind('/') + 1);
        if (!flat.empty()) extension_[folder + source] = flat;
      }
  findBindings();
  findHostFiles();
  for (const CppFile& file : files_) {
    if (!file.path().ends_with(".cu") || hasBindings(file)) continue;
    for (const Item& item : file.items)
      if (item.kind == ItemKind::Function && !item.is_static && !item.in_anonymous && !item.is_device &&
          !item.is_template)
        nvcc_functions_.emplace(item.name, item.params.size());
  }
}

bool HostProject::hasBindings(const CppFile& file) {
  return std::any_of(file.items.begin(), file.items.end(),
                     [&](const Item& item) { return item.kind == ItemKind::Binding || registersOps(file, item); });
}

void HostProject::findBindings() {
  for (const CppFile& file : files_) {
    const std::vector<Token>& tokens = file.tokens();
    for (const Item& item : file.items) {
      const bool ops = registersOps(file, item);
      if (item.kind != ItemKind::Binding && !ops) continue;
      const bool pybind = item.kind == ItemKind::Binding && item.name == "PYBIND11_MODULE";
      if (item.kind == ItemKind::Binding && !pybind) namespaces_.insert(std::string(tokens[item.open + 1].text));
      std::string name;
      for (std::size_t i = item.first; i <= item.last; ++i) {
        if (tokens[i].kind == TokenKind::String) {
          const std::string text = unquoted(tokens[i].text);
          if (i > 0 && (tokens[i - 1].is("(") || tokens[i - 1].is(","))) name = text.substr(0, text.find('('));
          const std::size_t colons = name.find("::");
          if (ops && colons != std::string::npos) namespaces_.insert(name.substr(0, colons));
        }
        if (tokens[i].kind != TokenKind::Word || (i + 1 <= item.last && tokens[i + 1].is("::"))) continue;
        const bool op = !pybind && name.find("::") != std::string::npos;
        const bool named = i > 0 && tokens[i - 1].is("&");
        bound_.try_emplace(std::string(tokens[i].text),
                           BoundFunction{named && !name.empty() ? name : std::string(tokens[i].text), op});
      }
    }
  }
}

void HostProject::findHostFiles() {
  std::deque<const CppFile*> open;
  for (const CppFile& file : files_)
    if (isSource(file) || (file.path().ends_with(".cu") && hasBindings(file))) open.push_back(&file);
  while (!open.empty()) {
    const CppFile* file = open.front();
    open.pop_front();
    if (!host_.insert(file->path()).second) continue;
    for (const Directive& directive : file->lexed.directives) {
      const std::string header = directive.header();
      const CppFile* next = header.empty() ? nullptr : included(*file, header);
      if (next && next->isHeader() && !next->isDevice()) open.push_back(next);
    }
  }
}

const CppFile* HostProject::included(const CppFile& from, const std::string& header) const {
  const std::string beside = from.path().substr(0, from.path().rfind('/') + 1) + header;
  const CppFile* found = nullptr;
  for (const CppFile& file : files_) {
    if (file.path() == beside) return &file;
    if (endsWithPath(file.path(), header)) found = &file;
  }
  return found;
}

std::vector<const CppFile*> HostProject::closure(const CppFile& file) const {
  std::vector<const CppFile*> out{&file};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const Directive& directive : out[i]->lexed.directives) {
      const std::string header = directive.header();
      const CppFile* next = header.empty() ? nullptr : included(*out[i], header);
      if (next && std::find(out.begin(), out.end(), next) == out.end()) out.push_back(next);
    }
  return out;
}

bool HostProject::isDefinedByNvcc(const Item& item) const {
  return nvcc_functions_.contains({item.name, item.params.size()});
}

const BoundFunction* HostProject::bound(const std::string& name) const {
  const auto found = bound_.find(name);
  return found == bound_.end() ? nullptr : &found->second;
}

std::string HostProject::opOf(const CppFile& file, const Item& item) const {
  const BoundFunction* binding = bound(item.name);
  if (namespaces_.size() == 1) {
    const std::string op = *namespaces_.begin() + "::" + item.name;
    // The op itself is what this function is registered as.
    const bool taken = std::any_of(bound_.begin(), bound_.end(), [&](const auto& one) { return one.second.op == op; });
    return taken ? op + "_device" : op;
  }
  const auto extension = extension_.find(file.path());
  std::string space = extension == extension_.end() ? "" : extension->second;
  if (space.empty()) {
    space = file.path().substr(file.path().rfind('/') + 1);
    space = space.substr(0, space.find('.'));
  }
  return space + "::" + (binding ? binding->op : item.name);
}

std::size_t HostProject::countOf(const CppFile& file, const std::string& name, ItemKind kind) {
  return static_cast<std::size_t>(std::count_if(
      file.items.begin(), file.items.end(), [&](const Item& item) { return item.kind == kind && item.name == name; }));
}

}  // namespace np::analyzer::host
