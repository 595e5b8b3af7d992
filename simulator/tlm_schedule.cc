#include "simulator/tlm_schedule.h"

namespace davit {

void TlmSchedule::InitializeWaves() {
  for (TlmComponent* component : waves_) component->InitializeWaves();
}

void TlmSchedule::EvaluateAt(double t) {
  UpdateLatches();
  for (Extrapolated& e : extrapolated_) e.value = states_.y[e.offset];
  evaluations_.Run(t);
}

}  // namespace davit
