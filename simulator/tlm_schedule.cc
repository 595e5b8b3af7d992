#include "simulator/tlm_schedule.h"

#include <cmath>

namespace davit {

const Component* TlmSchedule::FindNotFinite() const {
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (!std::isfinite(y_[i])) return state_owners_[i];
  }
  return nullptr;
}

void TlmSchedule::Start(double t) {
  UpdateLatches();
  for (Extrapolated& e : extrapolated_) e.value = y_[e.offset];
  for (TlmComponent* component : waves_) component->InitializeWaves();
  evaluations_.Run(t);
}

}  // namespace davit
