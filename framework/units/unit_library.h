#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/units/unit_system.h"

namespace davit {

/// What multiplies symbols: UDUNITS-2 with the symbols and prefixes of davit. A program that is linked
/// without it knows the units that it has learnt (UnitSystem::Learn) and no others.
class UnitLibrary {
 public:
  /// Throws std::runtime_error if UDUNITS-2 fails (no memory).
  UnitLibrary();
  ~UnitLibrary();
  UnitLibrary(const UnitLibrary&) = delete;
  UnitLibrary& operator=(const UnitLibrary&) = delete;

  /// The unit that `text` means, a product of symbols as UDUNITS-2 writes it: `kg*m/s^2`.
  std::optional<Unit> Parse(const std::string& text) const;

 private:
  class Symbols;
  std::shared_ptr<const Symbols> symbols_;
};

}  // namespace davit
