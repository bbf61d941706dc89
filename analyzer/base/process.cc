// posix_spawn with three pipes and one poll loop, so that a child that writes much before it reads cannot deadlock us.
// The child leads its own process group: a timeout ends everything it started.
// posix_spawn has no portable working directory; the glibc extension is used (Debian 12 and later).

#include "analyzer/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace np {
namespace {

class Pipe {
 public:
  Pipe() { ok_ = pipe2(fds_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return ok_; }
  int read() const { return fds_[0]; }
  int write() const { return fds_[1]; }
  void closeRead() { closeOne(0); }
  void closeWrite() { closeOne(1); }

 private:
  void closeOne(int i) {
    if (fds_[i] >= 0) close(fds_[i]);
    fds_[i] = -1;
  }
  std::array<int, 2> fds_{-1, -1};
  bool ok_ = false;
};

std::vector<std::string> mergedEnvironment(const std::vector<std::string>& extra) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& added : extra) replaced |= added.starts_with(name);
    if (!replaced) out.emplace_back(text);
  }
  out.insert(out.end(), extra.begin(), extra.end());
  return out;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Appends what is readable now; false at end of file.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

// A child that closes its input early must not kill us.
class IgnoreBrokenPipe {
 public:
  IgnoreBrokenPipe() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &old_);
  }
  ~IgnoreBrokenPipe() { sigaction(SIGPIPE, &old_, nullptr); }

 private:
  struct sigaction old_{};
};

int remainingMs(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

void pump(const ProcessRequest& request, pid_t child, Pipe& in, Pipe& out, Pipe& err, ProcessOutput& result) {
  const bool has_deadline = request.timeout.count() > 0;
  const auto deadline = std::chrono::steady_clock::now() + request.timeout;
  std::size_t written = 0;
  bool out_open = true, err_open = !request.pass_stderr;
  if (request.input.empty()) in.closeWrite();
  while (out_open || err_open) {
    std::array<pollfd, 3> fds{
        {{out_open ? out.read() : -1, POLLIN, 0}, {err_open ? err.read() : -1, POLLIN, 0}, {in.write(), POLLOUT, 0}}};
    const int ready = poll(fds.data(), fds.size(), has_deadline ? remainingMs(deadline) : -1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && has_deadline) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      return;
    }
    if (fds[0].revents) out_open = drain(out.read(), result.out);
    if (fds[1].revents) err_open = drain(err.read(), result.err);
    if (fds[2].revents) {
      const ssize_t n = ::write(in.write(), request.input.data() + written, request.input.size() - written);
      if (n > 0) written += static_cast<std::size_t>(n);
      const bool retry = n < 0 && (errno == EAGAIN || errno == EINTR);
      if ((n <= 0 && !retry) || written == request.input.size()) in.closeWrite();
    }
  }
}

// Waits for the child, but not past the deadline: it may have closed its pipes and live on.
void reap(const ProcessRequest& request, pid_t child, std::chrono::steady_clock::time_point started,
          ProcessOutput& result) {
  int status = 0;
  if (request.timeout.count() > 0 && !result.timed_out) {
    const auto deadline = started + request.timeout;
    pid_t done = 0;
    while ((done = waitpid(child, &status, WNOHANG)) == 0 && remainingMs(deadline) > 0) usleep(1000);
    if (done == 0) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
    }
  } else {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
}

}  // namespace

Result<ProcessOutput> runProcess(const ProcessRequest& request) {
  if (request.argv.empty()) return makeError("spawn", "no program given");
  Pipe in, out, err;
  if (!in.ok() || !out.ok() || !err.ok())
    return makeError("spawn", std::string("cannot make a pipe: ") + std::strerror(errno));

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read(), 0);
  posix_spawn_file_actions_adddup2(&actions, out.write(), 1);
  if (!request.pass_stderr) posix_spawn_file_actions_adddup2(&actions, err.write(), 2);
  if (!request.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, request.directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  const std::vector<std::string> environment = mergedEnvironment(request.environment);
  std::vector<char*> argv = pointers(request.argv), envp = pointers(environment);
  pid_t child = 0;
  const auto started = std::chrono::steady_clock::now();
  const int failed = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) return makeError("spawn", "cannot start \"" + request.argv[0] + "\": " + std::strerror(failed));

  in.closeRead();
  out.closeWrite();
  err.closeWrite();
  fcntl(in.write(), F_SETFL, O_NONBLOCK);
  ProcessOutput result;
  {
    const IgnoreBrokenPipe ignore;
    pump(request, child, in, out, err, result);
  }
  reap(request, child, started, result);
  return result;
}

std::string executableDirectory() {
  std::array<char, 4096> buffer;
  const ssize_t n = readlink("/proc/self/exe", buffer.data(), buffer.size());
  if (n <= 0) return ".";
  const std::string path(buffer.data(), static_cast<std::size_t>(n));
  return path.substr(0, path.rfind('/'));
}

}  // namespace np
