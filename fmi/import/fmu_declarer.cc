#include "fmi/import/fmu_declarer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "framework/tree/glob.h"
#include "framework/xml/element_reader.h"
#include "simulator/declared_reach.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

constexpr std::size_t kMostElementsOfArray = 100'000;

/// The numbers of variables in the order of their types, so that few calls set or read them.
std::vector<std::size_t> ByType(std::vector<std::size_t> numbers, const FmuDescription& description) {
  std::ranges::stable_sort(numbers, {}, [&](std::size_t i) { return description.variables[i].base; });
  return numbers;
}

bool IsParameter(const DescribedVariable& variable) {
  return variable.causality == "parameter" || variable.causality == "structuralParameter";
}

}  // namespace

double FmuItems::Setting::Read() const {
  if (number != nullptr) return unit.FromSi(*number);
  const double value = property->ToNumber();
  return options == nullptr ? value : static_cast<double>((*options)[static_cast<std::size_t>(value)]);
}

std::string ItemNameOf(std::string_view variable) {
  std::string name;
  bool is_index = false;
  for (const char c : variable) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '_' || c == '.' || c == '(' || c == ')';
    if (c == '[') {
      is_index = true;
      name += '.';
    } else if (c == ']' && is_index) {
      is_index = false;
    } else if (is_index && (c == ',' || c == ' ')) {
      if (c == ',') name += '.';
    } else {
      name += is_plain ? c : '_';
    }
  }
  return name;
}

FmuDeclarer::FmuDeclarer(DynamicSimComponent& component, const FmuDescription& description, FmuKind kind,
                         const FileDescribed::Attributes& attributes, const UnitSystem& units,
                         std::string shown, Diagnostics& diagnostics)
    : component_(component),
      description_(description),
      kind_(kind),
      attributes_(attributes),
      units_(units),
      shown_(std::make_shared<const std::string>(std::move(shown))),
      diagnostics_(diagnostics) {
  names_ = {"name", "level", "level_modified", "chart"};
  const Declarations& d = component.declarations();
  for (const ParameterDeclaration& one : d.parameters) names_.emplace(one.label.name);
  for (const PropertyBase* one : d.properties) names_.emplace(one->label().name);
  for (const PortDeclaration& one : d.ports) names_.emplace(one.label.name);
}

void FmuDeclarer::Report(const DescribedVariable& variable, const std::string& what) {
  diagnostics_.Error({shown_, variable.line}, {}, fmt::format("variable '{}': {}", variable.name, what));
}

void FmuDeclarer::Declare(const std::string& locals, const std::set<std::size_t>& taken, const Events& events,
                          FmuItems& items) {
  std::vector<std::string> globs;
  ForEachWord(locals, [&](std::string_view word) {
    globs.emplace_back(word);
    return true;
  });
  std::vector<bool> is_used(globs.size());
  std::vector<std::size_t> inputs, outputs;
  std::set<std::size_t> states;
  if (kind_ == FmuKind::kModelExchange) states.insert(description_.states.begin(), description_.states.end());
  if (kind_ == FmuKind::kModelExchange) DeclareStates(items);
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const DescribedVariable& variable = description_.variables[i];
    if (variable.causality == "independent" || states.contains(i) || taken.contains(i)) continue;
    bool is_wanted = variable.causality == "output";
    for (std::size_t g = 0; g < globs.size(); ++g) {
      if (is_wanted || variable.causality == "input" || IsParameter(variable)) continue;
      if (!MatchesGlob(variable.name, globs[g]) && !MatchesGlob(ItemNameOf(variable.name), globs[g]))
        continue;
      is_wanted = is_used[g] = true;
    }
    const bool is_text = variable.base == FmuBaseType::kString && !variable.is_array();
    if (is_text && variable.causality == "parameter") {
      DeclareText(variable, items);
    } else if (!variable.is_number() || variable.is_clocked) {
      if (is_wanted || variable.causality == "input" || IsParameter(variable))
        items.passed_over.push_back(variable.name);
    } else if (IsParameter(variable)) {
      DeclareParameter(variable, items);
    } else if (variable.causality == "input") {
      inputs.push_back(i);
    } else if (is_wanted) {
      outputs.push_back(i);
    }
  }
  for (std::size_t g = 0; g < globs.size(); ++g) {
    if (is_used[g]) continue;
    diagnostics_.Error({}, {},
                       fmt::format("locals: no local variable '{}'; davit describe {} --locals lists them",
                                   globs[g], attributes_.find("file")->second));
  }
  for (const std::size_t i : ByType(inputs, description_)) DeclareInput(description_.variables[i], items);
  for (const std::size_t i : ByType(outputs, description_)) DeclareOutput(description_.variables[i], items);
  if (kind_ == FmuKind::kModelExchange) {
    DeclareGuards(events, items);
    DeclareReaches(items);
    DeclareUses(items);
  }
  for (FmuValues* values : {&items.continuous, &items.discrete, &items.early, &items.late, &items.use_values})
    values->values.assign(values->list.size(), std::numeric_limits<double>::quiet_NaN());
}

