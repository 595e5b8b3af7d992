#include "components/mechanical/shaft.h"

namespace davit {

Shaft::Shaft() { EffortsRead({a, b}); }

}  // namespace davit
