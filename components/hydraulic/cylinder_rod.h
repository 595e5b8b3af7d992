#pragma once

#include "components/mechanical/cylinder_travel.h"
#include "framework/component.h"
#include "framework/diagnostics.h"
#include "framework/domains/translational.h"
#include "framework/start_value.h"

namespace davit {

/// Tells the component at the rod where `cylinder` starts, if that is given.
void OfferStart(const Component& cylinder, const StartValue& x_start, TranslationalBond& rod);

/// Checks that the start displacement is between the stops. Pre: OfferStart has been called.
void CheckStart(const Component& cylinder, const CylinderTravel::Travel& travel, const TranslationalBond& rod,
                Diagnostics& diagnostics);

/// The same, and that the rod fits into the barrel.
void CheckCylinder(const Component& cylinder, double bore, double rod_diameter,
                   const CylinderTravel::Travel& travel, const TranslationalBond& rod,
                   Diagnostics& diagnostics);

}  // namespace davit
