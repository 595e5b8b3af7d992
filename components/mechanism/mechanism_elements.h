#pragma once

#include <array>
#include <span>
#include <string_view>

#include "framework/xml/element_kind.h"

namespace davit {

/// Whether the path of a frame is shown.
inline constexpr std::array<std::string_view, 2> kPathNames{"shown", "hidden"};
/// What a deck is fixed to.
inline constexpr std::array<std::string_view, 2> kDeckCarrierNames{"earth", "base"};

/// The elements of a mechanism with their attributes, for the reader and for editors.
std::span<const ElementKind> MechanismElements();
/// Those of a mechanism.Crane: the same, and its loads.
std::span<const ElementKind> CraneElements();

}  // namespace davit
