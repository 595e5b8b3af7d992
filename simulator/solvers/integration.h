#pragma once

#include <array>
#include <string>
#include <string_view>

#include "framework/component.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "simulator/solvers/integrator.h"

namespace davit {

/// The element `<Integration>`: how equations are solved. Inside `<SimulatorManager>` it holds for the whole
/// system, inside a component for the island of that component.
class Integration final : public Component {
 public:
  enum class Kind : std::uint8_t { kOde, kDae };
  static constexpr std::array<std::string_view, 2> kKindNames{"ODE", "DAE"};
  static constexpr ModelInfo kInfo{.name = "Integration",
                                   .text = "How the equations of a system or of one island are solved"};

  void Configure(Diagnostics& diagnostics) override;
  bool AcceptsChild(std::string_view /*model*/) const override { return false; }

  Kind kind() const { return kind_; }
  /// What was chosen; `time_step` is the TimeStep of the manager [s].
  IntegratorOptions Options(double time_step) const;

 private:
  Property<Kind> kind_{this, "solver", "Kind of equations it applies to", Kind::kOde, kKindNames};
  Property<std::string> method_{this, "method", "Name of the method; see docs/solvers.md"};
  Parameter rtol_{this, "rtol", "", "Relative tolerance", 1e-6, kPositive, Tunability::kStructural};
  Parameter atol_{this,
                  "atol",
                  "",
                  "Absolute tolerance, in units of the nominal value of each state",
                  1e-8,
                  kPositive,
                  Tunability::kStructural};
  Parameter min_step_{
      this, "min_step", "s", "Smallest step allowed", 0, kNonNegative, Tunability::kStructural};
  Parameter max_step_{this,
                      "max_step",
                      "s",
                      "Largest step allowed",
                      std::numeric_limits<double>::infinity(),
                      kPositive,
                      Tunability::kStructural};
  Property<int> substeps_{this, "substeps",
                          "Number of equal steps in one TimeStep, for methods without error control", 1,
                          Range{1, 1e6}};
  Property<int> max_order_{this, "max_order", "Highest order of ida", 5, Range{1, 5}};
};

}  // namespace davit
