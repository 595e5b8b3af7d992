#include "components/mechanical/spring.h"

namespace davit {

Spring::Spring() { EffortsRead({a, b}); }

}  // namespace davit
