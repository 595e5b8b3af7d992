#pragma once

#include <array>

#include "framework/domains/electrical.h"     // IWYU pragma: export
#include "framework/domains/hydraulic.h"      // IWYU pragma: export
#include "framework/domains/pneumatic.h"      // IWYU pragma: export
#include "framework/domains/rotational.h"     // IWYU pragma: export
#include "framework/domains/thermal.h"        // IWYU pragma: export
#include "framework/domains/translational.h"  // IWYU pragma: export

namespace davit {

/// The domains that davit comes with.
inline constexpr std::array<const Domain*, 6> kStandardDomains{
    &HydraulicBond::kDomain,  &PneumaticBond::kDomain,  &TranslationalBond::kDomain,
    &RotationalBond::kDomain, &ElectricalBond::kDomain, &ThermalBond::kDomain};

}  // namespace davit
