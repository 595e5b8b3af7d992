#include "framework/units/unit_system.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "framework/units/unit_library.h"
#include "framework/units/unit_symbols.h"

namespace davit {
namespace {

constexpr std::size_t kMaxTextSize = 64;
constexpr std::size_t kMaxCached = 4096;

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

/// The whole number whose reciprocal, rounded to a double, is `scale`; nullopt if there is none.
std::optional<double> FindDivisor(double scale) {
  constexpr double kMaxExact = 9007199254740992.0;  // 2^53
  const double divisor = std::round(1 / scale);
  const bool is_reciprocal = scale < 1 && divisor <= kMaxExact && 1 / divisor == scale;
  return is_reciprocal ? std::optional(divisor) : std::nullopt;
}

}  // namespace

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

  std::vector<KnownUnit> List() const {
    const std::shared_lock lock(mutex_);
    std::vector<KnownUnit> list;
    list.reserve(units_.size());
    for (const auto& [text, unit] : units_) list.push_back({text, unit});
    return list;
  }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::optional<Unit>, TextHash, std::equal_to<>> units_;
};

UnitSystem::UnitSystem() : library_(std::make_unique<UnitLibrary>()), cache_(std::make_unique<Cache>()) {}

UnitSystem::~UnitSystem() = default;

std::optional<Unit> UnitSystem::Find(std::string_view text) const {
  if (text.empty() || text == "-") return Unit{};
  if (text.size() > kMaxTextSize) return std::nullopt;
  if (const std::optional<Unit>* const known = cache_->Find(text)) return *known;

  std::optional<Unit> unit;
  const std::string ascii = ToAscii(text);
  if (const std::optional<std::string> readable = TextReader(ascii).Read()) {
    unit = library_->Parse(*readable);
  }
  cache_->Insert(text, unit);
  return unit;
}

std::vector<KnownUnit> UnitSystem::known() const {
  std::vector<KnownUnit> units = cache_->List();
  std::ranges::sort(units, {}, &KnownUnit::text);
  return units;
}

void UnitSystem::Learn(const std::vector<KnownUnit>& units) const {
  for (const KnownUnit& known : units) cache_->Insert(known.text, known.unit);
}

std::vector<std::string> UnitSystem::names() const {
  std::vector<std::string> names(kBaseUnits.begin(), kBaseUnits.end());
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
    side += kBaseUnits[i];
    if (std::abs(exponent) > 1) side += std::to_string(std::abs(exponent));
  }
  if (numerator.empty()) numerator = "1";
  if (divisors == 0) return numerator;
  return divisors == 1 ? numerator + "/" + denominator : numerator + "/(" + denominator + ")";
}

}  // namespace davit
