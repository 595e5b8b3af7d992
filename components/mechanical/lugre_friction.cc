#include "components/mechanical/lugre_friction.h"

namespace davit {

LuGreFriction::LuGreFriction() { EffortsRead({a, b}); }

}  // namespace davit
