#pragma once

#include <unordered_set>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// Values of parameters that a file or the command line gives, by their place.
using GivenParameters = std::unordered_set<const double*>;

/// Lets each `DefaultsProvider` of the system set the parameters that are not `given`. Two of one model in
/// one scope, and values that a parameter cannot have, are errors.
void HandDownDefaults(System& system, const GivenParameters& given, ElementReader& reader);

}  // namespace davit
