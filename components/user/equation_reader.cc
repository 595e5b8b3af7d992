#include "components/user/equation_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/system.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 3> kDirections{"falling", "rising", "both"};

std::vector<std::string> Strings(auto&& list) { return {list.begin(), list.end()}; }

}  // namespace

/// A variable of a port, and who says what it is.
struct EquationReader::Field {
  std::string_view name;
  std::string_view unit;
  Role side;
  DomainVariable::InEquations use;
  Phase phase;
  BondMember member;
};

namespace {

/// What both sides of a connection follow from, where neither of them writes it.
std::string EffortText(const Domain& domain, std::string_view port) {
  const std::string effort = fmt::format("{0}.c + {0}.Zc*{0}.{1}", port, domain.flow().name);
  return domain.least_effort() == nullptr ? effort
                                          : fmt::format("max({}.{}, {})", port, domain.effort.least, effort);
}

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
  const UnitSystem* units() const override { return &reader_.units_; }

 private:
  const EquationReader& reader_;
};

EquationReader::EquationReader(EquationComponent& component, const UnitSystem& units,
                               const Registry& registry, Diagnostics& diagnostics)
    : component_(component),
      equations_(*component.equations_),
      units_(units),
      registry_(registry),
      diagnostics_(diagnostics),
      names_(std::make_unique<Names>(*this)),
      compiler_(program_, symbols_, {.host = names_.get()}) {}

EquationReader::~EquationReader() = default;

void EquationReader::Read() {
  for (const ItemElement& item : equations_.items) ReadItem(item);
  // Each fault looks at all names, so the time stays in proportion to the text.
  constexpr std::size_t kMostFaults = 100;
  for (Definition& definition : definitions_) {
    if (definition.array != nullptr && definition.array->is_faulty) continue;
    const std::size_t faults = faults_;
    if (faults < kMostFaults) CompileDefinition(definition);
    if (definition.array != nullptr) definition.array->is_faulty = faults_ > faults;
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
  AddVariable(name, {Source::Kind::kParameter, equations_.parameters.size() - 1, nullptr, nullptr},
              DimensionOf(unit));
}

void EquationReader::ReadInput(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "value", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  if (name.empty()) return;
  equations_.inputs.emplace_back(&component_, Keep(name), unit, TextOf(item), Number(item, "value", unit, 0));
  AddVariable(name, {Source::Kind::kInput, equations_.inputs.size() - 1, nullptr, nullptr},
              DimensionOf(unit));
}

void EquationReader::ReadState(const ItemElement& item) {
  if (item.Find("size") != nullptr) return ReadArray(item);
  CheckAttributes(item, {"name", "unit", "start", "nominal", "der", "text", "size"});
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
  AddVariable(name, {Source::Kind::kState, state_count_++, nullptr, nullptr, &state.slot_},
              DimensionOf(unit));
  if (equations_.first_state == nullptr) equations_.first_state = &state.slot_;
  if (der == nullptr) return;
  Definition& definition = Define(name + ".ddt", der, der->value, RateOf(unit));
  definition.derivative = &state.slot_;
  definition.reader = Readable(state).id();
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
  AddVariable(name, {Source::Kind::kHeld, equations_.held.size() - 1, nullptr, nullptr}, DimensionOf(unit));
}

void EquationReader::ReadOutput(const ItemElement& item) {
  CheckAttributes(item, {"name", "unit", "expr", "text"});
  const std::string name = TakeName(item);
  const Text unit = UnitOf(item);
  const Attribute* const expr = Require(item, "expr");
  if (name.empty()) return;
  const std::size_t declaration = component_.declarations().outputs.size();
  Output& output = equations_.outputs.emplace_back(&component_, Keep(name), unit, TextOf(item));
  Definition& definition = Define(name, expr, expr == nullptr ? "0" : expr->value, DimensionOf(unit));
  definition.output = &output;
  definition.output_declaration = declaration;
}

std::vector<EquationReader::Field> EquationReader::FieldsOf(const Domain& domain) {
  using Use = DomainVariable::InEquations;
  static constexpr std::array kPhases{Equations::kConstant, Equations::kEarly, Equations::kLate};
  std::vector<Field> fields{
      {"c", domain.effort.unit, Role::kC, Use::kRequired, Equations::kEarly, &OfBond<&Bond::c>},
      {"Zc", domain.impedance_unit, Role::kC, Use::kOptional, Equations::kEarly, &OfBond<&Bond::Zc>}};
  for (const DomainVariable& variable : domain.variables) {
    if (variable.in_equations == Use::kHidden) continue;
    fields.push_back({variable.name, variable.unit, variable.side, variable.in_equations,
                      kPhases[static_cast<std::size_t>(variable.known)], variable.of});
  }
  return fields;
}

const Domain* EquationReader::FindDomain(const Attribute& attribute) {
  std::vector<std::string> names;
  for (const Domain* domain : registry_.domains()) {
    if (domain->name == attribute.value) return domain;
    names.emplace_back(domain->name);
  }
  Error(attribute.location, fmt::format("domain: no domain {}; {}", Quoted(attribute.value),
                                        SuggestName("use one of", attribute.value, names)));
  return nullptr;
}

void EquationReader::ReadPort(const ItemElement& item) {
  const std::string name = TakeName(item);
  const Attribute* const domain_text = Require(item, "domain");
  const Attribute* const role_text = Require(item, "role");
  if (domain_text == nullptr || role_text == nullptr) return;
  const Domain* const domain = FindDomain(*domain_text);
  if (domain == nullptr) return;
  if (role_text->value != "C" && role_text->value != "Q") {
    return Error(role_text->location,
                 fmt::format("role: no role {}; write C for a port that offers effort, Q "
                             "for one that answers with flow",
                             Quoted(role_text->value)));
  }
  const Role role = role_text->value == "C" ? Role::kC : Role::kQ;
  const std::vector<Field> fields = FieldsOf(*domain);
  std::vector<std::string> allowed{"name", "domain", "role", "text"};
  for (const Field& field : fields) {
    if (field.side == role && field.use != DomainVariable::InEquations::kReadOnly)
      allowed.emplace_back(field.name);
  }
  CheckAttributes(item, allowed);
  if (name.empty()) return;
  AnyPort& port = equations_.ports.emplace_back(&component_, Keep(name), *domain, role, TextOf(item));
  for (const Field& field : fields) AddField(field, item, name, role, port);
  Define(fmt::format("{}.{}", name, domain->effort.name), nullptr, EffortText(*domain, name),
         DimensionOf(domain->effort.unit))
      .is_wanted = false;
}

void EquationReader::AddField(const Field& field, const ItemElement& item, const std::string& port_name,
                              Role role, PortBase& port) {
  const std::string full = fmt::format("{}.{}", port_name, field.name);
  if (field.side != role || field.use == DomainVariable::InEquations::kReadOnly) {
    AddVariable(full, {Source::Kind::kBond, 0, &port, field.member}, DimensionOf(field.unit));
    return;
  }
  const Attribute* const attribute =
      field.use == DomainVariable::InEquations::kRequired ? Require(item, field.name) : item.Find(field.name);
  if (attribute == nullptr) {
    Define(full, nullptr, "0", DimensionOf(field.unit)).is_wanted = false;
    return;
  }
  Definition& definition = Define(full, attribute, attribute->value, DimensionOf(field.unit));
  definition.wanted = field.phase;
  definition.port = &port;
  definition.member = field.member;
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
