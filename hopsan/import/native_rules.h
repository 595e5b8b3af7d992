#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace davit::hopsan {

/// What a type of Hopsan becomes among davit's own models.
struct NativeRule {
  std::string_view type;
  /// An expression of its values that must be above 0; empty: always. `has_x` is 1 where a signal leads to x.
  std::string_view when = {};
  /// Elements of the system file: $ stands for the name, {expression} for a number; empty: nothing is needed.
  std::string text = {};
  /// Its pressures are states: a Q component of Hopsan would see them held for a step, so it stays beside
  /// one.
  bool has_volumes = false;
  /// `P1=$.port` for each port and signal, with blanks between. What is connected and not named here keeps
  /// the component as it is.
  std::string_view ports = {};
  /// What is not the same; empty: only the solver is.
  std::string_view differs = {};
};

/// In values of a type: its parameters, inputs, start values of outputs (`xv`) and of ports (`P1_Pressure`;
/// those of a Q component are of the C component at this port), and `P1_Shift`, by how much davit's position
/// of a mass at this port is less than Hopsan's, whose ports P1 and P2 have their own. The first rule of a
/// type whose condition holds applies.
const std::vector<NativeRule>& NativeRules();

}  // namespace davit::hopsan
