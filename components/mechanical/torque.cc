#include "components/mechanical/torque.h"

namespace davit {

Torque::Torque() { EffortsRead({torque}); }

}  // namespace davit
