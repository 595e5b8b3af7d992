#include "framework/units/unit_system.h"

#include <fmt/format.h>
#include <udunits2.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <mutex>
#include <numbers>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace davit {
namespace {

constexpr std::size_t kMaxTextSize = 64;
constexpr std::size_t kMaxCached = 4096;
constexpr std::array<const char*, 6> kBaseSymbols = {"m", "kg", "s", "A", "K", "rad"};

/// One unit is factor * definition, shifted by offset (in the unit itself).
struct DerivedUnit {
  const char* symbol;
  double factor;
  const char* definition;  // by symbols defined above it
  double offset = 0;
};

constexpr double kStandardGravity = 9.80665;                          // m/s2, by definition
constexpr double kPound = 0.45359237;                                 // kg, by definition
constexpr double kInch = 0.0254;                                      // m, by definition
constexpr double kPsi = kPound * kStandardGravity / (kInch * kInch);  // Pa

constexpr DerivedUnit kDerivedUnits[] = {
    {"t", 1e6, "g"},
    {"N", 1, "kg*m/s^2"},
    {"Nm", 1, "N*m"},
    {"Pa", 1, "N/m^2"},
    {"bar", 1e5, "Pa"},
    {"psi", kPsi, "Pa"},
    {"J", 1, "N*m"},
    {"W", 1, "J/s"},
    {"Hz", 1, "1/s"},
    {"C", 1, "A*s"},
    {"V", 1, "W/A"},
    {"Ohm", 1, "V/A"},
    {"ohm", 1, "V/A"},
    {"F", 1, "C/V"},
    {"H", 1, "V*s/A"},
    {"Wb", 1, "V*s"},
    {"T", 1, "Wb/m^2"},
    {"l", 1e-3, "m^3"},
    {"L", 1e-3, "m^3"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"deg", std::numbers::pi / 180, "rad"},
    {"rev", 2 * std::numbers::pi, "rad"},
    {"rpm", 2 * std::numbers::pi / 60, "rad/s"},
    {"St", 1e-4, "m^2/s"},
    {"degC", 1, "K", 273.15},
    {"%", 0.01, "1"},
    {"in", kInch, "m"},
    {"ft", 12 * kInch, "m"},
};

struct Prefix {
  const char* symbol;
  double factor;
};

constexpr Prefix kPrefixes[] = {
    {"Y", 1e24}, {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12},  {"G", 1e9},   {"M", 1e6},
    {"k", 1e3},  {"h", 1e2},   {"da", 1e1},  {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24},
};

struct Spelling {
  std::string_view written;
  std::string_view ascii;
};

constexpr Spelling kSpellings[] = {
    {"\u00b5", "u"},    // micro sign
    {"\u03bc", "u"},    // Greek mu
    {"\u00b0", "deg"},  // degree sign
    {"\u03a9", "Ohm"},  // Greek Omega
    {"\u2126", "Ohm"},  // Ohm sign
    {"\u00b7", "."},    // middle dot
    {"\u00b2", "2"},    // superscripts
    {"\u00b3", "3"},
};

std::string ToAscii(std::string_view text) {
  std::string ascii;
  while (!text.empty()) {
    std::string_view written = text.substr(0, 1);
    std::string_view replacement = written;
    for (const Spelling& spelling : kSpellings) {
      if (!text.starts_with(spelling.written)) continue;
      written = spelling.written;
      replacement = spelling.ascii;
    }
    ascii += replacement;
    text.remove_prefix(written.size());
  }
  return ascii;
}

/// Reads the unit texts davit allows and writes them in a form that UDUNITS-2 cannot take for anything else:
/// it would read a number in `m2.s`, an offset in `K @ 273` and a date in `s since 2000`.
///
///   unit    = [ "1" "/" factor { "/" factor } ] | product
///   product = factor { ( "." | "*" | " " ) factor } { "/" factor }
///   factor  = symbol [ [ "^" ] exponent ] | "(" product ")"
class TextReader {
 public:
  explicit TextReader(std::string_view text) : rest_(text) {}

  /// The text for UDUNITS-2, or nullopt if this is not a unit.
  std::optional<std::string> Read() {
    SkipSpaces();
    bool is_unit = false;
    if (Accept('1')) {
      result_ = "1";
      SkipSpaces();
      is_unit = rest_.empty() || (rest_.front() == '/' && ReadDivisors());
    } else {
      is_unit = ReadProduct();
    }
    return is_unit && rest_.empty() ? std::optional(std::move(result_)) : std::nullopt;
  }

 private:
  static bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  bool StartsFactor() const {
    return !rest_.empty() && (IsLetter(rest_.front()) || rest_.front() == '%' || rest_.front() == '(');
  }

  bool Accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool SkipSpaces() {
    bool has_spaces = false;
    while (Accept(' ')) has_spaces = true;
    return has_spaces;
  }

  bool ReadProduct() {
    if (!ReadFactor()) return false;
    for (;;) {
      const bool has_spaces = SkipSpaces();
      if (Accept('.') || Accept('*')) {
        SkipSpaces();
      } else if (!has_spaces || !StartsFactor()) {
        return ReadDivisors();
      }
      result_ += '*';
      if (!ReadFactor()) return false;
    }
  }

  bool ReadDivisors() {
    while (Accept('/')) {
      SkipSpaces();
      result_ += '/';
      if (!ReadFactor()) return false;
      SkipSpaces();
    }
    return true;
  }

