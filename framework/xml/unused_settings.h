#pragma once

#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// A parameter, input, property or start value that a file or the command line sets.
struct GivenSetting {
  Item item;
  SourceLocation location;
};

/// Warns of settings that no equation uses, because an option that they belong to is not chosen and nothing
/// in the system changes that. Call it when the schedule is read.
void WarnOfUnusedSettings(const System& system, const std::vector<GivenSetting>& given,
                          ElementReader& reader);

}  // namespace davit
