#include "components/signal/threshold.h"

namespace davit {

void Threshold::Reset() {
  DynamicSimComponent::Reset();
  count = 0;
  last_time = 0;
}

}  // namespace davit
