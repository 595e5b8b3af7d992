#include "components/user/equation_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/system.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 3> kDomains{"hydraulic", "translational", "rotational"};
constexpr std::array<std::string_view, 3> kDirections{"falling", "rising", "both"};

template <class Bond, double Bond::*member>
double* FindField(void* bond) {
  return &(static_cast<Bond*>(bond)->*member);
}

std::vector<std::string> Strings(auto&& list) { return {list.begin(), list.end()}; }

}  // namespace

/// A variable of a port, and who says what it is.
struct EquationReader::Field {
  enum class Given : std::uint8_t { kRequired, kOptional, kNever };

  std::string_view name;
  Domain domain;
  Role writer;
  Given given;
  Phase phase;
  Find find;
};

namespace {

using H = HydraulicBond;
using T = TranslationalBond;
using R = RotationalBond;

/// What both sides of a connection follow from, where neither of them writes it.
struct Effort {
  std::string_view name;
  std::string_view text;  ///< # is replaced by the name of the port
};
constexpr std::array<Effort, 3> kEfforts{
    {{"p", "max(#.p_min, #.c + #.Zc*#.q)"}, {"F", "#.c + #.Zc*#.v"}, {"T", "#.c + #.Zc*#.w"}}};

}  // namespace

/// An equation component has variables only; for other names it suggests one.
class EquationReader::Names final : public ExpressionHost {
 public:
  explicit Names(const EquationReader& reader) : reader_(reader) {}
  std::optional<Found> FindSignal(std::string_view /*name*/, SymbolTable& /*symbols*/) override {
    return std::nullopt;
  }
  std::string Suggest(std::string_view name) const override {
    return SuggestName("use one of", name, reader_.compiler_.VariableNames());
  }

 private:
  const EquationReader& reader_;
};

EquationReader::EquationReader(EquationComponent& component, const UnitSystem& units,
                               Diagnostics& diagnostics)
    : component_(component),
      equations_(*component.equations_),
      units_(units),
      diagnostics_(diagnostics),
      names_(std::make_unique<Names>(*this)),
      compiler_(program_, symbols_, {.host = names_.get()}) {}

EquationReader::~EquationReader() = default;

void EquationReader::Read() {
  for (const ItemElement& item : equations_.items) ReadItem(item);
  // Each fault looks at all names, so the time stays in proportion to the text.
  constexpr std::size_t kMostFaults = 100;
  for (Definition& definition : definitions_) {
    if (faults_ < kMostFaults) CompileDefinition(definition);
  }
  for (GuardText& guard : guards_) {
    if (faults_ < kMostFaults) CompileGuard(guard);
  }
  const bool is_sorted = Sort();  // an algebraic loop is reported together with other errors
  if (faults_ > 0 || !is_sorted) return;
  FindPhases();
  CheckConstants();
  if (faults_ == 0) Build();
}

void EquationReader::ReadItem(const ItemElement& item) {
  if (item.kind != "Guard" && !item.inner.empty()) {
    Error(item.inner.front().location, fmt::format("{} can contain no elements; close {} before {}",
                                                   item.kind, item.kind, item.inner.front().kind));
  }
  if (item.kind == "Parameter") ReadParameter(item);
  if (item.kind == "Input") ReadInput(item);
  if (item.kind == "State") ReadState(item);
  if (item.kind == "Variable") ReadHeld(item);
  if (item.kind == "Output") ReadOutput(item);
  if (item.kind == "Port") ReadPort(item);
  if (item.kind == "Guard") ReadGuard(item);
}

void EquationReader::ReadParameter(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "value", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  Require(item, "value");
  if (name.empty()) return;
  equations_.parameters.emplace_back(&component_, Keep(name), unit, TextOf(item),
                                     Number(item, "value", unit, 0));
  AddVariable(name, {Source::Kind::kParameter, equations_.parameters.size() - 1, nullptr, nullptr});
}

void EquationReader::ReadInput(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "value", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  if (name.empty()) return;
  equations_.inputs.emplace_back(&component_, Keep(name), unit, TextOf(item), Number(item, "value", unit, 0));
  AddVariable(name, {Source::Kind::kInput, equations_.inputs.size() - 1, nullptr, nullptr});
}

