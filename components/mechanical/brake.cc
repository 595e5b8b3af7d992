#include "components/mechanical/brake.h"

namespace davit {

Brake::Brake() { EffortsRead({port}); }

}  // namespace davit
