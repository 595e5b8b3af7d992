#pragma once

#include <cstddef>
#include <string_view>

#include "framework/archive.h"
#include "simulator/building_blocks/star_waves.h"
#include "simulator/energy_account.h"
#include "simulator/tlm_component.h"

namespace davit {

/// A lumped store of the domain of the bond B, of which `flow` is the flow, as a TLM component (wave
/// variables): its effort e rises with what flows in, C*e' = sum(flows), and each of its n ports answers one
/// TimeStep later.
template <class B, double B::*flow>
class StoreC : public TlmComponent {
 public:
  void ParametersChanged() override { SetWaves(); }
  void Reset() override {
    TlmComponent::Reset();
    SetWaves();
  }
  void InitializeWaves() override {
    waves_.Initialize(port.size());
    Offer();
  }
  bool SettleWaves() override {
    const double mean = MeanFlow();
    effort.AdvanceTo(effort, RateAt(mean));
    for (std::size_t i = 0; i < port.size(); ++i) waves_.Settle(i, Flow(i), mean);
    Offer();
    return true;
  }
  void RestartWaves(bool /*has_moved*/) override { Offer(); }
  void SimulateOneTimestep(double /*t*/) override {
    const double mean = MeanFlow();
    for (std::size_t i = 0; i < port.size(); ++i) waves_.Advance(i, Flow(i), mean);
    effort.AdvanceTo(effort + h() * RateAt(mean), RateAt(mean));
    Offer();
  }
  void ArchiveMemory(Archive& archive) override { archive(waves_); }

 protected:
  /// What the domain calls the capacity, and its effort.
  struct Names {
    Text capacity, capacity_unit, capacity_text;
    Text effort_text;
    double capacity_value;
    Start start;
  };
  explicit StoreC(const Names& names)
      : capacity{this, names.capacity, names.capacity_unit, names.capacity_text,
                 Number{.value = names.capacity_value, .range = kPositive}},
        effort{this, Text::Static(B::kDomain.effort.name), Text::Static(B::kDomain.effort.unit),
               names.effort_text, names.start} {}

  /// Of a domain whose effort times flow is a power; `name` is that of the energy stored.
  void AccountStore(std::string_view name, EnergyTerms& terms) const {
    // As VolumeC: half a step of the present power makes the rise the mean of the powers at both ends.
    double into_store = 0, filter_loss = 0;
    for (std::size_t i = 0; i < port.size(); ++i) {
      into_store += (port[i].c + port[i].Zc * Flow(i)) * Flow(i);
      filter_loss += waves_.FilterLoss(i, Flow(i));
    }
    terms.Stored(name, capacity * effort * effort / 2);
    terms.Stored("waves", waves_.WaveEnergy(h()) + h() / 2 * (into_store - filter_loss));
    terms.Lost("filter", filter_loss);
  }

 private:
  double Flow(std::size_t i) const { return port[i].*flow; }
  double MeanFlow() {
    double sum = 0;
    for (std::size_t i = 0; i < port.size(); ++i) sum += Flow(i);
    return sum / static_cast<double>(port.size());
  }
  double RateAt(double mean) const { return static_cast<double>(port.size()) * mean / capacity; }
  void SetWaves() { waves_.Set(port.size(), filter, h() / capacity); }
  void Offer() {
    for (std::size_t i = 0; i < port.size(); ++i) {
      port[i].c = effort + waves_.Difference(i);
      port[i].Zc = waves_.Zc();
    }
  }

  PortArray<B> port{this, "port", Role::kC, "Connections to the store"};
  Parameter capacity;
  Parameter filter{this, "filter", "", "Fraction of the last wave that is kept; damps waves between ports",
                   Number{.value = 0.1, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  StateVariable effort;

  StarWaves waves_;
};

}  // namespace davit
