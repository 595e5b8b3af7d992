// A Modbus server in a run: what 1,000 registers at 100 Hz cost, as a share of one core, and how long a
// client waits for an answer when it asks 2,000 times a second. On loopback, with one run in real time.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "components/register.h"
#include "io/interface_run.h"
#include "io/modbus_protocol.h"
#include "io/net/socket.h"
#include "io/register.h"
#include "session/simulation.h"
#include "tests/support/spring_system.h"

namespace davit {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRegisters = 1000;
constexpr double kSeconds = 5;  // of each measurement

/// A mass on a spring whose position and speed are in 500 numbers of two registers each.
std::string Plant(std::uint16_t port) {
  std::string server = fmt::format("  <ModbusServer name=\"plc\" port=\"{}\">\n", port);
  for (int address = 0; address < kRegisters; address += 2)
    server += fmt::format("    <Register item=\"load.{}\" table=\"input\" address=\"{}\"/>\n",
                          address % 4 == 0 ? 'x' : 'v', address);
  return SpringSystem(server + "  </ModbusServer>\n", fmt::format("{} s", kSeconds));
}

double ProcessSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A client that asks for registers from 0 on, `rate` times a second.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(ConnectTcp(*Endpoint::Read("127.0.0.1", port))) {
    WaitFor(socket_, POLLOUT, wake_, Clock::now() + std::chrono::seconds(5));
  }

  void Run(double rate, const std::vector<modbus::Bytes>& requests, const std::atomic<bool>& is_over) {
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate));
    for (Clock::time_point next = Clock::now(); !is_over; next += period) {
      std::this_thread::sleep_until(next);
      for (const modbus::Bytes& request : requests) Ask(request);
    }
    cpu_seconds_ = ThreadSeconds();
  }

  double Quantile(double share) {
    std::ranges::sort(seconds_);
    return seconds_.empty()
               ? 0
               : seconds_[static_cast<std::size_t>(share * static_cast<double>(seconds_.size() - 1))];
  }
  double cpu_seconds() const { return cpu_seconds_; }
  std::size_t answers() const { return seconds_.size(); }

 private:
  void Ask(const modbus::Bytes& request) {
    const Clock::time_point begin = Clock::now();
    modbus::Bytes frame;
    modbus::AddFrame(1, 1, request, frame);
    send(socket_.number(), frame.data(), frame.size(), MSG_NOSIGNAL);
    modbus::Bytes received(modbus::kLargestFrame);
    if (!WaitFor(socket_, POLLIN, wake_, begin + std::chrono::seconds(1))) return;
    recv(socket_.number(), received.data(), received.size(), 0);
    seconds_.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }

  WakeUp wake_;
  Descriptor socket_;
  std::vector<double> seconds_;
  double cpu_seconds_ = 0;
};

/// Steps in real time for kSeconds; a client asks meanwhile, if it is given any requests.
void Measure(benchmark::State& state, double rate, const std::vector<modbus::Bytes>& requests) {
  Registry registry = AllModels();
  RegisterIo(registry);
  const std::uint16_t port = PortOf(ListenTcp(*Endpoint::Read("127.0.0.1", 0)));
  for ([[maybe_unused]] const auto _ : state) {
    const auto simulation = Simulation::LoadText(Plant(port), "plant.xml", registry).Take();
    Diagnostics diagnostics;
    InterfaceRun io(*simulation, requests.empty() ? IoReach::kNone : IoReach::kLoopback, diagnostics);
    simulation->Initialize();
    io.Exchange();
    Client client(port);
    std::atomic<bool> is_over = false;
    const double begin = ProcessSeconds();
    std::thread asking([&] {
      if (!requests.empty()) client.Run(rate, requests, is_over);
    });
    const Clock::time_point start = Clock::now();
    while (!simulation->is_finished()) {
      io.Exchange();
      simulation->Step();
      std::this_thread::sleep_until(start + std::chrono::duration<double>(simulation->time()));
    }
    is_over = true;
    asking.join();
    state.counters["core_percent"] = 100 * (ProcessSeconds() - begin - client.cpu_seconds()) / kSeconds;
    if (requests.empty()) continue;
    state.counters["answers"] = static_cast<double>(client.answers());
    state.counters["p50_us"] = 1e6 * client.Quantile(0.5);
    state.counters["p99_us"] = 1e6 * client.Quantile(0.99);
    state.counters["worst_us"] = 1e6 * client.Quantile(1);
  }
}

void WithoutInterface(benchmark::State& state) { Measure(state, 1, {}); }

void ThousandRegistersAtHundredHertz(benchmark::State& state) {
  std::vector<modbus::Bytes> requests;
  for (int address = 0; address < kRegisters; address += modbus::kMostWordsRead)
    requests.push_back(modbus::ReadRequest(modbus::Table::kInput, static_cast<std::uint16_t>(address),
                                           modbus::kMostWordsRead));
  Measure(state, 100, requests);
}

void TwoThousandRequestsASecond(benchmark::State& state) {
  Measure(state, 2000, {modbus::ReadRequest(modbus::Table::kInput, 0, 20)});
}

BENCHMARK(WithoutInterface)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(ThousandRegistersAtHundredHertz)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(TwoThousandRequestsASecond)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace davit
