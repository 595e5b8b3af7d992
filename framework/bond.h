#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "framework/archive.h"

namespace davit {

class Component;

enum class Domain : std::uint8_t { kHydraulic, kTranslational, kRotational };

/// Who determines what at a connection: a C port offers effort as a wave (c, Zc), a Q port answers with flow.
enum class Role : std::uint8_t { kC, kQ };

std::string_view ToText(Domain domain);
std::string_view ToText(Role role);

/// One variable of a bond that can be recorded.
template <class Bond>
struct BondField {
  std::string_view name;
  std::string_view unit;
  double Bond::*member;
};

/// A hydraulic connection: p = c + Zc*q, q positive into the C component, but never below p_min, at which the
/// oil cavitates.
struct HydraulicBond {
  static constexpr Domain kDomain = Domain::kHydraulic;
  double c = 0;                                             ///< wave [Pa]
  double Zc = 0;                                            ///< characteristic impedance [Pa s/m3]
  double q = 0;                                             ///< flow into the C component [m3/s]
  double p_min = -std::numeric_limits<double>::infinity();  ///< that the C component allows [Pa]
  double p() const { return std::max(p_min, c + Zc * q); }
  void ArchiveMemory(Archive& archive) { archive(c, Zc, q, p_min); }

  static constexpr std::array<BondField<HydraulicBond>, 3> Fields() {
    return {{{"c", "Pa", &HydraulicBond::c},
             {"Zc", "Pa.s/m3", &HydraulicBond::Zc},
             {"q", "m3/s", &HydraulicBond::q}}};
  }
  static constexpr BondField<HydraulicBond> Flow() { return {"q", "m3/s", &HydraulicBond::q}; }
  static constexpr std::string_view kEffortName = "p";
  static constexpr std::string_view kEffortUnit = "Pa";
};

/// A translational connection: F = c + Zc*v, F positive in compression, x and v positive into the C
/// component. The Q side owns x, v and `mass`; the C side sets c, Zc, `added_mass` and the travel limits.
struct TranslationalBond {
  static constexpr Domain kDomain = Domain::kTranslational;
  double c = 0;           ///< wave [N]
  double Zc = 0;          ///< characteristic impedance [N s/m]
  double v = 0;           ///< velocity into the C component [m/s]
  double x = 0;           ///< displacement into the C component [m]
  double mass = 0;        ///< of the Q side [kg]
  double added_mass = 0;  ///< that the C side moves along [kg]
  double x_min = -std::numeric_limits<double>::infinity();
  double x_max = std::numeric_limits<double>::infinity();
  double restitution = 0;  ///< coefficient of restitution at a travel limit
  /// Start displacement [m] that the C side asks for; NaN when it does not.
  double x_start = std::numeric_limits<double>::quiet_NaN();
  const Component* x_start_owner = nullptr;
  double a = 0;  ///< acceleration into the C component [m/s2], where it is wanted and the Q side gives it
  bool wants_acceleration = false;   ///< set by the C side: it states an algebraic equation for it
  bool gives_acceleration = false;   ///< set by the Q side
  bool wants_located_stops = false;  ///< set by the C side: impacts on its limits are to be found inside the
                                     ///< step
  bool keeps_travel = false;         ///< set by the Q side: it executes the travel limits
  double F() const { return c + Zc * v; }
  void ArchiveMemory(Archive& archive) {
    archive(c, Zc, v, x, mass, added_mass, x_min, x_max, restitution, a);
  }

  static constexpr std::array<BondField<TranslationalBond>, 4> Fields() {
    return {{{"c", "N", &TranslationalBond::c},
             {"Zc", "N.s/m", &TranslationalBond::Zc},
             {"v", "m/s", &TranslationalBond::v},
             {"x", "m", &TranslationalBond::x}}};
  }
  static constexpr BondField<TranslationalBond> Flow() { return {"v", "m/s", &TranslationalBond::v}; }
  static constexpr std::string_view kEffortName = "F";
  static constexpr std::string_view kEffortUnit = "N";
};

/// A rotational connection: T = c + Zc*w; signs as for translation.
struct RotationalBond {
  static constexpr Domain kDomain = Domain::kRotational;
  double c = 0;              ///< wave [N m]
  double Zc = 0;             ///< characteristic impedance [N m s/rad]
  double w = 0;              ///< angular velocity into the C component [rad/s]
  double angle = 0;          ///< angle into the C component [rad]
  double inertia = 0;        ///< of the Q side [kg m2]
  double added_inertia = 0;  ///< that the C side turns along [kg m2]
  double T() const { return c + Zc * w; }
  void ArchiveMemory(Archive& archive) { archive(c, Zc, w, angle, inertia, added_inertia); }

  static constexpr std::array<BondField<RotationalBond>, 4> Fields() {
    return {{{"c", "N.m", &RotationalBond::c},
             {"Zc", "N.m.s/rad", &RotationalBond::Zc},
             {"w", "rad/s", &RotationalBond::w},
             {"angle", "rad", &RotationalBond::angle}}};
  }
  static constexpr BondField<RotationalBond> Flow() { return {"w", "rad/s", &RotationalBond::w}; }
  static constexpr std::string_view kEffortName = "T";
  static constexpr std::string_view kEffortUnit = "N.m";
};

}  // namespace davit
