#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/distribution.h"
#include "framework/diagnostics.h"
#include "framework/system.h"

namespace davit {

/// What a study varies: a number (parameter, input, property, start value) or a choice (level, option).
struct VariedItem {
  std::string path;       ///< as in --set
  std::string unit = {};  ///< SI; empty without dimension and of choices
  bool is_number = true;  ///< else values are texts
  /// Whether a system that was loaded takes another value before its next Initialize. Levels, structural
  /// parameters, start values and what others derive from are loaded anew.
  bool is_live = false;
};

/// A value of a varied item in one case.
struct CaseValue {
  double number = 0;      ///< SI
  std::string text = {};  ///< of a choice: its name
  friend auto operator<=>(const CaseValue&, const CaseValue&) = default;
};

/// The value as --set takes it, and as a table has it: a number in SI that reads back to the same bits.
std::string ToText(const CaseValue& value, const VariedItem& item);

/// A text such as `load.mass=5 t:1 t:15 t`, and where it was given.
struct VariationText {
  std::string text;
  SourceLocation place = {};
};

/// A varied item with all its values, in the order they were given.
struct Variation {
  VariedItem item;
  std::vector<CaseValue> values;
};

/// A varied item with the distribution of its values; one with a list takes each of them equally often.
struct RandomVariation {
  VariedItem item;
  Distribution distribution = {};
  std::vector<CaseValue> values = {};  ///< of a list; else empty
};

/// What a search may choose for an item: anything between two bounds, or one of several values.
struct BoundedVariation {
  VariedItem item;
  double low = 0, high = 0;  ///< SI, low < high; unused where there are choices
  /// That of the system, or the middle where it is none of these; of choices its place among them.
  double start = 0;
  bool is_log = false;                  ///< searched in its logarithm
  std::vector<CaseValue> choices = {};  ///< of levels, options, whole numbers and lists; else empty
  SourceLocation place = {};

  /// The place of a choice that a table has as `text`; nothing where it is none of them.
  std::optional<std::size_t> FindChoice(std::string_view text) const;
};

/// Finds what is varied. Nothing after an error.
std::optional<VariedItem> FindVariedItem(System& system, std::string_view path, const SourceLocation& place,
                                         Diagnostics& diagnostics);
/// The value that a text means for an item: `5 t`, `Advanced`. Nothing after an error.
std::optional<CaseValue> ReadCaseValue(System& system, const VariedItem& item, std::string_view text,
                                       const SourceLocation& place, Diagnostics& diagnostics);

/// `PATH=VALUE,VALUE ...`; a value may be LOW:STEP:HIGH, whose steps must end at HIGH. All faults go to
/// `diagnostics`; wrong texts are left out.
std::vector<Variation> ReadVariations(System& system, const std::vector<VariationText>& texts,
                                      Diagnostics& diagnostics);
/// `PATH=normal(10 t, 1 t)`, or any other distribution, or a list.
std::vector<RandomVariation> ReadRandomVariations(System& system, const std::vector<VariationText>& texts,
                                                  Diagnostics& diagnostics);
/// `PATH=LOW:HIGH` or `PATH=LOW:HIGH log`; of a whole number LOW:HIGH are all from LOW to HIGH; a list as
/// ReadVariations takes it are choices.
std::vector<BoundedVariation> ReadBoundedVariations(System& system, const std::vector<VariationText>& texts,
                                                    Diagnostics& diagnostics);

}  // namespace davit