  bool ReadFactor() {
    if (!StartsFactor()) return false;
    if (Accept('(')) {
      SkipSpaces();
      result_ += '(';
      if (!ReadProduct() || !Accept(')')) return false;
      result_ += ')';
      return true;
    }
    if (Accept('%')) {
      result_ += '%';
      return true;
    }
    while (!rest_.empty() && IsLetter(rest_.front())) Take();
    return ReadExponent();
  }

  bool ReadExponent() {
    const bool has_caret = Accept('^');
    const bool is_negative = Accept('-');
    int digits = 0;
    if (!rest_.empty() && IsDigit(rest_.front())) result_ += is_negative ? "^-" : "^";
    for (; !rest_.empty() && IsDigit(rest_.front()); ++digits) Take();
    if (digits == 0) return !has_caret && !is_negative;
    const bool is_followed_by_letter = !rest_.empty() && IsLetter(rest_.front());
    return digits <= 2 && !is_followed_by_letter;
  }

  void Take() {
    result_ += rest_.front();
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::string result_;
};

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

/// Products of prefixes and powers leave the last bit to chance. A scale within 4 roundings of a number with
/// few decimal digits is that number.
double RoundToShortDecimal(double value) {
  constexpr int kDigits = 12;
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, kDigits - 1);
  double decimal = 0;
  if (error != std::errc() || std::from_chars(text.data(), end, decimal).ec != std::errc()) return value;
  const double tolerance = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
  return std::abs(decimal - value) <= tolerance ? decimal : value;
}

/// The whole number whose reciprocal, rounded to a double, is `scale`; nullopt if there is none.
std::optional<double> FindDivisor(double scale) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2^53
  const double divisor = std::round(1 / scale);
  const bool is_reciprocal = scale < 1 && divisor <= kMaxExact && 1 / divisor == scale;
  return is_reciprocal ? std::optional(divisor) : std::nullopt;
}

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
class UnitSystem::Library {
 public:
  Library() : system_(ut_new_system()) {
    Require(system_ != nullptr, "ut_new_system");
    for (const char* symbol : kBaseSymbols) {
      UnitPtr& base = bases_.emplace_back(ut_new_base_unit(system_.get()));
      Require(base != nullptr, symbol);
      // The kilogram is made of prefix and gram; mapped itself it would take a second prefix.
      if (std::string_view(symbol) != "kg") {
        Map(symbol, base);
      } else {
        Map("g", UnitPtr(ut_scale(1e-3, base.get())));
      }
    }
    for (const Prefix& prefix : kPrefixes) {
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

/// What each text was found to be. Stops growing at kMaxCached texts.
class UnitSystem::Cache {
 public:
  /// What is known of the text, or null. Valid as long as the cache, for nothing is changed or removed.
  const std::optional<Unit>* Find(std::string_view text) const {
    const std::shared_lock lock(mutex_);
    const auto found = units_.find(text);
    return found == units_.end() ? nullptr : &found->second;
  }

  void Insert(std::string_view text, const std::optional<Unit>& unit) {
    const std::unique_lock lock(mutex_);
    if (units_.size() < kMaxCached) units_.try_emplace(std::string(text), unit);
  }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::optional<Unit>, TextHash, std::equal_to<>> units_;
};

UnitSystem::UnitSystem() : cache_(std::make_unique<Cache>()) {
  const LibraryLock lock;
  // UDUNITS-2 never frees the prefixes of a system: all share one, which does not change once it is made.
  static const std::shared_ptr<const Library> shared = std::make_shared<Library>();
  library_ = shared;
}

UnitSystem::~UnitSystem() {
  const LibraryLock lock;
  library_.reset();
}

std::optional<Unit> UnitSystem::Find(std::string_view text) const {
  if (text.empty() || text == "-") return Unit{};
  if (text.size() > kMaxTextSize) return std::nullopt;
  if (const std::optional<Unit>* const known = cache_->Find(text)) return *known;

  std::optional<Unit> unit;
  const std::string ascii = ToAscii(text);
  if (const std::optional<std::string> readable = TextReader(ascii).Read()) {
    const LibraryLock lock;
    unit = library_->Parse(*readable);
  }
  cache_->Insert(text, unit);
  return unit;
}

std::vector<std::string> UnitSystem::names() const {
  std::vector<std::string> names(kBaseSymbols.begin(), kBaseSymbols.end());
  names.emplace_back("g");
  for (const DerivedUnit& derived : kDerivedUnits) names.emplace_back(derived.symbol);
  return names;
}

double Unit::ToSi(double value) const {
  const std::optional<double> divisor = FindDivisor(scale);
  return (divisor ? value / *divisor : value * scale) + offset;
}

double Unit::FromSi(double si) const {
  const std::optional<double> divisor = FindDivisor(scale);
  return divisor ? (si - offset) * *divisor : (si - offset) / scale;
}

std::string ToText(const Dimension& dimension) {
  constexpr std::array<std::size_t, 6> kOrder = {1, 0, 2, 3, 4, 5};  // kg m/s2, as textbooks write it
  std::string numerator;
  std::string denominator;
  int divisors = 0;
  for (const std::size_t i : kOrder) {
    const int exponent = dimension.exponents[i];  // NOLINT(bugprone-signed-char-misuse): a number
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? numerator : denominator;
    if (exponent < 0) ++divisors;
    if (!side.empty()) side += ' ';
    side += kBaseSymbols[i];
    if (std::abs(exponent) > 1) side += std::to_string(std::abs(exponent));
  }
  if (numerator.empty()) numerator = "1";
  if (divisors == 0) return numerator;
  return divisors == 1 ? numerator + "/" + denominator : numerator + "/(" + denominator + ")";
}

}  // namespace davit
