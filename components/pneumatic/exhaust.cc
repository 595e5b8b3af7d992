#include "components/pneumatic/exhaust.h"

namespace davit::pneumatic {

void Exhaust::ParametersChanged() {
  for (std::size_t i = 0; i < port.size(); ++i) {
    port[i].c = pressure;
    port[i].T = temperature;
  }
}

}  // namespace davit::pneumatic
