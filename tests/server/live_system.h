#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "components/register.h"
#include "server/frame_sender.h"
#include "server/live_context.h"
#include "server/live_run.h"
#include "server/studio_api_session.h"
#include "session/simulation.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// A client that keeps what it is sent.
class KeptFrames final : public FrameSender {
 public:
  void SendFrame(std::string bytes) override { frames.push_back(std::move(bytes)); }
  void Ping() override { ++pings; }
  std::size_t waiting_bytes() const override { return waiting; }
  void CloseFrames(const std::string& reason) override { closed = reason; }

  std::vector<std::string> frames;
  std::string closed;
  std::size_t waiting = 0;
  int pings = 0;
};

/// A system that runs in a thread of its own, while the test is the thread of the server. It begins with a
/// pause.
class LiveSystem {
 public:
  static constexpr std::string_view kText = R"(
<System name="rig" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="100 s"/>
  <hydraulic.Volume name="line" volume="1 l" bulk_modulus="1.6e9 Pa">
    <Start p="100 bar"/>
  </hydraulic.Volume>
  <hydraulic.FlowSource name="source"/>
  <mechanical.Mass name="load" mass="10 kg"/>
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <Connect from="line.port" to="source.port"/>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>
  <Record signals="line.p load.x" interval="10 ms"/>
</System>
)";

  /// `add_models` registers those that `text` has.
  explicit LiveSystem(LiveServerOptions options = {}, LiveRunOptions live = {.is_paused = true, .factor = {}},
                      std::string_view text = kText, void (*add_models)(Registry&) = RegisterComponents) {
    RegisterSimulator(registry_);
    add_models(registry_);
    SimulationOptions simulation;
    simulation.log_level = RunLog::Severity::kDetail;
    simulation.log_entries = [this](const RunLog::Entry& entry) { notes_.Give(ToNote(entry)); };
    simulation_ = Simulation::LoadText(text, "rig.xml", registry_, simulation).Take();
    simulation_->Initialize();
    run_ = std::make_unique<LiveRun>(*simulation_, notes_, std::move(live));
    context_ = std::make_unique<LiveContext>(std::move(options), *run_, SystemTexts{}, [this](auto task) {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(task));
    });
    driver_ = std::thread([this] { run_->RunToEnd(); });
  }
  ~LiveSystem() {
    run_->Quit();
    driver_.join();
    run_->Shut();
    posted_.clear();
  }
  LiveSystem(const LiveSystem&) = delete;
  LiveSystem& operator=(const LiveSystem&) = delete;

  /// What the thread of the server does now and then.
  void Poll() {
    std::deque<std::function<void()>> posted;
    {
      const std::lock_guard lock(mutex_);
      posted.swap(posted_);
    }
    for (const auto& task : posted) task();
    std::uint64_t dropped = 0;
    for (const RunNote& note : notes_.Take(dropped)) context_->events.Add(note);
    context_->values.Poll();
    context_->dead_man.Tick(DeadMan::Clock::now());
  }
  /// Polls until something holds; false where it does not within a long time.
  bool PollUntil(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > end) return false;
      Poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// Does something between two steps and waits for it.
  void Do(std::function<void()> call) {
    std::atomic<bool> is_done = false;
    run_->PostBetweenRuns([&] {
      call();
      is_done = true;
    });
    PollUntil([&] { return is_done.load(); });
  }

  LiveRun& run() { return *run_; }
  LiveContext& context() { return *context_; }
  std::uint32_t NodeOf(std::string_view path) const { return context_->tree.FindPath(path)->id; }

 private:
  Registry registry_;
  HandOver<RunNote> notes_{10'000};
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<LiveRun> run_;
  std::mutex mutex_;
  std::unique_ptr<LiveContext> context_;
  std::deque<std::function<void()>> posted_;
  std::thread driver_;
};

}  // namespace davit
