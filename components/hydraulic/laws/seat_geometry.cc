#include "components/hydraulic/laws/seat_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"

namespace davit {
namespace {

constexpr double kPi = std::numbers::pi;

/// A_x/sqrt(k0 + k1 (A_p/A_x)^2), also for A_x = 0.
double FlowAreaOf(double A_x, double A_p, double k0, double k1) {
  const double r = A_x / A_p;
  return A_p * r * r / std::sqrt(k0 * r * r + k1);
}

}  // namespace

double Seat::EntryArea() const { return CircleArea(diameter); }

double Seat::FullLift() const {
  switch (type) {
    case SeatType::kBall: return diameter / 3;
    case SeatType::kNeedle: return diameter / 2 / std::tan(cone_angle / 2);
    case SeatType::kDisc:
    case SeatType::kPoppet: break;
  }
  return diameter / 4;
}

double Seat::OpeningArea(double x) const {
  const double lift = std::clamp(x, 0.0, FullLift());
  switch (type) {
    case SeatType::kBall: return 0.75 * kPi * diameter * lift;
    case SeatType::kNeedle: {
      const double t = lift * std::tan(cone_angle / 2);
      return kPi * t * (diameter - t);
    }
    case SeatType::kDisc:
    case SeatType::kPoppet: break;
  }
  return kPi * diameter * lift;
}

double Seat::WettedLength(double x) const {
  if (type != SeatType::kNeedle) return 2 * kPi * diameter;
  return 2 * kPi * (diameter - std::clamp(x, 0.0, FullLift()) * std::tan(cone_angle / 2));
}

double Seat::FlowArea(double x) const {
  switch (type) {
    case SeatType::kDisc: return FlowAreaOf(OpeningArea(x), EntryArea(), 1.3, 0.2);
    case SeatType::kBall:
    case SeatType::kNeedle: return FlowAreaOf(OpeningArea(x), EntryArea(), 0.5, 0.15);
    case SeatType::kPoppet: break;
  }
  const double h = std::clamp(x, 0.0, FullLift()) / diameter;  // A_p/sqrt(K) without the division by h
  return EntryArea() * h / std::sqrt(2.65 * h * h - 0.8 * h + 0.14);
}

}  // namespace davit