void EquationReader::ReadState(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "start", "nominal", "der", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  const Attribute* const der = Require(item, "der");
  const double nominal = Number(item, "nominal", unit, 1);
  if (!(nominal > 0))
    Error(item.Find("nominal")->location, "nominal: is not above 0; write the typical size of the state");
  if (name.empty()) return;
  StateVariable& state =
      equations_.states.emplace_back(&component_, Keep(name), unit, TextOf(item),
                                     Number(item, "start", unit, 0), nominal, OptionCondition{});
  AddVariable(name, {Source::Kind::kState, equations_.states.size() - 1, nullptr, nullptr});
  if (der == nullptr) return;
  Definition& definition = Define(name + ".ddt", der, der->value);
  definition.derivative = &state.slot_;
}

void EquationReader::ReadHeld(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "start", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  if (name.empty()) return;
  Output& output =
      equations_.outputs.emplace_back(&component_, Keep(name), unit, TextOf(item), WrittenBy::kEfforts);
  double* const value = component_.declarations().outputs.back().value;
  equations_.held.push_back({&output, value, Number(item, "start", unit, 0), 0});
  AddVariable(name, {Source::Kind::kHeld, equations_.held.size() - 1, nullptr, nullptr});
}

void EquationReader::ReadOutput(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "expr", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  const Attribute* const expr = Require(item, "expr");
  if (name.empty()) return;
  const std::size_t declaration = component_.declarations().outputs.size();
  Output& output = equations_.outputs.emplace_back(&component_, Keep(name), unit, TextOf(item));
  Definition& definition = Define(name, expr, expr == nullptr ? "0" : expr->value);
  definition.output = &output;
  definition.output_declaration = declaration;
}

void EquationReader::ReadPort(const ItemElement& item) {
  using Given = Field::Given;
  static constexpr auto kFields = std::to_array<Field>({
      {"c", Domain::kHydraulic, Role::kC, Given::kRequired, Equations::kEarly, &FindField<H, &H::c>},
      {"Zc", Domain::kHydraulic, Role::kC, Given::kOptional, Equations::kEarly, &FindField<H, &H::Zc>},
      {"q", Domain::kHydraulic, Role::kQ, Given::kRequired, Equations::kLate, &FindField<H, &H::q>},
      {"p_min", Domain::kHydraulic, Role::kC, Given::kNever, Equations::kLate, &FindField<H, &H::p_min>},
      {"c", Domain::kTranslational, Role::kC, Given::kRequired, Equations::kEarly, &FindField<T, &T::c>},
      {"Zc", Domain::kTranslational, Role::kC, Given::kOptional, Equations::kEarly, &FindField<T, &T::Zc>},
      {"x", Domain::kTranslational, Role::kQ, Given::kRequired, Equations::kEarly, &FindField<T, &T::x>},
      {"v", Domain::kTranslational, Role::kQ, Given::kRequired, Equations::kEarly, &FindField<T, &T::v>},
      {"mass", Domain::kTranslational, Role::kQ, Given::kOptional, Equations::kConstant,
       &FindField<T, &T::mass>},
      {"added_mass", Domain::kTranslational, Role::kC, Given::kOptional, Equations::kConstant,
       &FindField<T, &T::added_mass>},
      {"c", Domain::kRotational, Role::kC, Given::kRequired, Equations::kEarly, &FindField<R, &R::c>},
      {"Zc", Domain::kRotational, Role::kC, Given::kOptional, Equations::kEarly, &FindField<R, &R::Zc>},
      {"angle", Domain::kRotational, Role::kQ, Given::kRequired, Equations::kEarly, &FindField<R, &R::angle>},
      {"w", Domain::kRotational, Role::kQ, Given::kRequired, Equations::kEarly, &FindField<R, &R::w>},
      {"inertia", Domain::kRotational, Role::kQ, Given::kOptional, Equations::kConstant,
       &FindField<R, &R::inertia>},
      {"added_inertia", Domain::kRotational, Role::kC, Given::kOptional, Equations::kConstant,
       &FindField<R, &R::added_inertia>},
  });
  const std::string name = TakeName(item);
  const Attribute* const domain_text = Require(item, "domain");
  const Attribute* const role_text = Require(item, "role");
  if (domain_text == nullptr || role_text == nullptr) return;
  const auto* const domain_name = std::ranges::find(kDomains, domain_text->value);
  if (domain_name == kDomains.end()) {
    return Error(domain_text->location,
                 fmt::format("domain: no domain {}; {}", Quoted(domain_text->value),
                             SuggestName("use one of", domain_text->value, Strings(kDomains))));
  }
  if (role_text->value != "C" && role_text->value != "Q") {
    return Error(role_text->location,
                 fmt::format("role: no role {}; write C for a port that offers effort, Q "
                             "for one that answers with flow",
                             Quoted(role_text->value)));
  }
  const auto domain = static_cast<Domain>(domain_name - kDomains.begin());
  const Role role = role_text->value == "C" ? Role::kC : Role::kQ;
  std::vector<std::string> allowed{"name", "domain", "role", "text"};
  for (const Field& field : kFields) {
    if (field.domain == domain && field.writer == role && field.given != Given::kNever)
      allowed.emplace_back(field.name);
  }
  CheckAttributes(item, allowed);
  if (name.empty()) return;
  auto& ports = equations_.ports;
  const Text label = Keep(name);
  const auto make = [&]<class Bond>(std::in_place_type_t<Port<Bond>> type) -> PortBase& {
    return std::get<Port<Bond>>(ports.emplace_back(type, &component_, label, role, TextOf(item)));
  };
  PortBase& port = domain == Domain::kHydraulic       ? make(std::in_place_type<HydraulicPort>)
                   : domain == Domain::kTranslational ? make(std::in_place_type<TranslationalPort>)
                                                      : make(std::in_place_type<RotationalPort>);
  for (const Field& field : kFields) {
    if (field.domain == domain) AddField(field, item, name, role, port);
  }
  const Effort& effort = kEfforts[static_cast<std::size_t>(domain)];
  std::string text;
  for (const char letter : effort.text) text += letter == '#' ? name : std::string(1, letter);
  Define(fmt::format("{}.{}", name, effort.name), nullptr, text).is_wanted = false;
}

