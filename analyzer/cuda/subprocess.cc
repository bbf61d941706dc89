// One child at a time: posix_spawn with three pipes and a poll loop that feeds and drains them until the deadline. The
// child leads a process group of its own, so a time-out also ends what it started. SIGPIPE is avoided by writing with
// MSG_NOSIGNAL on a socket pair instead of a pipe: libraries must not change the process's signal handlers.

#include "analyzer/cuda/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

extern char** environ;

namespace np::analyzer {
namespace {

constexpr std::size_t kMaxErrBytes = 64 * 1024;

struct Fd {
  int value = -1;
  Fd() = default;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  void reset() {
    if (value >= 0) close(value);
    value = -1;
  }
};

struct Channels {
  Fd child_in, child_out, child_err;  // the child's ends
  Fd in, out, err;                    // ours
};

bool openChannels(Channels& channels) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return false;
  channels.in.value = pair[0], channels.child_in.value = pair[1];
  if (pipe2(pair, O_CLOEXEC)) return false;
  channels.out.value = pair[0], channels.child_out.value = pair[1];
  if (pipe2(pair, O_CLOEXEC)) return false;
  channels.err.value = pair[0], channels.child_err.value = pair[1];
  return true;
}

Result<pid_t> spawn(const std::vector<std::string>& argv, const Channels& channels) {
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channels.child_in.value, 0);
  posix_spawn_file_actions_adddup2(&actions, channels.child_out.value, 1);
  posix_spawn_file_actions_adddup2(&actions, channels.child_err.value, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  pid_t pid = 0;
  const int failed = posix_spawn(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) return makeError("spawn", "cannot start \"" + argv[0] + "\": " + strerror(failed));
  return pid;
}

// Reads what is there; false at end of file.
bool drain(int fd, std::string& into) {
  char buffer[16384];
  const ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0) into.append(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

// Feeds and drains until the child closed both outputs, or the deadline passes (false).
bool exchange(Channels& channels, const std::string& input, std::chrono::steady_clock::time_point deadline,
              ProcessResult& result) {
  std::size_t sent = 0;
  if (input.empty()) channels.in.reset();
  while (channels.out.value >= 0 || channels.err.value >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd fds[3] = {{channels.in.value, POLLOUT, 0}, {channels.out.value, POLLIN, 0}, {channels.err.value, POLLIN, 0}};
    if (poll(fds, 3, static_cast<int>(std::min<long long>(left, 1000))) < 0 && errno != EINTR) return false;
    if (fds[0].revents) {
      const ssize_t put =
          send(channels.in.value, input.data() + sent, input.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put > 0) sent += static_cast<std::size_t>(put);
      const bool broken = put < 0 && errno != EAGAIN && errno != EINTR;
      if (broken || sent == input.size()) channels.in.reset();
    }
    if (fds[1].revents && !drain(channels.out.value, result.out)) channels.out.reset();
    if (fds[2].revents && !drain(channels.err.value, result.err)) channels.err.reset();
    if (result.err.size() > 2 * kMaxErrBytes) result.err.erase(0, result.err.size() - kMaxErrBytes);
  }
  return true;
}

}  // namespace

Result<ProcessResult> runProcess(const std::vector<std::string>& argv, const std::string& input, double timeout_s) {
  NP_CHECK(!argv.empty());
  Channels channels;
  if (!openChannels(channels)) return makeError("io", std::string("cannot open a pipe: ") + strerror(errno));
  NP_ASSIGN(const pid_t pid, spawn(argv, channels));
  channels.child_in.reset(), channels.child_out.reset(), channels.child_err.reset();

  ProcessResult result;
  const auto limit = std::chrono::milliseconds(static_cast<long long>(timeout_s * 1000));
  result.timed_out = !exchange(channels, input, std::chrono::steady_clock::now() + limit, result);
  if (result.timed_out) kill(-pid, SIGKILL);

  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return result;
}

}  // namespace np::analyzer
