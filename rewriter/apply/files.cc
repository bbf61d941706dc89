// Plain system calls, because streams can neither refuse links nor insist on a new file. A pipe or a device in the
// place of a source would block or feed us for ever: only regular files are read.

#include "rewriter/apply/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

namespace np::rewriter {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".neuron-port-";
constexpr std::size_t kDigits = 16;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// A file of another owner becomes ours when we may not give it away; its text is what counts.
bool takeAttributes(int fd, const fs::path& like) {
  struct stat wanted{}, made{};
  if (::stat(like.c_str(), &wanted) != 0 || ::fstat(fd, &made) != 0) return false;
  const bool same_owner = wanted.st_uid == made.st_uid && wanted.st_gid == made.st_gid;
  if (!same_owner && ::fchown(fd, wanted.st_uid, wanted.st_gid) != 0) errno = 0;
  return ::fchmod(fd, wanted.st_mode & 07777) == 0;
}

}  // namespace

bool readFile(const fs::path& path, std::string& out) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat info{};
  if (!file.ok() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  out.clear();
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(file.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

bool writeNewFile(const fs::path& path, std::string_view bytes, const fs::path& like) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file.ok()) return false;
  if (writeAll(file.get(), bytes) && (like.empty() || takeAttributes(file.get(), like))) return true;
  ::unlink(path.c_str());
  return false;
}

std::string whyNotReplaceable(const std::string& root, const std::string& path) {
  std::error_code ec;
  const fs::path base = fs::canonical(root, ec);
  if (ec) return "cannot be found";
  const fs::path real = fs::canonical(fs::path(root) / path, ec);
  if (ec) return "cannot be found";
  const fs::path inside = real.lexically_relative(base);
  if (inside.empty() || *inside.begin() == "..") return "lies outside the project, or is a link that leads there";
  const fs::file_status status = fs::status(real, ec);
  if (ec || status.type() != fs::file_type::regular) return "is not a regular file";
  constexpr fs::perms kWrite = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if ((status.permissions() & kWrite) == fs::perms::none || ::access(real.c_str(), W_OK) != 0) return "is read-only";
  if (::access(real.parent_path().c_str(), W_OK) != 0) return "stands in a read-only folder";
  return "";
}

std::string temporaryName() {
  std::random_device random;
  std::string out(kPrefix);
  for (std::size_t i = 0; i < kDigits; ++i) out += "0123456789abcdef"[random() % 16];
  return out;
}

bool isTemporaryName(std::string_view name) {
  return name.size() == kPrefix.size() + kDigits && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

}  // namespace np::rewriter