void EquationReader::AddField(const Field& field, const ItemElement& item, const std::string& port_name,
                              Role role, PortBase& port) {
  const std::string full = fmt::format("{}.{}", port_name, field.name);
  if (field.writer != role || field.given == Field::Given::kNever) {
    AddVariable(full, {Source::Kind::kBond, 0, &port, field.find});
    return;
  }
  const Attribute* const attribute =
      field.given == Field::Given::kRequired ? Require(item, field.name) : item.Find(field.name);
  if (attribute == nullptr) {
    Define(full, nullptr, "0").is_wanted = false;
    return;
  }
  Definition& definition = Define(full, attribute, attribute->value);
  definition.wanted = field.phase;
  definition.port = &port;
  definition.find = field.find;
}

void EquationReader::ReadGuard(const ItemElement& item) {
  CheckAttributes(item, {"name", "value", "direction", "text"});
  GuardText guard{&item, TakeName(item), Guard::Direction::kBoth, {}, {}, {}};
  Require(item, "value");
  if (const Attribute* const direction = item.Find("direction")) {
    const auto* const found = std::ranges::find(kDirections, direction->value);
    if (found == kDirections.end()) {
      Error(direction->location,
            fmt::format("direction: no direction {}; {}", Quoted(direction->value),
                        SuggestName("use one of", direction->value, Strings(kDirections))));
    } else {
      guard.direction = static_cast<Guard::Direction>(found - kDirections.begin());
    }
  }
  for (const ItemElement& inner : item.inner) {
    if (inner.kind != "Set" && inner.kind != "Rest") {
      Error(inner.location,
            fmt::format("no element {} inside Guard; {}", Quoted(inner.kind),
                        SuggestName("it may have", inner.kind, std::vector<std::string>{"Set", "Rest"})));
      continue;
    }
    CheckAttributes(inner, {"name", "expr"});
    if (!inner.inner.empty()) {
      Error(inner.inner.front().location,
            fmt::format("{} can contain no elements; close it before", inner.kind));
    }
    const Attribute* const name = Require(inner, "name");
    if (name == nullptr || Require(inner, "expr") == nullptr) continue;
    Reaction& reaction = inner.kind == "Set" ? guard.reaction : guard.rest;
    reaction.assignments.push_back({&inner, name->value, {}});
  }
  if (!guard.name.empty() && item.Find("value") != nullptr) guards_.push_back(std::move(guard));
}

}  // namespace davit
