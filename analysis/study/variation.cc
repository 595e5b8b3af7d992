#include "analysis/study/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/study/study_text.h"
#include "framework/defaults_provider.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

constexpr std::size_t kMostValues = 1'000'000;  // of one item

/// A number as written, and its unit.
struct WrittenNumber {
  double number = 0;
  std::string unit = {};
  double si = 0;
};

bool IsChoice(const Item& item) { return item.is_behaviour() || item.value_kind() != ValueKind::kNumber; }

/// Whether a run begins with what is written to a loaded system.
bool TakesLiveValues(const System& system, const Item& item) {
  if (IsChoice(item) || !item.is_writable() || item.is_structural()) return false;
  const bool is_setting = item.kind() == Item::Kind::kParameter || item.kind() == Item::Kind::kProperty ||
                          item.kind() == Item::Kind::kInput;
  if (!is_setting) return false;
  Component& owner = item.owner();
  // What others have their values from, and what has its value from others.
  if (dynamic_cast<const DefaultsProvider*>(&owner) != nullptr) return false;
  if (dynamic_cast<const SimulatorManager*>(&owner) != nullptr) return false;
  return std::ranges::none_of(system.handed_down(), [&](const System::HandedDown& handed_down) {
    return handed_down.owner == &owner;
  });
}

class VariationReader {
 public:
  VariationReader(System& system, const VariationText& text, Diagnostics& diagnostics)
      : system_(system), place_(text.place), diagnostics_(diagnostics) {
    const std::size_t equals = text.text.find('=');
    if (equals == std::string::npos) {
      Fail({Quoted(text.text) + " has no '='", "write for example load.mass=5 t:1 t:15 t"});
      return;
    }
    values_ = TrimBlanks(std::string_view(text.text).substr(equals + 1));
    item_ = FindVariedItem(system, TrimBlanks(std::string_view(text.text).substr(0, equals)), place_,
                           diagnostics);
    if (item_ && values_.empty()) {
      Fail({"no values for " + item_->path, "write for example load.mass=5 t,10 t"});
      item_.reset();
    }
  }

  const std::optional<VariedItem>& item() const { return item_; }
  std::string_view values() const { return values_; }

  std::vector<CaseValue> ReadList() {
    std::vector<CaseValue> list;
    for (const std::string_view text : SplitOutside(values_, ',')) {
      const std::vector<std::string_view> parts = SplitOutside(text, ':');
      if (parts.size() == 1 || !item_->is_number) {
        if (auto value = ReadCaseValue(system_, *item_, text, place_, diagnostics_)) list.push_back(*value);
      } else if (parts.size() == 3) {
        ReadRange(parts, list);
      } else {
        Fail({Quoted(text) + " is not a range", "write LOW:STEP:HIGH, as in 5 t:1 t:15 t"});
      }
    }
    if (list.size() > kMostValues) {
      Fail({fmt::format("{} values of {}", list.size(), item_->path),
            fmt::format("give at most {}", kMostValues)});
      list.clear();
    }
    return list;
  }

  std::optional<Distribution> ReadDistribution() {
    const std::size_t open = values_.find('(');
    const std::string_view name = TrimBlanks(values_.substr(0, open));
    std::vector<double> arguments;
    if (values_.back() != ')') {
      Fail({Quoted(values_) + " is not closed", "write for example normal(10 t, 1 t)"});
      return std::nullopt;
    }
    for (const std::string_view text :
         SplitOutside(values_.substr(open + 1, values_.size() - open - 2), ',')) {
      const std::optional<WrittenNumber> number = ReadNumber(text);
      if (!number) return std::nullopt;
      arguments.push_back(number->si);
    }
    Fault fault;
    auto distribution = Distribution::Make(name, arguments, &fault);
    if (!distribution) Fail(fault);
    return distribution;
  }

