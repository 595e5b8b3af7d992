#include "components/hydraulic/laws/volume_waves.h"

namespace davit {

void VolumeWaves::KeepPressures(double Zc_before) {
  if (Zc_before <= 0) return;
  for (End& end : ends_) end.d *= Zc_ / Zc_before;
}

}  // namespace davit
