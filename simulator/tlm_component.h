#pragma once

#include <atomic>
#include <cstdint>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Base of fixed-step (TLM) components: lines, volumes and springs with wave variables, and whatever an
/// author writes with `SimulateOneTimestep` alone, as in Hopsan.
///
/// Its C ports are delayed: SimulateOneTimestep(t) writes c and Zc for t from flows and waves at t - h, where
/// the bonds still hold them; then the Q components read c and write q for t. A TlmComponent with C ports
/// runs in the C phase, one with Q ports only in the Q phase, one without ports with the signals.
class TlmComponent : public DynamicSimComponent {
 public:
  using TlmBase = TlmComponent;

  /// Writes the waves at the start time, from start values and the waves and flows its neighbours offer.
  virtual void InitializeWaves() {}
  /// Writes the waves that would come back for ever if states and the flows at the ports stayed as they are
  /// now, fills all memory with them, and writes the derivatives of the states (AdvanceTo). The waves at the
  /// ports are those that the neighbours have answered. Needed by the search for the state of rest; false if
  /// the component cannot compute them.
  virtual bool SettleWaves() { return false; }
  /// A state of some component was set from outside: rewrites the waves at the present time, as they
  /// follow from the states now. Where nothing that they depend on has changed they must stay as they are,
  /// bit for bit; `has_moved` says whether a motion at the own ports has changed.
  virtual void RestartWaves(bool /*has_moved*/) {}
  /// Whether its ports may belong to components of different TimeSteps. It then runs with the longest
  /// TimeStep that divides theirs, whatever its own.
  virtual bool JoinsRates() const { return false; }
  /// How many of its own steps the component at the port takes for one; before Reset.
  virtual void SetPartnerSteps(const PortBase& /*port*/, std::uint64_t /*steps*/) {}
  void SimulateOneTimestep(double t) override = 0;

  /// What AskForPostIntegrate sets; null: nothing.
  void set_post_integrate_request(std::atomic<bool>* request) { post_integrate_request_ = request; }

 protected:
  /// PostIntegrate shall be called after this step; for a model that has
  ///
  ///     static constexpr bool kPostIntegratesWhenAsked = true;
  ///
  /// and looks there for something rare. From any thread. Once one component asks, PostIntegrate of all that
  /// have it is called.
  void AskForPostIntegrate() const {
    if (post_integrate_request_ != nullptr) post_integrate_request_->store(true, std::memory_order_relaxed);
  }
  /// The TimeStep h [s]; valid from Reset on.
  double h() const { return GetSimulatorTimestep(); }

 private:
  std::atomic<bool>* post_integrate_request_ = nullptr;
};

}  // namespace davit
