#include "tests/support/terminal_program.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace davit {

TerminalProgram::TerminalProgram(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  process_ = forkpty(&terminal_, nullptr, nullptr, &size);
  if (process_ < 0) throw std::runtime_error("no terminal");
  if (process_ == 0) {
    setenv("TERM", "xterm", 1);
    execv(argv.front(), argv.data());
    _exit(127);
  }
}

TerminalProgram::~TerminalProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(terminal_);
}

void TerminalProgram::Type(std::string_view keys) const {
  if (write(terminal_, keys.data(), keys.size()) != std::ssize(keys))
    throw std::runtime_error("the terminal takes no keys");
}

std::string TerminalProgram::Await(std::string_view text) {
  while (shown_.find(text) == std::string::npos && ReadMore()) {
  }
  return std::exchange(shown_, {});
}

int TerminalProgram::Finish() {
  while (ReadMore()) {
  }
  if (is_silent_) kill(process_, SIGKILL);
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool TerminalProgram::ReadMore() {
  constexpr int kPatience = 30'000;  // [ms]
  pollfd wait{terminal_, POLLIN, 0};
  char bytes[4096];
  is_silent_ = poll(&wait, 1, kPatience) == 0;
  if (is_silent_) return false;
  const ssize_t count = read(terminal_, bytes, sizeof bytes);
  if (count > 0) shown_.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace davit
