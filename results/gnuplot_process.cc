#include "results/gnuplot_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "results/file_descriptor.h"

namespace davit {
namespace {

[[noreturn]] void Fail(std::string_view fault, int error) {
  throw std::runtime_error(fmt::format("{}: {}", fault, std::generic_category().message(error)));
}

struct Channel {
  FileDescriptor ours;
  FileDescriptor theirs;
};

/// A socket and not a pipe, because a write to a program that has ended must not raise SIGPIPE (MSG_NOSIGNAL).
Channel OpenChannel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) Fail("cannot talk to gnuplot", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

class SpawnActions {
 public:
  SpawnActions() { Check(posix_spawn_file_actions_init(&actions_)); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void Redirect(int standard, const FileDescriptor& to) {
    Check(posix_spawn_file_actions_adddup2(&actions_, to.get(), standard));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  static void Check(int error) {
    if (error != 0) Fail("cannot start gnuplot", error);
  }
  posix_spawn_file_actions_t actions_;
};

/// A running gnuplot. Its end is always waited for, so that no zombie is left.
class Gnuplot {
 public:
  Gnuplot() : in_(OpenChannel()), out_(OpenChannel()), messages_(OpenChannel()) {
    SpawnActions actions;
    actions.Redirect(STDIN_FILENO, in_.theirs);
    actions.Redirect(STDOUT_FILENO, out_.theirs);
    actions.Redirect(STDERR_FILENO, messages_.theirs);
    std::string name = "gnuplot";
    std::string without_user_settings = "-d";
    char* arguments[] = {name.data(), without_user_settings.data(), nullptr};
    const int error = posix_spawnp(&process_, "gnuplot", actions.get(), nullptr, arguments, environ);
    if (error == ENOENT) {
      throw std::runtime_error("the program gnuplot, which draws the curves, is not installed; "
                               "install it (Debian: apt install gnuplot-nox)");
    }
    if (error != 0) Fail("cannot start gnuplot", error);
    in_.theirs.Close();
    out_.theirs.Close();
    messages_.theirs.Close();
  }
  ~Gnuplot() { Wait(); }
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;

  /// Sends `script` and reads all that gnuplot writes, until it closes both of its outputs.
  void Run(std::string_view script) {
    while (out_.ours.is_open() || messages_.ours.is_open()) {
      std::array<pollfd, 3> files{{{in_.ours.get(), POLLOUT, 0},
                                   {out_.ours.get(), POLLIN, 0},
                                   {messages_.ours.get(), POLLIN, 0}}};
      if (::poll(files.data(), files.size(), -1) < 0) {
        if (errno == EINTR) continue;
        Fail("cannot talk to gnuplot", errno);
      }
      if (files[0].revents != 0) Send(script);
      if (files[1].revents != 0) Receive(out_.ours, picture_);
      if (files[2].revents != 0) Receive(messages_.ours, message_);
    }
  }

  /// Whether it ended well.
  bool Wait() {
    in_.ours.Close();
    out_.ours.Close();
    messages_.ours.Close();
    while (process_ > 0 && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

  std::string& picture() { return picture_; }
  const std::string& message() const { return message_; }

 private:
  void Send(std::string_view& script) {
    const ssize_t count = ::send(in_.ours.get(), script.data(), script.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) script.remove_prefix(static_cast<std::size_t>(count));
    const bool is_over = count < 0 && errno != EINTR && errno != EAGAIN;  // gnuplot has given up and says why
    if (script.empty() || is_over) in_.ours.Close();
  }

  static void Receive(FileDescriptor& file, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count > 0) {
      text.append(part.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      file.Close();
    }
  }

  Channel in_;
  Channel out_;
  Channel messages_;
  pid_t process_ = 0;
  int status_ = 0;
  std::string picture_;
  std::string message_;
};

/// gnuplot repeats the faulty line, points at it, and then says what is wrong.
std::string_view LastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::string RunGnuplot(std::string_view script) {
  Gnuplot gnuplot;
  gnuplot.Run(script);
  if (!gnuplot.Wait() || gnuplot.picture().empty()) {
    throw std::runtime_error(fmt::format("gnuplot could not draw the curves: {}; davit needs gnuplot 5.2 or newer "
                                         "with the terminals svg and pngcairo (Debian: apt install gnuplot-nox)",
                                         LastLine(gnuplot.message())));
  }
  return std::move(gnuplot.picture());
}

}  // namespace davit
