#include "session/real_time_record.h"

#include <chrono>
#include <cstddef>

namespace davit {

ShownDurations ShowDurations(const DurationHistogram& histogram) {
  ShownDurations shown{};
  for (std::size_t i = 0; i < shown.size(); ++i)
    shown[i] = std::chrono::duration<double>(histogram.Quantile(kShownShares[i])).count();
  return shown;
}

}  // namespace davit
