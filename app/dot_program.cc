#include "app/dot_program.h"

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

#include "results/file_descriptor.h"

namespace davit {
namespace {

[[noreturn]] void Fail(int error) {
  throw std::runtime_error(
      fmt::format("cannot run dot of Graphviz: {}", std::generic_category().message(error)));
}

struct Channel {
  FileDescriptor ours;
  FileDescriptor theirs;
};

/// A socket and not a pipe, because a write to a program that has ended must not raise SIGPIPE
/// (MSG_NOSIGNAL).
Channel OpenChannel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) Fail(errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// The program dot, found in PATH; its end is always waited for.
class DotProgram {
 public:
  /// `format` as in -Tsvg.
  explicit DotProgram(const std::string& format) {
    posix_spawn_file_actions_t actions;
    if (const int error = posix_spawn_file_actions_init(&actions); error != 0) Fail(error);
    int error = 0;
    for (std::size_t i = 0; i < channels_.size() && error == 0; ++i) {
      error = posix_spawn_file_actions_adddup2(&actions, channels_[i].theirs.get(), static_cast<int>(i));
    }
    std::string name = "dot";
    std::string option = "-T" + format;
    std::string resolution = "-Gdpi=130";  // of bitmaps: small letters stay readable
    char* arguments[] = {name.data(), option.data(), format == "png" ? resolution.data() : nullptr, nullptr};
    if (error == 0) error = posix_spawnp(&process_, "dot", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT) {
      throw std::runtime_error(
          "the program dot of Graphviz, which draws the system, is not installed; install it "
          "(Debian: apt install graphviz), or write the graph alone with -o FILE.dot");
    }
    if (error != 0) Fail(error);
    for (Channel& channel : channels_) channel.theirs.Close();
  }
  ~DotProgram() { Wait(); }
  DotProgram(const DotProgram&) = delete;
  DotProgram& operator=(const DotProgram&) = delete;

  /// Sends `graph` and returns the picture.
  std::string Draw(std::string_view graph) {
    std::string picture;
    std::string message;
    auto& [in, out, messages] = channels_;
    while (out.ours.is_open() || messages.ours.is_open()) {
      std::array<pollfd, 3> files{
          {{in.ours.get(), POLLOUT, 0}, {out.ours.get(), POLLIN, 0}, {messages.ours.get(), POLLIN, 0}}};
      if (::poll(files.data(), files.size(), -1) < 0) {
        if (errno == EINTR) continue;
        Fail(errno);
      }
      if (files[0].revents != 0) Send(in.ours, graph);
      if (files[1].revents != 0) Receive(out.ours, picture);
      if (files[2].revents != 0) Receive(messages.ours, message);
    }
    if (!Wait() || picture.empty()) {
      throw std::runtime_error(
          fmt::format("dot of Graphviz could not draw the system: {}; write the graph alone with "
                      "-o FILE.dot to look at it",
                      message.substr(0, message.find('\n'))));
    }
    return picture;
  }

 private:
  static void Send(FileDescriptor& file, std::string_view& text) {
    const ssize_t count = ::send(file.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    const bool is_over = count < 0 && errno != EINTR && errno != EAGAIN;  // dot has given up and says why
    if (text.empty() || is_over) file.Close();
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

  /// Whether it ended well.
  bool Wait() {
    for (Channel& channel : channels_) channel.ours.Close();
    while (process_ > 0 && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

  std::array<Channel, 3> channels_{OpenChannel(), OpenChannel(), OpenChannel()};  ///< stdin, stdout, stderr
  pid_t process_ = 0;
  int status_ = 0;
};

}  // namespace

std::string DrawWithDot(std::string_view graph, const std::string& format) {
  return DotProgram(format).Draw(graph);
}

}  // namespace davit