  std::optional<BoundedVariation> ReadBounds() {
    BoundedVariation bounded{.item = *item_, .place = place_};
    std::string_view text = values_;
    if (text.ends_with(" log")) {
      bounded.is_log = true;
      text = TrimBlanks(text.substr(0, text.size() - 4));
    }
    const std::vector<std::string_view> parts = SplitOutside(text, ':');
    const Item item = *system_.FindSetting(system_.root(), item_->path, &ignored_);
    const bool is_list = parts.size() != 2 || SplitOutside(text, ',').size() > 1;
    if (!item_->is_number || is_list) return ReadChoices(item, text, bounded);
    const std::optional<WrittenNumber> low = ReadNumber(parts[0]);
    const std::optional<WrittenNumber> high = ReadNumber(parts[1]);
    if (!low || !high || !IsAllowed(low->si) || !IsAllowed(high->si)) return std::nullopt;
    bounded.low = low->si;
    bounded.high = high->si;
    if (!(bounded.low < bounded.high)) {
      const bool is_equal = bounded.low == bounded.high;
      Fail({fmt::format("the bounds of {} are {}", item_->path, is_equal ? "equal" : "the wrong way round"),
            is_equal ? "write LOW:HIGH with room between, or leave it out and give the value with --set"
                     : fmt::format("write {}:{}", TrimBlanks(parts[1]), TrimBlanks(parts[0]))});
      return std::nullopt;
    }
    if (bounded.is_log && !(bounded.low > 0)) {
      Fail({fmt::format("the lower bound of {} is not above 0", item_->path),
            "a logarithm needs positive bounds; leave out log, or give a bound above 0"});
      return std::nullopt;
    }
    bounded.start = item.Read();
    if (!(bounded.start >= bounded.low && bounded.start <= bounded.high)) {
      bounded.start = bounded.is_log ? std::sqrt(bounded.low) * std::sqrt(bounded.high)
                                     : (bounded.low + bounded.high) / 2;
    }
    return bounded;
  }

 private:
  void Fail(const Fault& fault) { diagnostics_.Error(place_, {}, fault); }

  std::optional<WrittenNumber> ReadNumber(std::string_view text) {
    const std::string_view trimmed = TrimBlanks(text);
    const QuantityResult result = ParseQuantity(trimmed, item_->unit, system_.units());
    if (!result.value) {
      Fail(Fault{item_->path + ": " + result.fault.what, result.fault.remedy});
      return std::nullopt;
    }
    WrittenNumber written{.si = result.value->si};
    const std::size_t size = ParseLeadingNumber(trimmed, written.number);
    written.unit = TrimBlanks(trimmed.substr(size));
    return written;
  }

  /// A list, or all whole numbers between two bounds.
  std::optional<BoundedVariation> ReadChoices(const Item& item, std::string_view text,
                                              BoundedVariation& variation) {
    const bool is_whole = item.value_kind() == ValueKind::kInteger;
    if (variation.is_log) {
      Fail({Quoted(values_) + " is a list, which has no logarithm", "leave out log"});
      return std::nullopt;
    }
    const std::vector<std::string_view> parts = SplitOutside(text, ':');
    if (is_whole && parts.size() == 2) {
      variation.choices = ReadWholeNumbers(parts[0], parts[1]);
    } else {
      const std::size_t faults = diagnostics_.all().size();
      variation.choices = ReadList();
      if (diagnostics_.all().size() > faults) return std::nullopt;
      if (variation.choices.size() < 2)
        Fail({Quoted(text) + (item_->is_number || is_whole ? " are not bounds" : " leaves nothing to choose"),
              item_->is_number ? "write LOW:HIGH, as in 0.1:100 log, or a list, as in 60 mm,80 mm"
              : is_whole       ? "write LOW:HIGH, as in 1:8, or a list, as in 1,2,4"
                               : "write a list, as in Ideal,Standard"});
    }
    if (variation.choices.size() < 2) return std::nullopt;
    const CaseValue present{.number = item.value_kind() == ValueKind::kText ? 0 : item.Read(),
                            .text = item_->is_number ? std::string() : item.ReadText()};
    const auto place = variation.FindChoice(ToText(present, *item_));
    variation.start = static_cast<double>(place.value_or((variation.choices.size() - 1) / 2));
    return variation;
  }

