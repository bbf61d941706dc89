// One file per object, named by the hash of its key; the file repeats the key and a checksum of the object, so that
// neither a collision nor a torn write is ever executed. Files are written beside their place and renamed.

#include "runtime/jit/object_cache.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace np::jit {
namespace {

constexpr size_t kHash = 32;

std::string hash(const std::string& text) {
  const auto bytes = llvm::BLAKE3::hash<kHash>(llvm::arrayRefFromStringRef(text));
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace

std::optional<std::string> ObjectCache::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream in(folder_ + "/" + llvm::toHex(hash(key), true) + ".o", std::ios::binary);
  std::stringstream all;
  if (!in || !(all << in.rdbuf())) return std::nullopt;
  const std::string text = all.str();
  if (text.size() < 2 * kHash || text.compare(0, kHash, hash(key)) != 0) return std::nullopt;
  std::string object = text.substr(2 * kHash);
  if (text.compare(kHash, kHash, hash(object)) != 0) return std::nullopt;
  return object;
}

void ObjectCache::store(const std::string& key, const std::string& object) const {
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::string path = folder_ + "/" + llvm::toHex(hash(key), true) + ".o";
  const std::string partial = path + "." + std::to_string(getpid());
  {
    std::ofstream out(partial, std::ios::binary);
    out << hash(key) << hash(object) << object;
    if (!out.flush()) {
      std::filesystem::remove(partial, ignored);
      return;
    }
  }
  std::filesystem::rename(partial, path, ignored);
}

}  // namespace np::jit
