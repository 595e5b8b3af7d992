#include "components/mechanical/force.h"

namespace davit {

Force::Force() { EffortsRead({force}); }

}  // namespace davit
