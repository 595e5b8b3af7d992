#include "results/program.h"

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

[[noreturn]] void Fail(const std::string& program, int error) {
  throw std::runtime_error(fmt::format("cannot run {}: {}", program, std::generic_category().message(error)));
}

class SpawnActions {
 public:
  explicit SpawnActions(const std::string& program) : program_(program) {
    Check(posix_spawn_file_actions_init(&actions_));
  }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void Redirect(int standard, const FileDescriptor& to) {
    Check(posix_spawn_file_actions_adddup2(&actions_, to.get(), standard));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void Check(int error) const {
    if (error != 0) Fail(program_, error);
  }

  const std::string& program_;
  posix_spawn_file_actions_t actions_;
};

/// A program that runs. Its end is always waited for, so that no zombie is left.
class RunningProgram {
 public:
  explicit RunningProgram(const std::string& program) : program_(program) {}
  ~RunningProgram() { Wait(); }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Whether there is such a program.
  bool Start(std::vector<std::string>& arguments, std::string_view input) {
    const FileDescriptor input_file = MakeFile(input);
    Pipe output = OpenPipe();
    Pipe messages = OpenPipe();
    SpawnActions actions(program_);
    actions.Redirect(STDIN_FILENO, input_file);
    actions.Redirect(STDOUT_FILENO, output.write_end);
    actions.Redirect(STDERR_FILENO, messages.write_end);
    std::string name = program_;
    std::vector<char*> words{name.data()};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const int error = posix_spawnp(&process_, name.c_str(), actions.get(), nullptr, words.data(), environ);
    if (error == ENOENT) return false;
    if (error != 0) Fail(program_, error);
    output_ = std::move(output.read_end);
    messages_ = std::move(messages.read_end);
    return true;
  }

  /// All that it writes, until it closes both of its outputs.
  ProgramResult Finish() {
    ProgramResult result;
    while (output_.is_open() || messages_.is_open()) {
      std::array<pollfd, 2> files{{{output_.get(), POLLIN, 0}, {messages_.get(), POLLIN, 0}}};
      if (::poll(files.data(), files.size(), -1) < 0) {
        if (errno == EINTR) continue;
        Fail(program_, errno);
      }
      if (files[0].revents != 0) Read(output_, result.output);
      if (files[1].revents != 0) Read(messages_, result.messages);
    }
    Wait();
    if (WIFEXITED(status_)) result.exit_code = WEXITSTATUS(status_);
    return result;
  }

 private:
  struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;
  };

  Pipe OpenPipe() const {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail(program_, errno);
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  }

  /// A file and not a pipe: writing to a program that has given up would raise SIGPIPE, and gnuplot reads a
  /// pipe byte by byte.
  FileDescriptor MakeFile(std::string_view text) const {
    FileDescriptor file(::memfd_create("davit_input", MFD_CLOEXEC));
    if (!file.is_open()) Fail(program_, errno);
    while (!text.empty()) {
      const ssize_t count = ::write(file.get(), text.data(), text.size());
      if (count < 0 && errno != EINTR) Fail(program_, errno);
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) Fail(program_, errno);
    return file;
  }

  static void Read(FileDescriptor& file, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count > 0) {
      text.append(part.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      file.Close();
    }
  }

  void Wait() {
    output_.Close();
    messages_.Close();
    while (process_ > 0 && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
  }

  std::string program_;
  FileDescriptor output_;
  FileDescriptor messages_;
  pid_t process_ = 0;
  int status_ = 0;
};

}  // namespace

std::optional<ProgramResult> RunProgram(const std::string& program, std::vector<std::string> arguments,
                                        std::string_view input) {
  RunningProgram running(program);
  if (!running.Start(arguments, input)) return std::nullopt;
  return running.Finish();
}

}  // namespace davit
