#pragma once

#include <span>

#include "framework/xml/element_kind.h"

namespace davit {

/// The elements of a mechanism with their attributes, for the reader and for editors.
std::span<const ElementKind> MechanismElements();
/// Those of a mechanism.Crane: the same, and its loads.
std::span<const ElementKind> CraneElements();

}  // namespace davit
