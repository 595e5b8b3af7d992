// A valve at the end of a long pipe shuts: published problems of water hammer.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "components/hydraulic/line.h"
#include "simulator/building_blocks/turbulent_flow.h"
#include "tests/components/hydraulic/wave_harness.h"

namespace davit {
namespace {

/// A line without loss between a reservoir and a valve that shuts linearly: h = p/p_0 at multiples of the
/// time 2 L/a (L. Allievi). r = rho a v_0/(2 p_0), theta = closing time in these units.
std::vector<double> ShutLinearly(double r, double theta, std::size_t count) {
  constexpr double kFlow = 8e-3;
  constexpr int kStepsPerLength = 3;
  WaveHarness<Line> line;
  HydraulicBond& reservoir = line.AttachHydraulic(line.component, "a");
  HydraulicBond& valve = line.AttachHydraulic(line.component, "b");
  line.Set(line.component, "friction", "none");
  const double a = std::sqrt(1.6e9 / 861.8);
  const double Zc = 861.8 * a / (std::numbers::pi / 4 * 0.049 * 0.049);
  const double p_0 = Zc * kFlow / (2 * r);
  line.SetStart(line.component, "p", p_0);
  line.SetStart(line.component, "q", kFlow);
  line.Begin(15 / a / kStepsPerLength);
  std::vector<double> h;
  for (int n = 0; h.size() < count; ++n, line.Step()) {
    const double eta = std::max(0.0, 1 - n / (2 * kStepsPerLength * theta));
    const double K = eta * kFlow / std::sqrt(p_0);
    reservoir.q = (p_0 - reservoir.c) / reservoir.Zc;
    valve.q = -building_blocks::TurbulentFlow(K, valve.c, 0, valve.Zc, 0);
    if (n % (2 * kStepsPerLength) == 0) h.push_back(valve.p() / p_0);
  }
  return h;
}

TEST(ValveClosureTest, FollowsAllievisInterlockingEquations) {
  struct Case {
    double r, theta;
    std::vector<double> h;
  };
  for (const Case& known : {Case{.5, 2, {1, 1.406930, 1.186141, .813859, 1.186141, .813859}},
                            Case{1, 4, {1, 1.293812, 1.280697, 1.284339, 1.282305, .717695, 1.282305}},
                            Case{2, 4, {1, 1.422253, 1.614352, 1.644436, 1.637920, .362080, 1.637920}},
                            Case{4,
                                 8,
                                 {1, 1.231594, 1.410626, 1.530298, 1.598187, 1.629286, 1.639309, 1.640558,
                                  1.640285, .359715, 1.640285}}}) {
    const std::vector<double> h = ShutLinearly(known.r, known.theta, known.h.size());
    for (std::size_t i = 0; i < h.size(); ++i) EXPECT_NEAR(h[i], known.h[i], 0.5e-6) << "at " << i;
  }
}

/// Heads [m] and flows [m3/s] at the grid points of a pipe of `reaches` parts, by the method of
/// characteristics: reservoir of 100 m, 4800 m of 2 m bore, f = 0.022, a = 1200 m/s, g = 9.806 m/s2.
class LongPipe {
 public:
  explicit LongPipe(std::size_t reaches) : reaches_(reaches), H_(reaches + 1), Q_(reaches + 1) {
    const double area = std::numbers::pi / 4 * kBore * kBore;
    B_ = kSpeed / (kGravity * area);
    R_ = kDarcy * (kLength / static_cast<double>(reaches)) / (2 * kGravity * kBore * area * area);
    const double opening = Opening(0);
    const double Q_0 =
        std::sqrt(kReservoir / (1 / (2 * kGravity * opening * opening) + R_ * static_cast<double>(reaches)));
    for (std::size_t i = 0; i <= reaches; ++i) {
      Q_[i] = Q_0;
      H_[i] = kReservoir - R_ * static_cast<double>(i) * Q_0 * Q_0;
    }
  }

  double step() const { return kLength / kSpeed / static_cast<double>(reaches_); }
  double H_valve() const { return H_.back(); }
  double Q_valve() const { return Q_.back(); }
  double H_middle() const { return H_[reaches_ / 2]; }

