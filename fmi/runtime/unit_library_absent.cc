#include "framework/units/unit_library.h"

namespace davit {

/// The runtime knows the units that its manifest lists: UDUNITS-2 is no part of it.
class UnitLibrary::Symbols {};

UnitLibrary::UnitLibrary() = default;
UnitLibrary::~UnitLibrary() = default;

std::optional<Unit> UnitLibrary::Parse(const std::string& /*text*/) const { return std::nullopt; }

}  // namespace davit
