#pragma once

#include <unordered_set>

#include "framework/archive.h"
#include "framework/component.h"
#include "framework/units/unit_system.h"

namespace davit {

/// What a user or a command sets: live parameters and properties, inputs, start values, level. Structural
/// ones belong to the system, see StructureOf.
void ArchiveValues(Archive& archive, Component& component, const UnitSystem& units);

/// What the run has written: outputs, bonds, alarms, and what the component remembers besides. States belong
/// to their islands. `bonds` are those that an earlier component has taken along.
void ArchiveRun(Archive& archive, Component& component, std::unordered_set<const void*>& bonds);

}  // namespace davit
