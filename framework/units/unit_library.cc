#include "framework/units/unit_library.h"

#include <fmt/format.h>
#include <udunits2.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <span>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "framework/units/short_decimal.h"
#include "framework/units/unit_symbols.h"

namespace davit {
namespace {

/// UDUNITS-2 keeps its parser, its status and its message handler in global variables. Whoever holds this
/// object is alone in the library, and the library is silent.
class LibraryLock {
 public:
  LibraryLock() : lock_(Mutex()), handler_(ut_set_error_message_handler(ut_ignore)) {}
  ~LibraryLock() { ut_set_error_message_handler(handler_); }
  LibraryLock(const LibraryLock&) = delete;
  LibraryLock& operator=(const LibraryLock&) = delete;

 private:
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }

  std::lock_guard<std::mutex> lock_;
  ut_error_message_handler handler_;
};

}  // namespace

/// Objects of UDUNITS-2 are given back when they go out of scope.
namespace udunits {

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
struct FreeSystem {
  void operator()(ut_system* system) const { ut_free_system(system); }
};
using UnitPtr = std::unique_ptr<ut_unit, FreeUnit>;
using SystemPtr = std::unique_ptr<ut_system, FreeSystem>;

}  // namespace udunits

namespace {

using udunits::UnitPtr;

/// What the visitor of UDUNITS-2 collects: the exponents, the scale and the offset of a unit.
struct Reading {
  std::span<const UnitPtr> bases;
  Unit unit;
};

ut_status AddPower(Reading& reading, const ut_unit* base, int power) {
  for (std::size_t i = 0; i < reading.bases.size(); ++i) {
    if (ut_compare(base, reading.bases[i].get()) != 0) continue;
    const int sum = reading.unit.dimension.exponents[i] + power;
    if (std::abs(sum) > std::numeric_limits<std::int8_t>::max()) return UT_MEANINGLESS;
    reading.unit.dimension.exponents[i] = static_cast<std::int8_t>(sum);
    return UT_SUCCESS;
  }
  return UT_MEANINGLESS;
}

ut_status VisitBasic(const ut_unit* unit, void* reading) {
  return AddPower(*static_cast<Reading*>(reading), unit, 1);
}

ut_status VisitProduct(const ut_unit* /*unit*/, int count, const ut_unit* const* bases, const int* powers,
                       void* reading) {
  for (int i = 0; i < count; ++i) {
    const ut_status status = AddPower(*static_cast<Reading*>(reading), bases[i], powers[i]);
    if (status != UT_SUCCESS) return status;
  }
  return UT_SUCCESS;
}

ut_status VisitGalilean(const ut_unit* unit, double scale, const ut_unit* underlying, double offset,
                        void* reading);

ut_status VisitTimestamp(const ut_unit* /*unit*/, const ut_unit* /*time*/, double /*origin*/,
                         void* /*reading*/) {
  return UT_MEANINGLESS;
}

ut_status VisitLogarithmic(const ut_unit* /*unit*/, double /*base*/, const ut_unit* /*reference*/,
                           void* /*reading*/) {
  return UT_MEANINGLESS;
}

constexpr ut_visitor kVisitor{VisitBasic, VisitProduct, VisitGalilean, VisitTimestamp, VisitLogarithmic};

/// A Galilean unit: value_in_underlying = scale * (value + offset).
ut_status VisitGalilean(const ut_unit* /*unit*/, double scale, const ut_unit* underlying, double offset,
                        void* reading) {
  const ut_status status = ut_accept_visitor(underlying, &kVisitor, reading);
  Unit& unit = static_cast<Reading*>(reading)->unit;
  unit.offset += unit.scale * scale * offset;
  unit.scale *= scale;
  return status;
}

}  // namespace

/// One ut_system with davit's symbols and prefixes.
class UnitLibrary::Symbols {
 public:
  Symbols() : system_(ut_new_system()) {
    Require(system_ != nullptr, "ut_new_system");
    for (const char* symbol : kBaseUnits) {
      UnitPtr& base = bases_.emplace_back(ut_new_base_unit(system_.get()));
      Require(base != nullptr, symbol);
      // The kilogram is made of prefix and gram; mapped itself it would take a second prefix.
      if (std::string_view(symbol) != "kg") {
        Map(symbol, base);
      } else {
        Map("g", UnitPtr(ut_scale(1e-3, base.get())));
      }
    }
    for (const UnitPrefix& prefix : kUnitPrefixes) {
      Require(ut_add_symbol_prefix(system_.get(), prefix.symbol, prefix.factor) == UT_SUCCESS, prefix.symbol);
    }
    for (const DerivedUnit& derived : kDerivedUnits) {
      const UnitPtr definition(ut_parse(system_.get(), derived.definition, UT_ASCII));
      const UnitPtr scaled(ut_scale(derived.factor, definition.get()));
      Map(derived.symbol, UnitPtr(ut_offset(scaled.get(), derived.offset)));
    }
  }

  std::optional<Unit> Parse(const std::string& text) const {
    const UnitPtr parsed(ut_parse(system_.get(), text.c_str(), UT_ASCII));
    if (parsed == nullptr) return std::nullopt;
    Reading reading{bases_, {}};
    if (ut_accept_visitor(parsed.get(), &kVisitor, &reading) != UT_SUCCESS) return std::nullopt;
    reading.unit.scale = RoundToShortDecimal(reading.unit.scale);
    const bool is_usable = std::isnormal(reading.unit.scale) && std::isfinite(reading.unit.offset);
    return is_usable ? std::optional(reading.unit) : std::nullopt;
  }

 private:
  static void Require(bool is_done, const char* what) {
    if (is_done) return;
    throw std::runtime_error(fmt::format("UDUNITS-2 cannot make the unit system (at {})", what));
  }

  void Map(const char* symbol, const UnitPtr& unit) {
    Require(unit != nullptr && ut_map_symbol_to_unit(symbol, UT_ASCII, unit.get()) == UT_SUCCESS, symbol);
  }

  udunits::SystemPtr system_;
  std::vector<UnitPtr> bases_;
};

UnitLibrary::UnitLibrary() {
  const LibraryLock lock;
  // UDUNITS-2 never frees the prefixes of a system: all share one, which does not change once it is made.
  static const std::shared_ptr<const Symbols> shared = std::make_shared<Symbols>();
  symbols_ = shared;
}

UnitLibrary::~UnitLibrary() {
  const LibraryLock lock;
  symbols_.reset();
}

std::optional<Unit> UnitLibrary::Parse(const std::string& text) const {
  const LibraryLock lock;
  return symbols_->Parse(text);
}

}  // namespace davit