  void AdvanceTo(double t) {
    const std::vector<double> H = H_, Q = Q_;
    const auto from_left = [&](std::size_t i) {
      return H[i - 1] + Q[i - 1] * (B_ - R_ * std::abs(Q[i - 1]));
    };
    const auto from_right = [&](std::size_t i) {
      return H[i + 1] - Q[i + 1] * (B_ - R_ * std::abs(Q[i + 1]));
    };
    for (std::size_t i = 1; i < reaches_; ++i) {
      H_[i] = (from_left(i) + from_right(i)) / 2;
      Q_[i] = (H_[i] - from_right(i)) / B_;
    }
    Q_[0] = (kReservoir - from_right(0)) / B_;
    const double cp = from_left(reaches_);
    Q_[reaches_] = building_blocks::TurbulentFlow(Opening(t) * std::sqrt(2 * kGravity), cp, 0, B_, 0);
    H_[reaches_] = cp - B_ * Q_[reaches_];
  }

 private:
  static constexpr double kReservoir = 100, kLength = 4800, kBore = 2, kDarcy = 0.022, kSpeed = 1200;
  static constexpr double kGravity = 9.806;

  /// Cd A of the valve [m2], linear between values 5 s apart.
  static double Opening(double t) {
    constexpr std::array<double, 8> kOpenings{.06, .03, .01, .003, .001, .0005, .0002, 0};
    const double place = std::min(t / 5, 6.999999999999999);
    const auto i = static_cast<std::size_t>(place);
    if (t >= 35) return 0;
    return kOpenings[i] + (kOpenings[i + 1] - kOpenings[i]) * (place - static_cast<double>(i));
  }

  std::size_t reaches_;
  std::vector<double> H_, Q_;
  double B_ = 0, R_ = 0;
};

struct Heads {
  double H_valve, Q_valve, H_middle;
};

/// Values every 5 s from 5 s on, and the highest head at the valve with its time.
void ExpectClosure(std::size_t reaches, const std::array<Heads, 10>& expected, double highest) {
  LongPipe pipe(reaches);
  EXPECT_NEAR(pipe.Q_valve(), 2.631903, 0.5e-6);
  EXPECT_NEAR(pipe.H_valve(), 98.110478, 0.5e-6);
  double H_most = 0, t_most = 0;
  const auto steps_5 = static_cast<int>(std::lround(5 / pipe.step()));
  for (int n = 1; n <= 10 * steps_5; ++n) {
    const double t = n * pipe.step();
    pipe.AdvanceTo(t);
    if (pipe.H_valve() > H_most) {
      H_most = pipe.H_valve();
      t_most = t;
    }
    if (n % steps_5 != 0) continue;
    SCOPED_TRACE(t);
    const Heads& heads = expected[static_cast<std::size_t>(n / steps_5 - 1)];
    EXPECT_NEAR(pipe.H_valve(), heads.H_valve, 0.5e-4);
    EXPECT_NEAR(pipe.Q_valve(), heads.Q_valve, 0.5e-5);
    EXPECT_NEAR(pipe.H_middle(), heads.H_middle, 0.5e-4);
  }
  EXPECT_NEAR(H_most, highest, 0.5e-4);
  EXPECT_EQ(t_most, 8);
}

TEST(ValveClosureTest, FollowsTheCharacteristicsOfFourReaches) {
  ExpectClosure(4,
                {{{139.7094, 1.57034, 121.7547},
                  {152.0357, .54605, 131.1755},
                  {88.0007, .12463, 86.3004},
                  {86.3877, .04116, 86.0575},
                  {132.4532, .02548, 120.2485},
                  {94.6908, .00862, 93.2364},
                  {75.2612, 0, 83.2059},
                  {127.7041, 0, 119.6354},
                  {102.0370, 0, 105.0345},
                  {66.5167, 0, 79.3014}}},
                161.8373);
}

TEST(ValveClosureTest, FollowsTheCharacteristicsOfSixtyFourReaches) {
  ExpectClosure(64,
                {{{139.8144, 1.57093, 121.8091},
                  {152.1613, .54628, 131.2568},
                  {87.9300, .12458, 86.2421},
                  {86.3548, .04115, 86.0278},
                  {132.5509, .02549, 120.3124},
                  {94.6433, .00862, 93.1958},
                  {75.2034, 0, 83.1645},
                  {127.8270, 0, 119.7167},
                  {102.0251, 0, 105.0330},
                  {66.3975, 0, 79.2179}}},
                162.0112);
}

}  // namespace
}  // namespace davit
