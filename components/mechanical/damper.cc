#include "components/mechanical/damper.h"

namespace davit {

Damper::Damper() { EffortsRead({a, b}); }

}  // namespace davit
