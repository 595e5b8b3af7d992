#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace davit {

/// Who determines what at a connection: a C port offers effort as a wave (c, Zc), a Q port answers with flow.
enum class Role : std::uint8_t { kC, kQ };

std::string_view ToText(Role role);

/// What every connection carries: effort = c + Zc*flow, with the flow positive into the C component. The
/// connections of a domain add their flow and whatever else the two sides tell each other.
struct Bond {
  double c = 0;   ///< wave, in the unit of the effort
  double Zc = 0;  ///< characteristic impedance, effort per flow
};

/// A number that a connection carries besides c and Zc.
struct DomainVariable {
  /// When the side that determines it does so.
  enum class Known : std::uint8_t {
    kAtStart,   ///< once, when the system is linked: a mass
    kAtEffort,  ///< in EvaluateEfforts: the motion that a mechanical Q side owns
    kAtFlow,    ///< in EvaluateDiffEquations: a flow that answers waves
  };
  /// What the `<Port>` of a model written in XML does with it.
  enum class InEquations : std::uint8_t {
    kRequired,  ///< its side must say what it is
    kOptional,  ///< its side may; else it is 0
    kReadOnly,
    kHidden,  ///< negotiated between models in C++
  };

  std::string_view name;
  std::string_view unit;                ///< SI
  double& (*of)(Bond& bond) = nullptr;  ///< OfBond<&FooBond::bar>
  Role side = Role::kQ;                 ///< that determines it
  Known known = Known::kAtFlow;
  InEquations in_equations = InEquations::kRequired;
  bool is_recorded = true;  ///< whether it is an item of the port: `rod.x`
};

namespace internal {
template <class B>
B ClassOf(double B::*);
}  // namespace internal

/// The member of a bond, for DomainVariable::of.
template <auto member>
constexpr double& OfBond(Bond& bond) {
  return static_cast<decltype(internal::ClassOf(member))&>(bond).*member;
}

/// The variables of a domain, the flow first.
class DomainVariables {
 public:
  static constexpr std::size_t kMost = 12;
  constexpr DomainVariables(std::initializer_list<DomainVariable> variables) : count_(variables.size()) {
    if (variables.size() == 0 || variables.size() > kMost) throw std::length_error("1 to 12 variables");
    std::size_t i = 0;
    for (const DomainVariable& variable : variables) variables_[i++] = variable;
  }
  constexpr const DomainVariable* begin() const { return variables_.data(); }
  constexpr const DomainVariable* end() const { return variables_.data() + count_; }
  constexpr std::size_t size() const { return count_; }
  /// By names, units and sides.
  friend constexpr bool operator==(const DomainVariables& a, const DomainVariables& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const DomainVariable& one, const DomainVariable& other) {
                        return one.name == other.name && one.unit == other.unit && one.side == other.side;
                      });
  }

 private:
  std::array<DomainVariable, kMost> variables_{};
  std::size_t count_;
};

/// The bonds of one domain in a system. Their places never change.
class BondPool {
 public:
  BondPool() = default;
  virtual ~BondPool() = default;
  BondPool(const BondPool&) = delete;
  BondPool& operator=(const BondPool&) = delete;
  virtual Bond& Add() = 0;
};

/// The C++ type of the bonds of a domain.
struct BondType {
  std::size_t size = 0;
  std::unique_ptr<BondPool> (*make_pool)() = nullptr;

  template <class B>
  static constexpr BondType Of() {
    struct Pool final : BondPool {
      Bond& Add() override { return bonds.emplace_back(); }
      std::deque<B> bonds;
    };
    return {sizeof(B), []() -> std::unique_ptr<BondPool> { return std::make_unique<Pool>(); }};
  }
};

/// A domain of power: what its connections carry, and by which names. Trees, results, snapshots, drawings,
/// networks and models written in XML read this description, so a new domain is one file:
///
///     struct PneumaticBond : davit::Bond {
///       double G = 0;  ///< mass flow into the C component [kg/s]
///       double p() const { return c + Zc * G; }
///       static const davit::Domain kDomain;
///     };
///     inline constexpr davit::Domain PneumaticBond::kDomain{
///         .name = "pneumatic",
///         .effort = {.name = "p", .unit = "Pa", .scale = 1e5},
///         .variables = {{.name = "G", .unit = "kg/s", .of = davit::OfBond<&PneumaticBond::G>}},
///         .bond = davit::BondType::Of<PneumaticBond>(),
///     };
///     using PneumaticPort = davit::Port<PneumaticBond>;
///
/// Two domains of the same name, variables and size of bonds are the same domain, so that several plug-ins
/// may each have its file.
struct Domain {
  /// The effort is c + Zc*flow, and not below the variable `least`, where there is one.
  struct Effort {
    std::string_view name;
    std::string_view unit;  ///< SI
    double scale = 1;       ///< typical size, where nothing else is known
    std::string_view least = {};
  };

  std::string_view name;  ///< as in a system file
  Effort effort;
  DomainVariables variables;  ///< the flow first
  BondType bond;
  std::string_view impedance_unit;
  /// The derivative of the flow, where it is a variable; else it is called `flow.ddt`.
  std::string_view acceleration = {};
  std::string_view color = "#263238";  ///< of its connections in drawings: `#rrggbb`
  // Models that are named where two ports of one role meet.
  std::string_view c_example = {};
  std::string_view q_example = {};

  constexpr const DomainVariable& flow() const { return *variables.begin(); }
  /// Null without one of this name.
  constexpr const DomainVariable* Find(std::string_view variable) const {
    for (const DomainVariable& one : variables) {
      if (one.name == variable) return &one;
    }
    return nullptr;
  }
  /// The effort's lower limit; null where it has none.
  constexpr const DomainVariable* least_effort() const {
    return effort.least.empty() ? nullptr : Find(effort.least);
  }
  /// Whether the Q side shows its flow in EvaluateEfforts: a mechanical one owns its motion; others compute
  /// their flow from the efforts, in EvaluateDiffEquations.
  constexpr bool flow_is_early() const { return flow().known == DomainVariable::Known::kAtEffort; }

  friend constexpr bool operator==(const Domain& a, const Domain& b) {
    if (&a == &b) return true;
    return a.name == b.name && a.effort.name == b.effort.name && a.effort.unit == b.effort.unit &&
           a.bond.size == b.bond.size && a.variables == b.variables;
  }
};

}  // namespace davit
