#pragma once

/// Public: the models that come with davit.

#include "components/register.h"  // IWYU pragma: export
#include "framework/registry.h"   // IWYU pragma: export
