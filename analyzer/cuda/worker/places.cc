// A construct may be written plainly, as an argument of AT_DISPATCH_*, or in the body of a #define. Findings and edits
// need a range of the file as stored, so arguments map to themselves and macro bodies to the place where the macro is
// used.

#include "analyzer/cuda/worker/places.h"

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace np::analyzer::worker {

Places::Places(clang::SourceManager& sources, const clang::LangOptions& language, std::string root)
    : sources_(sources), language_(language), root_(std::move(root)) {
  if (!root_.ends_with('/')) root_ += '/';
}

Places::File& Places::fileOf(clang::SourceLocation where) {
  const clang::FileID id = sources_.getFileID(sources_.getFileLoc(where));
  const auto [entry, is_new] = files_.try_emplace(id);
  File& file = entry->second;
  if (!is_new) return file;
  const auto reference = sources_.getFileEntryRefForID(id);
  if (!reference) return file;
  std::string real = reference->getFileEntry().tryGetRealPathName().str();
  if (real.empty()) real = reference->getName().str();
  if (reference->getName().starts_with("/neuron-port/shims/")) {
    file.origin = reference->getName().starts_with("/neuron-port/shims/torch") ? Origin::TorchShim : Origin::CudaShim;
  } else if (real.starts_with(root_)) {
    file.origin = Origin::Project;
    file.path = real.substr(root_.size());
    file.text = std::make_unique<SourceText>(file.path, sources_.getBufferData(id).str());
  }
  return file;
}

Origin Places::origin(clang::SourceLocation where) {
  return where.isValid() ? fileOf(where).origin : Origin::Elsewhere;
}

const std::string& Places::path(clang::SourceLocation where) { return fileOf(where).path; }

clang::CharSourceRange Places::fileRange(clang::SourceRange tokens) {
  const clang::CharSourceRange given = clang::CharSourceRange::getTokenRange(tokens);
  const clang::CharSourceRange exact = clang::Lexer::makeFileCharRange(given, sources_, language_);
  if (exact.isValid()) return exact;
  const clang::CharSourceRange expansion = sources_.getExpansionRange(tokens);
  return clang::Lexer::makeFileCharRange(expansion, sources_, language_);
}

SourceRange Places::range(clang::SourceRange tokens) {
  SourceRange out;
  if (tokens.isInvalid()) return out;
  const clang::CharSourceRange found = fileRange(tokens);
  if (found.isInvalid()) return token(tokens.getBegin());
  const File& file = fileOf(found.getBegin());
  if (!file.text) return out;
  out.path = file.path;
  out.range = {sources_.getFileOffset(found.getBegin()), sources_.getFileOffset(found.getEnd())};
  out.start = file.text->position(out.range.start);
  out.end = file.text->position(out.range.end);
  return out;
}

SourceRange Places::token(clang::SourceLocation where) {
  SourceRange out;
  if (where.isInvalid()) return out;
  where = sources_.getFileLoc(where);
  const File& file = fileOf(where);
  if (!file.text) return out;
  out.path = file.path;
  const Offset start = sources_.getFileOffset(where);
  out.range = {start, start + clang::Lexer::MeasureTokenLength(where, sources_, language_)};
  out.start = file.text->position(out.range.start);
  out.end = file.text->position(out.range.end);
  return out;
}

std::string Places::text(clang::SourceRange tokens) {
  if (tokens.isInvalid()) return {};
  const clang::CharSourceRange found = fileRange(tokens);
  if (found.isInvalid()) return {};
  return clang::Lexer::getSourceText(found, sources_, language_).str();
}

std::vector<std::string> Places::spellingMacros(clang::SourceLocation where) {
  std::vector<std::string> out;
  while (where.isMacroID()) {
    if (sources_.isMacroArgExpansion(where)) {
      where = sources_.getImmediateSpellingLoc(where);
      continue;
    }
    out.push_back(clang::Lexer::getImmediateMacroName(where, sources_, language_).str());
    where = sources_.getImmediateExpansionRange(where).getBegin();
  }
  return out;
}

clang::SourceLocation Places::useOf(clang::SourceLocation where) { return sources_.getFileLoc(where); }

}  // namespace np::analyzer::worker
