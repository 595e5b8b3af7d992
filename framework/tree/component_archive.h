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

/// The alarms of one of several copies of the component, each of which sees a part of it. When loading, they
/// become what they are where all that the copies have seen is seen.
void JoinAlarms(Archive& archive, Component& component);

}  // namespace davit
