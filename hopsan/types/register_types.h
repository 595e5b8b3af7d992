#pragma once

#include "framework/registry.h"

namespace davit::hopsan {

// One function for each subject, in types/register_SUBJECT.cc.
void RegisterSignals(Registry& registry);
void RegisterHydraulics(Registry& registry);
void RegisterMechanics(Registry& registry);
void RegisterElectrics(Registry& registry);

}  // namespace davit::hopsan
