#pragma once

#include <vector>

#include "framework/item.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// A parameter, input, property or start value that a file or the command line sets.
struct GivenSetting {
  Item item;
  SourceLocation location;
};

/// Warns of settings that no equation will ever use, because a structural option that they belong to is not
/// chosen. What belongs to an aspect is used at another level, so it is no fault to give it.
void WarnOfUnusedSettings(const std::vector<GivenSetting>& given, ElementReader& reader);

}  // namespace davit