std::vector<std::size_t> FmuDeclarer::SizesOf(const DescribedVariable& variable) {
  const auto known = sizes_.find(variable.name);
  if (known != sizes_.end()) return known->second;
  std::vector<std::size_t>& sizes = sizes_[variable.name];
  std::size_t count = 1;
  for (const DescribedDimension& dimension : variable.dimensions) {
    std::uint64_t size = dimension.size;
    if (dimension.reference) {
      const auto sized_by = std::ranges::find_if(description_.variables, [&](const DescribedVariable& other) {
        return other.reference == *dimension.reference && other.causality == "structuralParameter";
      });
      if (sized_by == description_.variables.end() || sized_by->start.empty()) {
        Report(variable, fmt::format("no structural parameter with valueReference {} gives its size",
                                     *dimension.reference));
        return sizes = {0};
      }
      size = static_cast<std::uint64_t>(std::max(sized_by->start.front(), 0.0));
      const auto given = attributes_.find(ItemNameOf(sized_by->name));
      // What is no number is reported where the attribute is set.
      if (given != attributes_.end())
        std::from_chars(given->second.data(), given->second.data() + given->second.size(), size);
    }
    count = size > kMostElementsOfArray ? kMostElementsOfArray + 1 : count * size;
    if (count > kMostElementsOfArray) {
      Report(variable,
             fmt::format("it has more than {} elements; choose smaller sizes", kMostElementsOfArray));
      return sizes = {0};
    }
    sizes.push_back(size);
  }
  return sizes;
}

std::size_t FmuDeclarer::CountOf(const DescribedVariable& variable) {
  std::size_t count = 1;
  for (const std::size_t size : SizesOf(variable)) count *= size;
  return count;
}

std::string FmuDeclarer::NewName(const DescribedVariable& variable, std::size_t element) {
  std::string name = ItemNameOf(variable.name);
  std::string index;
  const std::vector<std::size_t> sizes = SizesOf(variable);
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    index = fmt::format(".{}{}", element % *size + 1, index);
    element /= *size;
  }
  name += index;
  while (!names_.insert(name).second) name += '_';
  return name;
}

double FmuDeclarer::StartOf(const DescribedVariable& variable, std::size_t element) const {
  if (element < variable.start.size()) return variable.start[element];
  return variable.start.size() == 1 ? variable.start.front() : 0;
}

Range FmuDeclarer::RangeOf(const DescribedVariable& variable, const FmuUnit& unit, double start) const {
  Range range = kAny;
  if (variable.min) range.low = unit.ToSi(*variable.min);
  if (variable.max) range.high = unit.ToSi(*variable.max);
  if (unit.factor < 0) std::swap(range.low, range.high);
  if (!variable.min && unit.factor < 0) range.high = kAny.high;
  if (!variable.max && unit.factor < 0) range.low = kAny.low;
  return range.Contains(start) ? range : kAny;
}

FmuItems::Options FmuDeclarer::OptionsOf(const DescribedVariable& variable, FmuItems& items) {
  if (variable.base != FmuBaseType::kEnumeration || variable.options.empty()) return nullptr;
  std::vector<std::int64_t>& numbers = items.option_numbers.emplace_back();
  for (const auto& [name, number] : variable.options) numbers.push_back(number);
  return &numbers;
}

std::span<const std::string_view> FmuDeclarer::OptionNames(const DescribedVariable& variable) {
  std::vector<std::string> names;
  names.reserve(variable.options.size());
  for (const auto& [name, number] : variable.options) names.push_back(name);
  return component_.KeepOptions(names);
}

