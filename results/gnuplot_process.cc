#include "results/gnuplot_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
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

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Pipe OpenPipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail("cannot talk to gnuplot", errno);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// A file without a name that holds `script`. From a pipe gnuplot would read byte by byte, which takes longer
/// than drawing; and a write to a gnuplot that has given up would raise SIGPIPE.
FileDescriptor MakeScriptFile(std::string_view script) {
  FileDescriptor file(::memfd_create("davit_plot", MFD_CLOEXEC));
  if (!file.is_open()) Fail("cannot store the script for gnuplot", errno);
  while (!script.empty()) {
    const ssize_t count = ::write(file.get(), script.data(), script.size());
    if (count < 0 && errno != EINTR) Fail("cannot store the script for gnuplot", errno);
    if (count > 0) script.remove_prefix(static_cast<std::size_t>(count));
  }
  return file;
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
  explicit Gnuplot(std::string_view script) {
    const FileDescriptor script_file = MakeScriptFile(script);
    Pipe picture = OpenPipe();
    Pipe messages = OpenPipe();
    SpawnActions actions;
    actions.Redirect(STDIN_FILENO, script_file);
    actions.Redirect(STDOUT_FILENO, picture.write_end);
    actions.Redirect(STDERR_FILENO, messages.write_end);
    std::string name = "gnuplot";
    std::string without_user_settings = "-d";
    std::string script_name = "/dev/stdin";  // opens the file anew, from its beginning
    char* arguments[] = {name.data(), without_user_settings.data(), script_name.data(), nullptr};
    const int error = posix_spawnp(&process_, "gnuplot", actions.get(), nullptr, arguments, environ);
    if (error == ENOENT) {
      throw std::runtime_error(
          "the program gnuplot, which draws the curves, is not installed; install it (Debian: apt install "
          "gnuplot-nox)");
    }
    if (error != 0) Fail("cannot start gnuplot", error);
    picture_end_ = std::move(picture.read_end);
    message_end_ = std::move(messages.read_end);
  }
  ~Gnuplot() { Wait(); }
  Gnuplot(const Gnuplot&) = delete;
  Gnuplot& operator=(const Gnuplot&) = delete;

  /// All that gnuplot writes, until it closes both of its outputs.
  void Read() {
    while (picture_end_.is_open() || message_end_.is_open()) {
      std::array<pollfd, 2> files{{{picture_end_.get(), POLLIN, 0}, {message_end_.get(), POLLIN, 0}}};
      if (::poll(files.data(), files.size(), -1) < 0) {
        if (errno == EINTR) continue;
        Fail("cannot talk to gnuplot", errno);
      }
      if (files[0].revents != 0) ReadPart(picture_end_, picture_);
      if (files[1].revents != 0) ReadPart(message_end_, message_);
    }
  }

  /// Whether it ended well.
  bool Wait() {
    picture_end_.Close();
    message_end_.Close();
    while (process_ > 0 && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  }

  std::string& picture() { return picture_; }
  const std::string& message() const { return message_; }

 private:
  static void ReadPart(FileDescriptor& file, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count > 0) {
      text.append(part.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      file.Close();
    }
  }

  FileDescriptor picture_end_;
  FileDescriptor message_end_;
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
  Gnuplot gnuplot(script);
  gnuplot.Read();
  if (!gnuplot.Wait() || gnuplot.picture().empty()) {
    throw std::runtime_error(
        fmt::format("gnuplot could not draw the curves: {}; davit needs gnuplot 5.2 or newer "
                    "with the terminals svg and pngcairo (Debian: apt install gnuplot-nox)",
                    LastLine(gnuplot.message())));
  }
  return std::move(gnuplot.picture());
}

}  // namespace davit
