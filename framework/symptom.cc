#include "framework/symptom.h"

#include <fmt/format.h>

#include <cstddef>

namespace davit {

std::string SeeSection(Symptom symptom) {
  return fmt::format("; see docs/troubleshooting.md#{}", kSymptomAnchors[static_cast<std::size_t>(symptom)]);
}

}  // namespace davit
