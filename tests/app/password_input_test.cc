#include "app/live/password_input.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace davit {
namespace {

/// A process at a terminal of its own that asks for a password and tells, by a pipe, what it got.
class AtTerminal {
 public:
  AtTerminal() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      std::string told;
      try {
        told = '<' + AskForPassword("password of anna: ") + '>';
      } catch (const std::runtime_error& fault) {
        told = fault.what();
      }
      [[maybe_unused]] const ssize_t written = write(ends[1], told.data(), told.size());
      close(ends[1]);
      char c = 0;
      while (read(STDIN_FILENO, &c, 1) > 0) {  // as long as the terminal is there
      }
      _exit(0);
    }
    close(ends[1]);
    told_ = ends[0];
  }
  ~AtTerminal() {
    close(told_);
    close(terminal_);
    waitpid(process_, nullptr, 0);
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  /// What the terminal has shown, as soon as it has `text`, or when nothing has come for long.
  const std::string& AwaitShown(const std::string& text) {
    while (shown_.find(text) == std::string::npos && ReadFrom(terminal_, shown_)) {
    }
    return shown_;
  }
  void Type(const std::string& keys) const {
    ASSERT_EQ(write(terminal_, keys.data(), keys.size()), std::ssize(keys));
  }
  std::string AwaitAnswer() const {
    std::string told;
    while (ReadFrom(told_, told)) {
    }
    return told;
  }
  bool ShowsWhatIsTyped() const {
    termios settings{};
    EXPECT_EQ(tcgetattr(terminal_, &settings), 0);
    return (settings.c_lflag & ECHO) != 0;
  }
  bool HasCtrlC() const {
    termios settings{};
    EXPECT_EQ(tcgetattr(terminal_, &settings), 0);
    return (settings.c_lflag & ISIG) != 0;
  }

 private:
  static bool ReadFrom(int file, std::string& text) {
    constexpr int kPatience = 30'000;  // [ms]
    pollfd wait{file, POLLIN, 0};
    char bytes[256];
    if (poll(&wait, 1, kPatience) <= 0) return false;
    const ssize_t count = read(file, bytes, sizeof bytes);
    if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  int terminal_ = -1;
  int told_ = -1;
  pid_t process_ = -1;
  std::string shown_;
};

TEST(PasswordInput, IsAskedForAndNotShown) {
  AtTerminal terminal;
  ASSERT_EQ(terminal.AwaitShown("password of anna: "), "password of anna: ");
  EXPECT_FALSE(terminal.ShowsWhatIsTyped());
  terminal.Type("block und Tackle 7\n");
  EXPECT_EQ(terminal.AwaitAnswer(), "<block und Tackle 7>");
  EXPECT_TRUE(terminal.ShowsWhatIsTyped()) << "as before";
  EXPECT_TRUE(terminal.HasCtrlC()) << "as before";
  EXPECT_EQ(terminal.AwaitShown("\n").find("block"), std::string::npos);
}

TEST(PasswordInput, MistakesAreRubbedOut) {
  AtTerminal terminal;
  terminal.AwaitShown(": ");
  terminal.Type("secrex\x7ft\n");
  EXPECT_EQ(terminal.AwaitAnswer(), "<secret>");
}

TEST(PasswordInput, AnEmptyOneAndTheEndOfTheInputAreRefused) {
  for (const char* keys : {"\n", "\x04"}) {
    AtTerminal terminal;
    terminal.AwaitShown(": ");
    terminal.Type(keys);
    EXPECT_EQ(terminal.AwaitAnswer(), "--user: error: an empty password; type one");
  }
}

TEST(PasswordInput, CtrlCLeavesTheTerminalAsItWas) {
  AtTerminal terminal;
  terminal.AwaitShown(": ");
  terminal.Type("half\x03");
  EXPECT_EQ(terminal.AwaitAnswer(), "--user: error: interrupted; no password was typed");
  EXPECT_TRUE(terminal.ShowsWhatIsTyped());
  EXPECT_TRUE(terminal.HasCtrlC());
}

TEST(PasswordInput, WithoutATerminalAFileIsNeeded) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t process = fork();
  if (process == 0) {
    setsid();  // no terminal any more
    std::string told;
    try {
      told = AskForPassword("?");
    } catch (const std::runtime_error& fault) {
      told = fault.what();
    }
    [[maybe_unused]] const ssize_t written = write(ends[1], told.data(), told.size());
    _exit(0);
  }
  close(ends[1]);
  std::string told(200, '\0');
  const ssize_t count = read(ends[0], told.data(), told.size());
  close(ends[0]);
  waitpid(process, nullptr, 0);
  told.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  EXPECT_EQ(told, "--user: error: no terminal to ask for the password; give it with --password-file FILE");
}

}  // namespace
}  // namespace davit