void FmuDeclarer::DeclareParameter(const DescribedVariable& variable, FmuItems& items) {
  const std::size_t count = CountOf(variable);
  if (count == 0) return;
  FmuItems::ParameterLink& link = items.parameter_links.emplace_back();
  link.is_structural = variable.causality == "structuralParameter";
  link.is_tunable = variable.variability == "tunable" && !link.is_structural;
  link.values.list.Add(variable.base, variable.reference, count);
  const Tunability tunability = link.is_tunable ? Tunability::kLive : Tunability::kStructural;
  const FmuUnitName unit = variable.is_float() ? FindFmuUnit(description_, variable, units_) : FmuUnitName{};
  const FmuItems::Options options = OptionsOf(variable, items);
  const Text text = component_.Keep(variable.text);
  const Text unit_text = component_.Keep(unit.si);
  for (std::size_t i = 0; i < count; ++i) {
    const double start = StartOf(variable, i);
    const Text name = component_.Keep(NewName(variable, i));
    FmuItems::Setting& setting = link.elements.emplace_back();
    link.start.push_back(start);
    if (variable.base == FmuBaseType::kBoolean) {
      setting.property = &items.conditions.emplace_back(
          &component_, name, text, Choice<bool>{.value = start != 0, .tunability = tunability});
    } else if (options != nullptr) {
      const auto chosen = std::ranges::find(*options, static_cast<std::int64_t>(start));
      const auto position =
          static_cast<std::uint32_t>(chosen == options->end() ? 0 : chosen - options->begin());
      setting.options = options;
      setting.property = &items.choices.emplace_back(
          &component_, name, text, OptionNames(variable),
          Choice<FmuChoice>{.value = static_cast<FmuChoice>(position), .tunability = tunability});
    } else {
      setting.unit = unit.unit;
      const double si = unit.unit.ToSi(start);
      items.parameters.emplace_back(
          &component_, name, unit_text, text,
          Number{.value = si, .range = RangeOf(variable, unit.unit, si), .tunability = tunability});
      setting.number = component_.declarations().parameters.back().value;
    }
  }
  link.values.values = link.start;
}

void FmuDeclarer::DeclareText(const DescribedVariable& variable, FmuItems& items) {
  const Property<std::string>& property =
      items.texts.emplace_back(&component_, component_.Keep(NewName(variable, 0)),
                               component_.Keep(variable.text), variable.start_text);
  items.text_links.push_back({&property, variable.reference, variable.start_text});
}

void FmuDeclarer::DeclareInput(const DescribedVariable& variable, FmuItems& items) {
  const std::size_t count = CountOf(variable);
  if (count == 0) return;
  const bool is_continuous = variable.is_float() && variable.is_continuous();
  FmuValues& values = is_continuous ? items.continuous : items.discrete;
  const std::size_t place = values.list.Add(variable.base, variable.reference, count);
  if (is_continuous) inputs_of_[&variable] = {items.inputs.size(), count};
  const FmuUnitName unit = variable.is_float() ? FindFmuUnit(description_, variable, units_) : FmuUnitName{};
  const Text text = component_.Keep(variable.text);
  const Text unit_text = component_.Keep(unit.si);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t declaration = component_.declarations().inputs.size();
    const Input& input = items.inputs.emplace_back(&component_, component_.Keep(NewName(variable, i)),
                                                   unit_text, text, unit.unit.ToSi(StartOf(variable, i)));
    (is_continuous ? items.continuous_links : items.discrete_links)
        .push_back({&input, declaration, place + i, unit.unit});
  }
}

void FmuDeclarer::DeclareOutput(const DescribedVariable& variable, FmuItems& items) {
  const std::size_t count = CountOf(variable);
  if (count == 0) return;
  const bool is_early = kind_ == FmuKind::kCoSimulation ||
                        (variable.causality == "output" && !description_.DependsOnInputs(variable));
  FmuValues& values = is_early ? items.early : items.late;
  const std::size_t place = values.list.Add(variable.base, variable.reference, count);
  const FmuUnitName unit = variable.is_float() ? FindFmuUnit(description_, variable, units_) : FmuUnitName{};
  const FmuItems::Options options = OptionsOf(variable, items);
  const Text text = component_.Keep(variable.text);
  const Text unit_text = component_.Keep(unit.si);
  outputs_of_[&variable] = {items.outputs.size(), count};
  for (std::size_t i = 0; i < count; ++i) {
    items.outputs.emplace_back(&component_, component_.Keep(NewName(variable, i)), unit_text, text,
                               is_early ? WrittenBy::kEfforts : WrittenBy::kFlows);
    std::vector<OutputDeclaration>& declarations = component_.mutable_declarations().outputs;
    OutputDeclaration& declaration = declarations.back();
    if (variable.base == FmuBaseType::kBoolean) declaration.kind = ValueKind::kCondition;
    if (options != nullptr) {
      declaration.kind = ValueKind::kOption;
      declaration.options = OptionNames(variable);
    }
    (is_early ? items.early_links : items.late_links)
        .push_back({declaration.value, declarations.size() - 1, place + i, unit.unit, options});
  }
}

