#include "components/mechanical/lugre_friction.h"

namespace davit {

LuGreFriction::LuGreFriction() { EffortsRead({a, b}); }

void LuGreFriction::ParametersChanged() {
  law_ = {.Fc = Fc, .Fs = Fs, .vs = vs, .s0 = s0, .s1 = s1, .s2 = s2};
}

}  // namespace davit
