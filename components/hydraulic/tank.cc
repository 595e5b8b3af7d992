#include "components/hydraulic/tank.h"

namespace davit {

void Tank::ParametersChanged() {
  for (std::size_t i = 0; i < port.size(); ++i) {
    port[i].c = back_pressure;
    port[i].Zc = 0;
  }
}

}  // namespace davit