void FmuDeclarer::DeclareStates(FmuItems& items) {
  for (const std::size_t number : description_.states) {
    const DescribedVariable& variable = description_.variables[number];
    if (!variable.is_float()) {
      Report(variable, fmt::format("it is a continuous state, but its type is {}", variable.declared));
      continue;
    }
    const FmuUnitName unit = FindFmuUnit(description_, variable, units_);
    const double nominal = std::abs(unit.unit.factor * variable.nominal.value_or(1));
    const std::size_t count = CountOf(variable);
    states_of_[&variable] = {items.states.size(), count};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t declaration = component_.declarations().states.size();
      StateVariable& state = items.states.emplace_back(
          &component_, component_.Keep(NewName(variable, i)), component_.Keep(unit.si),
          component_.Keep(variable.text), unit.unit.ToSi(StartOf(variable, i)), nominal > 0 ? nominal : 1,
          OptionCondition{});
      items.state_links.push_back(
          {&state, declaration, unit.unit, variable.base, variable.reference, i, count});
    }
  }
}

void FmuDeclarer::DeclareReach(const DescribedVariable& reader, const void* id, const FmuItems& items) {
  if (!reader.dependencies) return;
  ReachDeclaration reach;
  reach.reader = id;
  for (const std::size_t number : *reader.dependencies) {
    const DescribedVariable* const variable = &description_.variables[number];
    if (const auto state = states_of_.find(variable); state != states_of_.end()) {
      for (std::size_t i = 0; i < state->second.count; ++i)
        reach.states.push_back(static_cast<std::uint32_t>(state->second.first + i));
    } else if (const auto input = inputs_of_.find(variable); input != inputs_of_.end()) {
      for (std::size_t i = 0; i < input->second.count; ++i)
        reach.reads.push_back({.of = items.inputs[input->second.first + i]});
    }  // else the time, or what changes at events only
  }
  std::ranges::sort(reach.states);
  reach.begin = {0, reach.states.size()};
  davit::DeclareReach(component_.mutable_declarations(), std::move(reach));
}

void FmuDeclarer::DeclareReaches(const FmuItems& items) {
  for (std::size_t i = 0; i < description_.states.size(); ++i) {
    const auto state = states_of_.find(&description_.variables[description_.states[i]]);
    if (state == states_of_.end()) continue;
    const DescribedVariable& derivative = description_.variables[description_.derivatives[i]];
    for (std::size_t k = 0; k < state->second.count; ++k)
      DeclareReach(derivative, &items.states[state->second.first + k].slot(), items);
  }
  for (const auto& [variable, outputs] : outputs_of_) {
    for (std::size_t k = 0; k < outputs.count; ++k)
      DeclareReach(*variable, items.outputs[outputs.first + k].id(), items);
  }
}

void FmuDeclarer::DeclareUses(FmuItems& items) {
  for (const DescribedUse& described : description_.uses) {
    const DescribedVariable& variable = description_.variables[described.variable];
    items.use_values.list.Add(variable.base, variable.reference);
    FmuItems::Use& use = items.uses.emplace_back();
    for (const std::size_t number : described.states) {
      const auto state = states_of_.find(&description_.variables[description_.states[number]]);
      if (state == states_of_.end()) continue;
      for (std::size_t k = 0; k < state->second.count; ++k) {
        const std::size_t i = state->second.first + k;
        use.states.push_back(i);
        component_.mutable_declarations().states[items.state_links[i].declaration].is_wanted = &use.is_in_use;
      }
    }
  }
}

void FmuDeclarer::DeclareGuards(const Events& events, FmuItems& items) {
  items.indicators = description_.event_indicators;
  for (const std::size_t number : description_.indicator_variables)
    items.indicators += CountOf(description_.variables[number]);
  for (std::size_t i = 0; i < items.indicators; ++i) {
    items.guards.emplace_back(
        &component_, component_.Keep(fmt::format("indicator_{}", i + 1)), "Event indicator of the FMU",
        Guard::Direction::kBoth, [value = events.value, i] { return value(i); }, events.reaction);
  }
}

}  // namespace davit
