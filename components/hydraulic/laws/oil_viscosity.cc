#include "components/hydraulic/laws/oil_viscosity.h"

#include <cmath>

namespace davit {
namespace {

constexpr double kOffset = 0.7;             // [mm2/s]
constexpr double kSquareMillimetres = 1e6;  // in a square metre
constexpr double kFreezingPoint = 273.15;   // of water [K]

double DoubleLogarithm(double nu) { return std::log10(std::log10(nu * kSquareMillimetres + kOffset)); }

}  // namespace

OilViscosity::OilViscosity(const Point& cold, const Point& warm) {
  const double from = DoubleLogarithm(cold.kinematic_viscosity);
  const double to = DoubleLogarithm(warm.kinematic_viscosity);
  B_ = (from - to) / (std::log10(warm.temperature) - std::log10(cold.temperature));
  A_ = from + B_ * std::log10(cold.temperature);
}

double OilViscosity::Kinematic(double T) const {
  return (std::pow(10.0, std::pow(10.0, A_ - B_ * std::log10(T))) - kOffset) / kSquareMillimetres;
}

OilViscosity ViscosityOf(OilGrade grade) {
  const OilGradeData& data = DataOf(grade);
  return {{kFreezingPoint + 40, data.viscosity_40}, {kFreezingPoint + 100, data.viscosity_100}};
}

}  // namespace davit
