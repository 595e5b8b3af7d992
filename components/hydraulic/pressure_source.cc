#include "components/hydraulic/pressure_source.h"

namespace davit {

PressureSource::PressureSource() { EffortsRead({pressure}); }

}  // namespace davit
