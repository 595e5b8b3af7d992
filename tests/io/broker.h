#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "io/net/socket.h"
#include "results/program.h"
#include "tests/io/io_rig.h"

extern char** environ;

namespace davit {

/// A Mosquitto broker of a test, on a port of its own of this computer, with a configuration of its own. It
/// ends with the object.
class Broker {
 public:
  /// Whether there is one to be started.
  static bool is_installed() { return std::filesystem::exists(kProgram); }

  /// `configuration`: further lines of its file; a listener that they say more of comes last.
  explicit Broker(const std::string& configuration = "allow_anonymous true\n") {
    std::filesystem::create_directories(folder());
    // As root it would become another user, who may not read the files of a test.
    std::ofstream(folder() / "mosquitto.conf")
        << "user root\nset_tcp_nodelay true\nlistener " << port_ << " 127.0.0.1\n"
        << configuration;
    Start();
  }
  ~Broker() { Kill(SIGTERM); }
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  /// Returns once it takes connections.
  void Start() {
    std::vector<std::string> words{kProgram, "-c", (folder() / "mosquitto.conf").string()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder() / "log").c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    ASSERT_EQ(posix_spawn(&pid_, kProgram, &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    for (int tries = 0; tries < 500; ++tries) {
      const Descriptor socket = ConnectTcp(*Endpoint::Read("127.0.0.1", port_));
      const WakeUp never;
      if (socket.is_open() &&
          WaitFor(socket, POLLOUT, never, std::chrono::steady_clock::now() + std::chrono::seconds(1)) &&
          IsConnected(socket))
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << "the broker does not listen: " << std::ifstream(folder() / "log").rdbuf();
  }
  void Signal(int signal) { kill(pid_, signal); }
  void Kill(int signal) {
    if (pid_ <= 0) return;
    Signal(signal);
    Signal(SIGCONT);  // a test may have stopped it
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  std::uint16_t port() const { return port_; }
  /// Its files; another one for each test.
  static std::filesystem::path folder() {
    return std::filesystem::path(testing::TempDir()) /
           (std::string("broker_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  }

 private:
  static constexpr const char* kProgram = "/usr/sbin/mosquitto";

  const std::uint16_t port_ = FreePort();
  pid_t pid_ = 0;
};

}  // namespace davit
