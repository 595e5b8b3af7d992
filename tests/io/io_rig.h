#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "components/register.h"
#include "framework/diagnostics.h"
#include "io/interface_run.h"
#include "io/modbus_protocol.h"
#include "io/net/socket.h"
#include "io/register.h"
#include "session/simulation.h"
#include "tests/support/spring_system.h"

namespace davit {

/// A TCP port of this computer that nobody has now.
inline std::uint16_t FreePort() { return PortOf(ListenTcp(*Endpoint::Read("127.0.0.1", 0))); }

/// A mass on a spring, with what else a test needs, whose interfaces are open: driven by the test, as a
/// program does.
class IoRig {
 public:
  /// All that is wrong with a system.
  static std::string FaultsOf(const std::string& interfaces) {
    Registry registry = MakeRegistry();
    return Simulation::LoadText(SpringSystem(interfaces), "rig.xml", registry).ToText();
  }

  /// `at`: as --at.
  explicit IoRig(const std::string& interfaces, IoReach reach = IoReach::kLoopback,
                 std::vector<std::string> at = {}) {
    SimulationOptions options;
    options.load.at = std::move(at);
    options.log_level = RunLog::Severity::kInfo;
    options.log = [this](RunLog::Severity, std::string_view line) { log.emplace_back(line); };
    simulation_ = Simulation::LoadText(SpringSystem(interfaces), "rig.xml", registry_, options).Take();
    io_.emplace(*simulation_, reach, diagnostics);
    if (!diagnostics.has_errors()) simulation_->Initialize();
  }

  Simulation& simulation() { return *simulation_; }
  double Read(const std::string& path) { return simulation_->Read(path); }
  void Exchange() { io_->Exchange(); }
  void Step() {
    Exchange();
    simulation_->Step();
  }
  /// Steps, each a millisecond of real time, until `is_so` or for ten seconds. Returns whether it is so.
  template <class Condition>
  bool StepUntil(const Condition& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      Step();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// The `<At>` elements of the log.
  std::vector<std::string> Requests() const {
    std::vector<std::string> requests;
    for (const std::string& line : log) {
      const std::size_t begin = line.find("<At ");
      if (begin != std::string::npos) requests.push_back(line.substr(begin, line.find("/>") + 2 - begin));
    }
    return requests;
  }
  bool Logged(const std::string& text) const {
    return std::ranges::any_of(log, [&](const std::string& line) { return line.find(text) != line.npos; });
  }

  Diagnostics diagnostics;
  std::vector<std::string> log;

 private:
  static Registry MakeRegistry() {
    Registry registry = AllModels();
    RegisterIo(registry);
    return registry;
  }

  Registry registry_ = MakeRegistry();
  std::unique_ptr<Simulation> simulation_;
  std::optional<InterfaceRun> io_;
};

/// A Modbus client of a test: bytes on a socket.
class ModbusTester {
 public:
  explicit ModbusTester(std::uint16_t port) : socket_(ConnectTcp(*Endpoint::Read("127.0.0.1", port))) {
    WaitFor(socket_, POLLOUT, wake_, Deadline());
  }

  void Send(const modbus::Bytes& bytes) { send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  /// As much as there is now; empty at the end of the connection and after five seconds.
  modbus::Bytes Receive() {
    if (!WaitFor(socket_, POLLIN, wake_, Deadline())) return {};
    modbus::Bytes bytes(4096);
    const ssize_t count = recv(socket_.number(), bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return bytes;
  }
  /// The answer to a request; empty if none comes.
  modbus::Bytes Ask(const modbus::Bytes& request, std::uint8_t unit = 1) {
    modbus::Bytes frame;
    modbus::AddFrame(++transaction_, unit, request, frame);
    Send(frame);
    return ReceiveAnswer();
  }
  modbus::Bytes ReceiveAnswer() {
    while (true) {
      const modbus::FrameSearch found = modbus::FindFrame(received_);
      if (found.result == modbus::FrameSearch::Result::kFrame) {
        modbus::Bytes answer(found.frame.pdu.begin(), found.frame.pdu.end());
        received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(found.frame.size));
        return answer;
      }
      const modbus::Bytes more = Receive();
      if (more.empty()) return {};
      received_.insert(received_.end(), more.begin(), more.end());
    }
  }
  /// Whether the other end has closed it.
  bool IsClosed() { return Receive().empty(); }
  const Descriptor& socket() const { return socket_; }

 private:
  static std::chrono::steady_clock::time_point Deadline() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(5);
  }

  WakeUp wake_;
  Descriptor socket_;
  std::uint16_t transaction_ = 0;
  modbus::Bytes received_;
};

}  // namespace davit
