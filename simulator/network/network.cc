#include "simulator/network/network.h"

#include <algorithm>

namespace davit {

void Network::InitializeWaves() {
  for (auto& rate : rates) rate->tlm.InitializeWaves();
}

void Network::EvaluateAt(double t) {
  operators.BeginInputs(t);
  for (auto& rate : rates) rate->tlm.EvaluateAt(t);
  for (auto& island : islands) {
    island->UpdateLatches();
    island->TakeWaves();
    island->EvaluateAt(t);
  }
  operators.BeginOutputs(t);
}

bool Network::has_fixed_steps() const {
  return std::any_of(rates.begin(), rates.end(), [](const auto& rate) { return !rate->tlm.is_empty(); });
}

}  // namespace davit