  std::vector<CaseValue> ReadWholeNumbers(std::string_view low_text, std::string_view high_text) {
    std::vector<CaseValue> numbers;
    const auto low = ReadCaseValue(system_, *item_, low_text, place_, diagnostics_);
    const auto high = ReadCaseValue(system_, *item_, high_text, place_, diagnostics_);
    if (!low || !high) return numbers;
    if (!(low->number < high->number) || high->number - low->number >= static_cast<double>(kMostValues)) {
      Fail({fmt::format("there are no whole numbers from {} to {}", TrimBlanks(low_text),
                        TrimBlanks(high_text)),
            fmt::format("write LOW:HIGH with LOW below HIGH, and at most {} numbers", kMostValues)});
      return numbers;
    }
    for (double number = low->number; number <= high->number; ++number)
      numbers.push_back({.number = number, .text = fmt::format("{}", number)});
    return numbers;
  }

  bool IsAllowed(double number) {
    const std::optional<Item> item = system_.FindSetting(system_.root(), item_->path, &ignored_);
    const Fault fault = item ? item->Check(number) : Fault();
    if (fault) Fail(fault);
    return !fault;
  }

  void ReadRange(const std::vector<std::string_view>& parts, std::vector<CaseValue>& list) {
    const auto low = ReadNumber(parts[0]);
    const auto step = ReadNumber(parts[1]);
    const auto high = ReadNumber(parts[2]);
    if (!low || !step || !high) return;
    const std::string range =
        fmt::format("{}:{}:{}", TrimBlanks(parts[0]), TrimBlanks(parts[1]), TrimBlanks(parts[2]));
    // In the unit of the text: 255 mm is the double 0.255, as if it were written.
    const bool has_one_unit = low->unit == step->unit && low->unit == high->unit;
    const double from = has_one_unit ? low->number : low->si;
    const double by = has_one_unit ? step->number : step->si;
    const double to = has_one_unit ? high->number : high->si;
    const double steps = (to - from) / by;
    constexpr double kRounding = 1e-6;  // of a step
    if (!(steps >= 0) || !std::isfinite(steps)) {
      return Fail({Quoted(range) + " never comes to its end", "write LOW:STEP:HIGH, as in 5 t:1 t:15 t"});
    }
    if (steps > static_cast<double>(kMostValues))
      return Fail({fmt::format("{} has {:.3g} values", Quoted(range), steps), "give a longer step"});
    const double count = std::round(steps);
    if (std::abs(steps - count) > kRounding) {
      return Fail({fmt::format("the steps of {} do not end at its last value", Quoted(range)),
                   fmt::format("end at {:.9g} or {:.9g}{}{}", from + std::floor(steps) * by,
                               from + std::ceil(steps) * by, low->unit.empty() ? "" : " ",
                               has_one_unit ? low->unit : item_->unit)});
    }
    for (std::size_t i = 0; i <= static_cast<std::size_t>(count); ++i) {
      // The neighbour among the numbers that one would write: 0.3, not 0.30000000000000004.
      const double plain = i == static_cast<std::size_t>(count) ? to : from + static_cast<double>(i) * by;
      double value = plain;
      const std::string rounded = fmt::format("{:.12g}", plain);
      ParseLeadingNumber(rounded, value);
      const std::string text = has_one_unit && !low->unit.empty() ? rounded + " " + low->unit : rounded;
      if (auto read = ReadCaseValue(system_, *item_, text, place_, diagnostics_)) {
        list.push_back(*read);
      } else {
        return;
      }
    }
  }

  System& system_;
  SourceLocation place_;
  Diagnostics& diagnostics_;
  std::optional<VariedItem> item_;
  std::string_view values_;
  Fault ignored_;
};

/// Each item only once.
template <class List>
void CheckDoubles(const List& variations, const std::vector<VariationText>& texts, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < variations.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (variations[i].item.path != variations[k].item.path) continue;
      diagnostics.Error(texts[i].place, {},
                        variations[i].item.path + " is varied twice; give all its values in one place");
    }
  }
}

