#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hopsan/laws/filters.h"
#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

class SignalAttitudeControl final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalAttitudeControl",
                                   .text = "Autopilot: ailerons, elevator, rudder from attitude errors"};
  void SimulateOneTimestep(double /*t*/) override {
    const double Kv = U0 * U0 / (U0 * U0 + Ub * Ub);
    const auto limited = [Kv](double u, double min, double max) { return std::clamp(u, Kv * min, Kv * max); };
    const auto difference = [](double a, double b) { return std::remainder(a - b, 2 * std::numbers::pi); };
    const double heading = std::clamp<double>(Kphipsi * difference(psiref, psi), -phimax, phimax);
    const double roll = Kphi * Kv * (difference(phiref, phi) + heading);
    uaerL = limited(roll, u1min, u1max);
    uaerR = limited(-roll, u1min, u1max);
    uelev = limited(-Kv * (Kelev * difference(thetaref, theta) - Kdelev * Qb), u2min, u2max);
    urud = limited(-Kv * (beta * Krud + Kdrud * Rb), u3min, u3max);
  }

 private:
  In phiref{this, "phiref", 0, "rad"}, thetaref{this, "thetaref", 0, "rad"};
  In psiref{this, "psiref", 0, "rad"}, phimax{this, "phimax", 1, "rad"}, phi{this, "phi", 0, "rad"};
  In theta{this, "theta", 0, "rad"}, psi{this, "psi", 0, "rad"}, beta{this, "beta", 0, "rad"};
  In Qb{this, "Qb", 0, "rad/s"}, Rb{this, "Rb", 0, "rad/s"}, Ub{this, "Ub", 0, "m/s"}, Kphi{this, "Kphi", 3};
  In Kphipsi{this, "Kphipsi", 2}, Kelev{this, "Kelev", 4}, Kdelev{this, "Kdelev", 1}, Krud{this, "Krud", 1};
  In Kdrud{this, "Kdrud", 1}, u1min{this, "u1min", -0.9, "rad"}, u1max{this, "u1max", 0.9, "rad"};
  In u2min{this, "u2min", -0.7, "rad"}, u2max{this, "u2max", 0.7, "rad"}, u3min{this, "u3min", -0.7, "rad"};
  In u3max{this, "u3max", 0.7, "rad"}, U0{this, "U0", 100, "m/s"};
  Out uaerL{this, "uaerL", 0, "rad"}, uaerR{this, "uaerR", 0, "rad"}, uelev{this, "uelev", 0, "rad"};
  Out urud{this, "urud", 0, "rad"};
};

/// Ta = Ts + a min(ha, htp); rho and p by powers of Ta/Ts up to htp, then exponential.
class AeroAtmosphere final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.AeroAtmosphere",
                                   .text = "Standard atmosphere: density, temperature, pressure at a height"};
  void Initialize() override {}
  void SimulateOneTimestep(double /*t*/) override {
    Ta = Ts + a * std::min<double>(ha, htp);
    if (ha <= htp) {
      rhoa = rhos * std::pow(Ta / Ts, -1 - g0 / (a * R));
      p0 = p0s * std::pow(Ta / Ts, -g0 / (a * R));
    } else {
      const double thinner = std::pow(e, -g0 * (ha - htp) / (R * Ttp));
      rhoa = rhotp * thinner;
      p0 = ptp * thinner;
    }
    Vsound = std::sqrt(gamma * R * Ta);
  }

 private:
  In ha{this, "ha", 0, "m"}, g0{this, "g0", 9.81, "m/s2"}, rhos{this, "rhos", 1.225, "kg/m3"};
  In a{this, "a", -0.0065, "K/m"}, R{this, "R", 287, "J/(kg.K)"}, gamma{this, "gamma", 1.4};
  In Ts{this, "Ts", 288.16, "K"}, p0s{this, "p0s", 101300, "Pa"}, htp{this, "htp", 11000, "m"};
  In Ttp{this, "Ttp", 216.66, "K"}, ptp{this, "ptp", 22610, "Pa"}, rhotp{this, "rhotp", 0.363649, "kg/m3"};
  In e{this, "e", 2.71828};
  Out rhoa{this, "rhoa", 1.25, "kg/m3"}, Ta{this, "Ta", 273, "K"}, p0{this, "p0", 1e5, "Pa"};
  Out Vsound{this, "Vsound", 340, "m/s"};
};

class SignalEarthCoordinates final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalEarthCoordinates",
                                   .text = "Way on the globe: latitude, longitude in degrees"};
  void Initialize() override {
    north_.Start(NorthRate(), lattitude);
    east_.Start(EastRate(), longitude);
    time_.Start(timecomp, timeE);
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    lattitude = north_.Step(NorthRate(), T());
    longitude = east_.Step(EastRate(), T());
    timeE = time_.Step(timecomp, T());
  }
  void ArchiveMemory(Archive& archive) override { archive(north_, east_, time_); }

 private:
  static constexpr double kDegrees = 57.2958;  // of 1 rad, as Hopsan rounds it
  double NorthRate() const { return kDegrees * timecomp * vxcg / R; }
  double EastRate() const { return kDegrees * timecomp * vycg / (R * std::cos(lattitude / kDegrees)); }

  In timecomp{this, "timecomp", 1}, vxcg{this, "vxcg", 0, "m/s"}, vycg{this, "vycg", 0, "m/s"};
  In R{this, "R", 6.3675e6, "m"};
  Out timeE{this, "timeE", 0, "s"}, longitude{this, "longitude", 0, "deg"};
  Out lattitude{this, "lattitude", 0, "deg"};
  Integrator north_, east_, time_;
};

}  // namespace davit::hopsan
