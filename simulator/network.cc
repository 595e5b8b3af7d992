#include "simulator/network.h"

namespace davit {

void Network::EvaluateAt(double t) {
  tlm.EvaluateAt(t);
  for (auto& island : islands) {
    island->UpdateLatches();
    island->TakeWaves();
    island->EvaluateAt(t);
  }
}

}  // namespace davit
