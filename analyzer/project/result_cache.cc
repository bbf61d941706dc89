// One binary file for each context: magic, context, time, then the entries, then a hash over all of it. It is read
// whole; ten thousand entries are about two megabytes. Three contexts are kept, so that two ways of running the tool
// do not evict each other.

#include "analyzer/project/result_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyzer/base/source_text.h"

namespace np::analyzer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "NPCACHE3";
constexpr std::size_t kContextsKept = 3;
// Coarse clocks of file systems tick every few milliseconds, old ones every second or two.
constexpr std::int64_t kRacyNs = 2'000'000'000;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t kA = 0xa0761d6478bd642fu, kB = 0xe7037ed1a0b428dbu, kC = 0x8ebc6af09c88c6e3u;

std::uint64_t word(const char* at) {
  std::uint64_t out;
  std::memcpy(&out, at, 8);
  return out;
}

std::string hex(const ContentHash& hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high),
                static_cast<unsigned long long>(hash.low));
  return text;
}

template <typename T>
void write(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void write(std::string& out, const std::string& value) {
  write(out, static_cast<std::uint32_t>(value.size()));
  out += value;
}

struct Reader {
  std::string_view rest;
  bool ok = true;
  template <typename T>
  void read(T& value) {
    if (rest.size() < sizeof value) return fail();
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  void read(std::string& value) {
    std::uint32_t size = 0;
    read(size);
    if (!ok || rest.size() < size) return fail();
    value.assign(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  void fail() { ok = false, rest = {}; }
};

std::int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

ContentHash hashOf(std::string_view bytes) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t low = kA ^ left, high = kB + left;
  for (; left >= 16; at += 16, left -= 16) {
    low = mixed(word(at) ^ kA, word(at + 8) ^ low);
    high = mixed(word(at) ^ high, word(at + 8) ^ kC);
  }
  char tail[16] = {};
  if (left > 0) std::memcpy(tail, at, left);
  low = mixed(word(tail) ^ kB, word(tail + 8) ^ low);
  high = mixed(word(tail) ^ high, word(tail + 8) ^ kA);
  return {mixed(low ^ kC, bytes.size() ^ kB), mixed(high ^ kA, low ^ kC)};
}

ContentHash hashOf(const std::vector<std::string_view>& parts) {
  std::string all;
  for (std::string_view part : parts) {
    const ContentHash hash = hashOf(part);
    write(all, hash.low);
    write(all, hash.high);
  }
  return hashOf(all);
}

std::optional<FileStamp> stampOf(const std::string& file) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileStamp{static_cast<std::uint64_t>(info.st_size), static_cast<std::uint64_t>(info.st_ino),
                   info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
                   info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec};
}

ResultCache ResultCache::open(const std::string& folder, ContentHash context) {
  ResultCache out;
  out.folder_ = folder;
  out.context_ = context;
  out.file_ = folder + "/results-" + hex(context) + ".bin";
  std::ifstream in(out.file_, std::ios::binary);
  if (!in) return out;
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const std::string all = std::move(bytes).str();
  if (all.size() < kMagic.size() + 16 || !all.starts_with(kMagic)) return out;
  const std::string_view body = std::string_view(all).substr(0, all.size() - 16);
  ContentHash sum;
  std::memcpy(&sum.low, all.data() + body.size(), 8);
  std::memcpy(&sum.high, all.data() + body.size() + 8, 8);
  if (hashOf(body) != sum) return out;

  Reader reader{body.substr(kMagic.size())};
  ContentHash written;
  std::uint32_t count = 0;
  reader.read(written);
  reader.read(out.project_);
  reader.read(out.stored_ns_);
  reader.read(count);
  if (!reader.ok || written != context) return out;
  for (std::uint32_t i = 0; i < count && reader.ok; ++i) {
    std::string path;
    Entry entry;
    reader.read(path);
    reader.read(entry.stamp);
    reader.read(entry.content);
    reader.read(entry.value);
    if (reader.ok) out.old_.emplace_hint(out.old_.end(), std::move(path), std::move(entry));
  }
  if (!reader.ok) out.old_.clear(), out.project_ = {};
  return out;
}

const ResultCache::Entry* ResultCache::entry(std::string_view path) const {
  const auto found = old_.find(path);
  return found == old_.end() ? nullptr : &found->second;
}

const ResultCache::Entry* ResultCache::untouched(std::string_view path, const FileStamp& stamp) const {
  const Entry* found = entry(path);
  if (!found || !(found->stamp == stamp)) return nullptr;
  if (std::max(stamp.modified_ns, stamp.changed_ns) > stored_ns_ - kRacyNs) return nullptr;
  return found;
}

void ResultCache::put(const std::string& path, const FileStamp& stamp, const ContentHash& content, std::string value) {
  const std::lock_guard<std::mutex> lock(*mutex_);
  new_.insert_or_assign(path, Entry{stamp, content, std::move(value)});
}

void ResultCache::keep(const std::string& path) {
  const std::lock_guard<std::mutex> lock(*mutex_);
  kept_.push_back(path);
}

Result<void> ResultCache::save() {
  if (new_.empty() && kept_.size() == old_.size()) return {};
  for (const std::string& path : kept_)
    if (const auto found = old_.find(path); found != old_.end()) new_.emplace(path, found->second);
  std::error_code ec;
  fs::create_directories(folder_, ec);
  if (ec) return makeError("io", "cannot make the cache folder \"" + folder_ + "\": " + ec.message(), folder_);
  if (!fs::exists(folder_ + "/.gitignore", ec)) std::ofstream(folder_ + "/.gitignore") << "*\n";

  std::string all(kMagic);
  write(all, context_);
  write(all, new_project_);
  write(all, nowNs());
  write(all, static_cast<std::uint32_t>(new_.size()));
  for (const auto& [path, entry] : new_) {
    write(all, path);
    write(all, entry.stamp);
    write(all, entry.content);
    write(all, entry.value);
  }
  const ContentHash sum = hashOf(all);
  write(all, sum.low);
  write(all, sum.high);
  const std::string half = file_ + "." + std::to_string(::getpid());
  {
    std::ofstream out(half, std::ios::binary);
    out.write(all.data(), static_cast<std::streamsize>(all.size()));
    out.close();
    if (!out) {
      fs::remove(half, ec);
      return makeError("io", "cannot write the cache \"" + half + "\"", half);
    }
  }
  fs::rename(half, file_, ec);
  if (ec) return makeError("io", "cannot write the cache \"" + file_ + "\": " + ec.message(), file_);

  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ec))
    if (entry.path().filename().string().starts_with("results-")) files.emplace_back(entry.last_write_time(ec), entry);
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + kContextsKept < files.size(); ++i) fs::remove(files[i].second, ec);
  return {};
}

}  // namespace np::analyzer
