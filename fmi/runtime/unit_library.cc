#include "framework/units/unit_library.h"
#include "framework/units/unit_reader.h"

namespace davit {

/// UDUNITS-2 is no part of the runtime. The units that the system was exported with are in its manifest, bit
/// for bit; what is asked for besides, by components and masters, is read without it.
class UnitLibrary::Symbols {};

UnitLibrary::UnitLibrary() = default;
UnitLibrary::~UnitLibrary() = default;

std::optional<Unit> UnitLibrary::Parse(const std::string& text) const { return ReadUnit(text); }

}  // namespace davit
