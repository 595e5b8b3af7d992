#include "app/live/password_input.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace davit {
namespace {

constexpr std::size_t kLongestPassword = 1024;
constexpr char kCtrlC = 3;

/// The terminal of the process, which shows nothing of what is typed as long as the object lives. Ctrl-C ends
/// the line instead of the program, so that the terminal is always left as it was.
class SilentTerminal {
 public:
  SilentTerminal() : terminal_(open("/dev/tty", O_RDWR | O_CLOEXEC)) {
    if (terminal_ < 0)
      throw std::runtime_error(
          "--user: error: no terminal to ask for the password; give it with --password-file FILE");
    tcgetattr(terminal_, &before_);
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
    silent.c_cc[VEOL] = kCtrlC;
    tcsetattr(terminal_, TCSAFLUSH, &silent);
  }
  ~SilentTerminal() {
    Write("\n");
    tcsetattr(terminal_, TCSAFLUSH, &before_);
    close(terminal_);
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

  void Write(const std::string& text) const {
    [[maybe_unused]] const ssize_t written = write(terminal_, text.data(), text.size());
  }
  std::string ReadLine() const {
    std::string line;
    char c = 0;
    while (line.size() < kLongestPassword && read(terminal_, &c, 1) == 1 && c != '\n') {
      if (c == kCtrlC) throw std::runtime_error("--user: error: interrupted; no password was typed");
      line += c;
    }
    return line;
  }

 private:
  int terminal_;
  termios before_{};
};

}  // namespace

std::string ReadPasswordFile(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string password;
  if (!std::getline(stream, password) || password.empty())
    throw std::runtime_error(
        "--password-file " + file.string() +
        ": error: no password in its first line; write one, readable for you alone (chmod 600)");
  if (password.back() == '\r') password.pop_back();
  return password;
}

std::string AskForPassword(const std::string& prompt) {
  const SilentTerminal terminal;
  terminal.Write(prompt);
  std::string password = terminal.ReadLine();
  if (password.empty()) throw std::runtime_error("--user: error: an empty password; type one");
  return password;
}

}  // namespace davit
