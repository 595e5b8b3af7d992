#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace davit {

/// Kinematic viscosity nu of a mineral oil over temperature (C. Walther; ASTM D341), nu in mm2/s, T in K:
///   lg lg(nu + 0.7) = A - B lg T.
/// A and B follow from two measured points. Good for nu >= 2 mm2/s (below, ASTM D341 has further terms that
/// are not here) and between pour point and flash point; falls with T and is positive for all T > 0.
class OilViscosity {
 public:
  struct Point {
    double temperature;          ///< [K]
    double kinematic_viscosity;  ///< [m2/s]
  };
  /// Pre: temperatures and viscosities positive, that of the warmer point the smaller.
  OilViscosity(const Point& cold, const Point& warm);

  /// nu [m2/s] at T > 0 [K].
  double Kinematic(double T) const;

 private:
  double A_;
  double B_;
};

/// Grades of hydraulic oil (ISO 3448) that are built in.
enum class OilGrade : std::uint8_t { kIsoVg32, kIsoVg46, kIsoVg68 };
inline constexpr std::array<std::string_view, 3> kOilGradeNames{"iso_vg_32", "iso_vg_46", "iso_vg_68"};

/// Data of a grade.
struct OilGradeData {
  double density;        ///< at 15.6 degC [kg/m3]
  double viscosity_40;   ///< kinematic, at 40 degC [m2/s]
  double viscosity_100;  ///< at 100 degC
};
inline constexpr std::array<OilGradeData, 3> kOilGrades{{
    {861.8, 32.84e-6, 5.62e-6},
    {866.5, 43.81e-6, 6.74e-6},
    {871.8, 67.89e-6, 8.90e-6},
}};
inline const OilGradeData& DataOf(OilGrade grade) { return kOilGrades[static_cast<std::size_t>(grade)]; }
/// The law through both points of a grade.
OilViscosity ViscosityOf(OilGrade grade);

}  // namespace davit
