#include "tests/support/test_models.h"

namespace davit {

std::array<double, 4> TestKepler::Exact(double t) {
  constexpr double kEccentricity = 0.6;
  double E = t;
  for (int i = 0; i < 50; ++i) E -= (E - kEccentricity * std::sin(E) - t) / (1 - kEccentricity * std::cos(E));
  const double speed = 1 / (1 - kEccentricity * std::cos(E));  // E'
  return {std::cos(E) - kEccentricity, 0.8 * std::sin(E), -std::sin(E) * speed, 0.8 * std::cos(E) * speed};
}

const std::array<double, 4 * TestPleiades::kStars> TestPleiades::kAtThree{
    0.3706139143970502,  3.237284092057233,   -3.222559032418324,  0.6597091455775310, 0.3425581707156584,
    1.562172101400631,   -0.7003092922212495, -3.943437585517392,  -3.271380973972550, 5.225081843456543,
    -2.590612434977470,  1.198213693392275,   -0.2429682344935824, 1.091449240428980,  3.417003806314313,
    1.354584501625501,   -2.590065597810775,  2.025053734714242,   -1.155815100160448, -0.8072988170223021,
    0.5952396354208710,  -3.741244961234010,  0.3773459685750630,  0.9386858869551073, 0.3667922227200571,
    -0.3474046353808490, 2.344915448180937,   -1.947020434263292};

TestPleiades::TestPleiades() {
  constexpr double kStart[4][kStars]{{3, 3, -1, -3, 2, -2, 2},
                                     {3, -3, 2, 0, 0, -4, 4},
                                     {0, 0, 0, 0, 0, 1.75, -1.5},
                                     {0, 0, 0, -1.25, 1, 0, 0}};
  auto& states = mutable_declarations().states;
  for (std::size_t k = 0; k < states.size(); ++k) states[k].start.assign(kStart[k], kStart[k] + kStars);
}

void TestPleiades::EvaluateDiffEquations(double /*t*/) {
  for (std::size_t i = 0; i < kStars; ++i) {
    double ax = 0;
    double ay = 0;
    for (std::size_t j = 0; j < kStars; ++j) {
      if (j == i) continue;
      const double dx = x[j] - x[i];
      const double dy = y[j] - y[i];
      const double r2 = dx * dx + dy * dy;
      const double pull = static_cast<double>(j + 1) / (r2 * std::sqrt(r2));
      ax += pull * dx;
      ay += pull * dy;
    }
    x[i].ddt = u[i];
    y[i].ddt = v[i];
    u[i].ddt = ax;
    v[i].ddt = ay;
  }
}

void RegisterTestModels(Registry& registry) {
  registry.Add<TestOscillator, TestKepler, TestPleiades, TestProtheroRobinson, TestVanDerPol>();
  registry.Add<TestSwing, TestBlowUp, TestNotANumber, TestBall, TestBody, TestSum, TestPassThrough,
               TestFollower, TestIdealOnly, TestDiffusion>();
}

}  // namespace davit
