#include "session/stepper.h"

#include <unordered_map>

#include "framework/plugin.h"
#include "session/first_fault.h"

namespace davit {
namespace {

/// Sets a flag as long as it lives.
class Inside {
 public:
  explicit Inside(bool& flag) : flag_(flag) { flag_ = true; }
  ~Inside() { flag_ = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool& flag_;
};

}  // namespace

Stepper::Stepper(System& system)
    : recordings(SimulatorManager::Of(system)),
      saver(SimulatorManager::Of(system)),
      requests(system),
      manager_(SimulatorManager::Of(system)) {
  manager_.set_interrupt(&stop.inside());
  // The dynamic linker searches the symbols of a library for each answer: it is asked once for each model.
  std::unordered_map<const ModelEntry*, bool> is_from_plugin;
  for (const Component* component : system.components()) {
    const auto [known, is_new] = is_from_plugin.try_emplace(&component->entry());
    if (is_new) known->second = IsFromPlugin(component->entry());
    if (known->second) watch_.Watch(*component);
  }
}

void Stepper::Begin() {
  real_time = {};
  if (travel != nullptr) travel->BeginRun();
  AfterStep();
}

void Stepper::Step() {
  TakeRequests();
  if (travel != nullptr) travel->BeforeStep();
  {
    const Inside inside(is_stepping_);
    manager_.Step();
  }
  if (travel != nullptr) travel->AfterStep();
  AfterStep();
}

void Stepper::AfterStep() {
  if (!watch_.is_empty()) watch_.OnStep(manager_.time());
  saver.SaveDue();
  recordings.FlushDue();
  recordings.RethrowFault();
}

void Stepper::AdvanceInside(double t) {
  TakeRequests();
  {
    const Inside inside(is_stepping_);
    manager_.AdvanceTo(t);
  }
  if (!watch_.is_empty()) watch_.OnStep(manager_.time());
  recordings.FlushDue();
  recordings.RethrowFault();
}

void Stepper::AnswerLetters() {
  FirstFault faults;
  for (const RequestInbox::Letter& letter : inbox.Take()) {
    const RequestAnswer answer = requests.Take(letter.request);
    if (letter.answer) faults.Try([&] { letter.answer(answer); });
  }
  faults.Rethrow();
}

void Stepper::RefuseRequests(const std::string& why) {
  for (const RequestInbox::Letter& letter : inbox.Take()) {
    if (letter.answer) letter.answer({false, letter.request.sender + ": error: " + why});
  }
}

RunEnd Stepper::End() {
  if (stop.Take()) return RunEnd::kRequested;
  return manager_.is_running() ? RunEnd::kReached : RunEnd::kMessage;
}

}  // namespace davit
