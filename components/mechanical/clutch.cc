#include "components/mechanical/clutch.h"

namespace davit {

Clutch::Clutch() { EffortsRead({a, b}); }

}  // namespace davit
