#include "tests/support/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace davit {

ChildProgram::ChildProgram(const std::vector<std::string>& arguments) {
  signal(SIGPIPE, SIG_IGN);
  int in[2];
  int out[2];
  int err[2];
  for (int* ends : {in, out, err}) {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execv(words[0], words.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  input_ = in[1];
  outputs_[0] = out[0];
  outputs_[1] = err[0];
}

ChildProgram::~ChildProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  CloseInput();
  for (const int output : outputs_) {
    if (output >= 0) close(output);
  }
}

void ChildProgram::Write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = write(input_, text.data(), text.size());
    if (count <= 0) return;  // it has ended
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void ChildProgram::CloseInput() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void ChildProgram::Send(int signal) const { kill(process_, signal); }

bool ChildProgram::ReadMore() {
  pollfd states[2] = {{outputs_[0], POLLIN, 0}, {outputs_[1], POLLIN, 0}};
  if (outputs_[0] < 0 && outputs_[1] < 0) return false;
  poll(states, 2, -1);
  for (int i = 0; i < 2; ++i) {
    if (outputs_[i] < 0 || states[i].revents == 0) continue;
    char bytes[4096];
    const ssize_t count = read(outputs_[i], bytes, sizeof bytes);
    if (count > 0) {
      (i == 0 ? out_ : err_).append(bytes, static_cast<std::size_t>(count));
    } else {
      close(outputs_[i]);
      outputs_[i] = -1;
    }
  }
  return true;
}

bool ChildProgram::WaitForError(std::string_view text) {
  while (err_.find(text) == std::string::npos) {
    if (!ReadMore()) return false;
  }
  return true;
}

int ChildProgram::Finish() {
  CloseInput();
  while (ReadMore()) {
  }
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace davit