bool IsDistribution(std::string_view text) { return text.find('(') != std::string_view::npos; }

}  // namespace

std::string ToText(const CaseValue& value, const VariedItem& item) {
  return item.is_number ? fmt::format("{}", value.number) : value.text;
}

std::optional<std::size_t> BoundedVariation::FindChoice(std::string_view text) const {
  const auto found =
      std::ranges::find_if(choices, [&](const CaseValue& choice) { return ToText(choice, item) == text; });
  if (found == choices.end()) return std::nullopt;
  return static_cast<std::size_t>(found - choices.begin());
}

std::optional<VariedItem> FindVariedItem(System& system, std::string_view path, const SourceLocation& place,
                                         Diagnostics& diagnostics) {
  Fault fault;
  const std::optional<Item> item = system.FindSetting(system.root(), path, &fault);
  if (!item) {
    diagnostics.Error(place, system.OwnerOf(system.root(), path).DisplayPath(), fault);
    return std::nullopt;
  }
  VariedItem varied{.path = std::string(path)};
  varied.is_number = !IsChoice(*item);
  if (varied.is_number) varied.unit = item->unit() == kAnyUnit ? std::string() : item->unit();
  varied.is_live = TakesLiveValues(system, *item);
  return varied;
}

std::optional<CaseValue> ReadCaseValue(System& system, const VariedItem& item, std::string_view text,
                                       const SourceLocation& place, Diagnostics& diagnostics) {
  const std::string_view trimmed = TrimBlanks(text);
  Fault fault;
  const std::optional<Assignment> assignment =
      system.FindAssignment(system.root(), item.path, trimmed, &fault);
  if (!assignment) {
    diagnostics.Error(place, system.OwnerOf(system.root(), item.path).DisplayPath(), fault);
    return std::nullopt;
  }
  return item.is_number ? CaseValue{.number = assignment->number}
                        : CaseValue{.number = assignment->number, .text = std::string(trimmed)};
}

std::vector<Variation> ReadVariations(System& system, const std::vector<VariationText>& texts,
                                      Diagnostics& diagnostics) {
  std::vector<Variation> variations;
  for (const VariationText& text : texts) {
    VariationReader reader(system, text, diagnostics);
    if (!reader.item()) continue;
    if (IsDistribution(reader.values())) {
      diagnostics.Error(text.place, {}, "a distribution needs a number of samples; give --samples N");
      continue;
    }
    variations.push_back({*reader.item(), reader.ReadList()});
  }
  CheckDoubles(variations, texts, diagnostics);
  return variations;
}

std::vector<RandomVariation> ReadRandomVariations(System& system, const std::vector<VariationText>& texts,
                                                  Diagnostics& diagnostics) {
  std::vector<RandomVariation> variations;
  for (const VariationText& text : texts) {
    VariationReader reader(system, text, diagnostics);
    if (!reader.item()) continue;
    RandomVariation variation{.item = *reader.item()};
    if (!IsDistribution(reader.values())) {
      variation.values = reader.ReadList();
    } else if (!variation.item.is_number) {
      diagnostics.Error(text.place, {},
                        variation.item.path + " is a choice, which has no distribution; list its values");
    } else if (auto distribution = reader.ReadDistribution()) {
      variation.distribution = *distribution;
    }
    variations.push_back(std::move(variation));
  }
  CheckDoubles(variations, texts, diagnostics);
  return variations;
}

std::vector<BoundedVariation> ReadBoundedVariations(System& system, const std::vector<VariationText>& texts,
                                                    Diagnostics& diagnostics) {
  std::vector<BoundedVariation> variations;
  for (const VariationText& text : texts) {
    VariationReader reader(system, text, diagnostics);
    if (!reader.item()) continue;
    if (auto bounded = reader.ReadBounds()) variations.push_back(*std::move(bounded));
  }
  CheckDoubles(variations, texts, diagnostics);
  return variations;
}

}  // namespace davit
