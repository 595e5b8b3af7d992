#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/linear/pair_analysis.h"

namespace davit {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

LinearModel MakeModel(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D) {
  LinearModel model;
  for (Index i = 0; i < A.rows(); ++i) model.states.push_back({.name = fmt::format("x{}", i)});
  for (Index i = 0; i < B.cols(); ++i) model.inputs.push_back({.name = fmt::format("u{}", i)});
  for (Index i = 0; i < C.rows(); ++i) model.outputs.push_back({.name = fmt::format("y{}", i)});
  model.SetZero();
  model.A = A;
  model.B = B;
  model.C = C;
  model.D = D;
  return model;
}

LinearModel MakeModel(const MatrixXd& A, const Eigen::VectorXd& b, const Eigen::RowVectorXd& c, double d) {
  return MakeModel(A, MatrixXd(b), MatrixXd(c), MatrixXd::Constant(1, 1, d));
}

PairAnalysis Analyse(const LinearModel& model) {
  return AnalysedModel(model, model).Analyse({0, 0, "u0 -> y0"}, true, true);
}

/// A loop of 1 to 8 states: decaying and swinging modes, some lightly damped, some with an integrator or an
/// unstable mode, in random coordinates; half of them with a negative static gain, a fifth with a direct
/// path.
LinearModel RandomLoop(std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  std::normal_distribution<double> normal;
  const Index n = 1 + static_cast<Index>(8 * share(random));
  MatrixXd modal = MatrixXd::Zero(n, n);
  bool has_integrator = false;  // of two, one input reaches one combination only
  for (Index i = 0; i < n;) {
    const double omega = std::pow(10, 2 * share(random) - 1);
    if (i + 1 < n && share(random) < 0.6) {
      const double damping = share(random) < 0.3 ? 0.01 + 0.02 * share(random) : share(random);
      modal(i, i) = modal(i + 1, i + 1) = -damping * omega;
      modal(i, i + 1) = omega * std::sqrt(1 - damping * damping);
      modal(i + 1, i) = -modal(i, i + 1);
      i += 2;
    } else {
      const double kind = share(random);
      modal(i, i) = kind < 0.1 && !has_integrator ? 0 : kind < 0.2 ? omega : -omega;
      has_integrator = has_integrator || modal(i, i) == 0;
      ++i;
    }
  }
  const auto matrix = [&](Index rows, Index columns) {
    MatrixXd m(rows, columns);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) m(i, j) = normal(random);
    }
    return m;
  };
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(matrix(n, n)).householderQ();
  const double gain = std::pow(10, 2 * share(random) - 1);
  const double direct = share(random) < 0.2 ? 0.5 * normal(random) : 0;
  return MakeModel(Q * modal * Q.transpose(), gain * matrix(n, 1), matrix(1, n),
                   MatrixXd::Constant(1, 1, direct));
}

/// Unstable modes of the loop that is closed by u = -k y.
int UnstableModes(const LinearModel& model, Complex k) {
  const Complex closed = k / (1.0 + k * model.D(0, 0));
  const Eigen::MatrixXcd A = model.A.cast<Complex>() - closed * (model.B * model.C).cast<Complex>();
  const Eigen::VectorXcd values = Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(A, false).eigenvalues();
  return static_cast<int>((values.real().array() > 0).count());
}

constexpr int kLoops = 400;

// Between the gain 1 and the margin no mode of the closed loop changes its sign; beyond it one does.
TEST(MarginsTest, TheGainMarginIsWhereTheClosedLoopChanges) {
  std::mt19937_64 random(1);
  int margins = 0, at_zero = 0, without = 0;
  for (int k = 0; k < kLoops; ++k) {
    SCOPED_TRACE(k);
    const LinearModel model = RandomLoop(random);
    const StabilityMargins found = *Analyse(model).margins;
    const int unstable = UnstableModes(model, 1);
    const auto gain_at = [&](double share) { return std::pow(found.gain.value_or(1e3), share); };
    if (found.gain) {
      ++margins;
      at_zero += *found.gain_frequency == 0 ? 1 : 0;
      EXPECT_NE(UnstableModes(model, gain_at(1 + 1e-6)), unstable) << *found.gain;
    } else {
      ++without;
    }
    // The margin is the one nearest to 1, to both sides.
    for (int i = -40; i <= 40; ++i) {
      const double share = i / 40.0 * (1 - 1e-6);
      EXPECT_EQ(UnstableModes(model, gain_at(share)), unstable)
          << gain_at(share) << " of " << found.gain.value_or(0);
    }
  }
  EXPECT_GT(margins, kLoops / 2);
  EXPECT_GT(at_zero, kLoops / 20);
  EXPECT_GT(without, kLoops / 40);
}

// The same for a rotation of the loop by the phase margin.
TEST(MarginsTest, ThePhaseMarginIsTheRotationThatChangesTheClosedLoop) {
  std::mt19937_64 random(2);
  int margins = 0;
  for (int k = 0; k < kLoops; ++k) {
    SCOPED_TRACE(k);
    const LinearModel model = RandomLoop(random);
    const StabilityMargins found = *Analyse(model).margins;
    const auto rotated = [&](double degrees) { return std::polar(1.0, -degrees * std::numbers::pi / 180); };
    const int unstable = UnstableModes(model, 1);
    const double margin = found.phase ? std::abs(*found.phase) : 180;
    if (std::abs(model.D(0, 0)) > 0.99) continue;  // a rotation may make it -1
    if (found.phase && margin < 180 - 1e-3) {
      ++margins;
      EXPECT_NE(UnstableModes(model, rotated(*found.phase * (1 + 1e-6))), unstable) << *found.phase;
    }
    for (int i = -20; i <= 20; ++i) {
      EXPECT_EQ(UnstableModes(model, rotated(margin * i / 20.0 * (1 - 1e-6))), unstable)
          << i << ' ' << margin;
    }
  }
  EXPECT_GT(margins, kLoops / 2);
}

TEST(MarginsTest, ANegativeStaticGainLimitsTheLoop) {
  // x' = -x - 0.9 u: the loop is x' = (0.9 k - 1) x.
  const LinearModel model = MakeModel(MatrixXd::Constant(1, 1, -1), Eigen::VectorXd::Constant(1, -0.9),
                                      Eigen::RowVectorXd::Constant(1, 1), 0);
  const StabilityMargins margins = *Analyse(model).margins;
  ASSERT_TRUE(margins.gain);
  EXPECT_NEAR(*margins.gain, 1 / 0.9, 1e-14);
  EXPECT_EQ(*margins.gain_frequency, 0);
}

TEST(MarginsTest, ANegativeDirectPathLimitsTheLoopAtHighFrequencies) {
  // y = x - 0.5 u, x' = -x + u: G = 1/(s + 1) - 0.5; u = -k y has a solution up to k = 2.
  const LinearModel model = MakeModel(MatrixXd::Constant(1, 1, -1), Eigen::VectorXd::Constant(1, 1),
                                      Eigen::RowVectorXd::Constant(1, 1), -0.5);
  const StabilityMargins margins = *Analyse(model).margins;
  ASSERT_TRUE(margins.gain);
  EXPECT_NEAR(*margins.gain, 2, 1e-14);
  EXPECT_TRUE(std::isinf(*margins.gain_frequency));
}

TEST(MarginsTest, ACrossoverIsFoundFarFromAllModes) {
  // x' = a u, z' = 20 (x - z), y = z: |G| = 1 near a rad/s, with a phase of -90 deg - atan(a/20).
  for (const double a : {1e-8, 1e-4, 0.01, 1.0}) {
    MatrixXd A(2, 2);
    A << 0, 0, 20, -20;
    const StabilityMargins margins =
        *Analyse(MakeModel(A, Eigen::Vector2d(a, 0), Eigen::RowVector2d(0, 1), 0)).margins;
    ASSERT_TRUE(margins.phase) << a;
    const double omega = 2 * std::numbers::pi * *margins.phase_frequency;
    EXPECT_NEAR(omega * std::hypot(1, omega / 20) / a, 1, 1e-9);
    EXPECT_NEAR(*margins.phase, 90 - std::atan(omega / 20) * 180 / std::numbers::pi, 1e-9);
    EXPECT_FALSE(margins.gain);  // the phase stays above -180
  }
}

// m x'' = F - k x without damping, and a closed line: poles on the axis, and all gains are real.
TEST(MarginsTest, RoundingIsNoMargin) {
  MatrixXd A(4, 4);
  A << 0, 1, 0, 0, -30, 0, 10, 0, 0, 0, 0, 1, 10, 0, -10.1, 0;
  EXPECT_FALSE(
      Analyse(MakeModel(A, Eigen::Vector4d(0, 1, 0, 0), Eigen::RowVector4d(0, 0, 1, 0), 0)).margins->gain);
  const double T = 0.5e-3, Z = 4.6e8;  // pressure at the far end over the flow into the near end: Z/sinh(s T)
  LinearModel line;
  line.inputs = {{.name = "q"}};
  line.outputs = {{.name = "p"}};
  line.delays = {{"line.a.c", T}, {"line.b.c", T}};
  line.SetZero();
  line.D_wave(0, 1) = line.D_wave(1, 0) = 1;
  line.D_input(1, 0) = 2 * Z;
  line.D_delay(0, 1) = 1;
  const StabilityMargins margins =
      *AnalysedModel(line, CloseDelays(line, 4)).Analyse({0, 0, ""}, false, true).margins;
  EXPECT_FALSE(margins.gain) << *margins.gain;
}

// The force on a mass that hangs between springs and dampers does not move it for good.
TEST(MarginsTest, AStaticGainOfRoundingIsZero) {
  constexpr Index kMasses = 7;
  MatrixXd A = MatrixXd::Zero(2 * kMasses, 2 * kMasses);
  for (Index i = 0; i < kMasses; ++i) {
    A(2 * i, 2 * i + 1) = 1;
    for (const Index j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= kMasses) continue;
      A(2 * i + 1, 2 * j) = (j == i ? -2 : 1) * 1234.5 / 0.7;
      A(2 * i + 1, 2 * j + 1) = (j == i ? -2 : 1) * 3.21 / 0.7;
    }
  }
  MatrixXd B = MatrixXd::Zero(2 * kMasses, 1), C = MatrixXd::Identity(2 * kMasses, 2 * kMasses);
  B(1, 0) = 1 / 0.7;
  const LinearModel model = MakeModel(A, B, C, MatrixXd::Zero(2 * kMasses, 1));
  const MatrixXd gains = StaticGains(model, ComputeModes(A));
  for (Index i = 0; i < kMasses; ++i) {
    EXPECT_EQ(gains(2 * i + 1, 0), 0) << i;  // a speed
    EXPECT_NEAR(gains(2 * i, 0) * 1234.5, static_cast<double>(kMasses - i) / static_cast<double>(kMasses + 1),
                1e-12)
        << i;  // a place
  }
  // Seen by the speed beside an integrator of the place: 0, as well.
  MatrixXd with = MatrixXd::Zero(2 * kMasses + 1, 2 * kMasses + 1);
  with.topLeftCorner(2 * kMasses, 2 * kMasses) = A;
  with(2 * kMasses, 0) = 1;
  MatrixXd b = MatrixXd::Zero(2 * kMasses + 1, 1);
  b(1, 0) = 1 / 0.7;
  const MatrixXd beside = StaticGains(MakeModel(with, b, MatrixXd::Identity(2 * kMasses + 1, 2 * kMasses + 1),
                                                MatrixXd::Zero(2 * kMasses + 1, 1)),
                                      ComputeModes(with));
  EXPECT_EQ(beside(1, 0), 0);
  EXPECT_TRUE(std::isinf(beside(2 * kMasses, 0)));
}

// The reduced form has the gains of the model, whatever comes first: pivots are exchanged and not.
TEST(ReducedModelTest, HasTheGainsOfTheModel) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 200; ++k) {
    const LinearModel model = RandomLoop(random);
    const ReducedModel reduced(model);
    for (const double f : {1e-3, 0.02, 0.3, 1.7, 40.0}) {
      const Complex s(0, 2 * std::numbers::pi * f);
      const double rounding = reduced.RoundingAt(0, 0, s);
      EXPECT_LE(std::abs(reduced.GainAt(0, 0, s) - TransferAt(model, s)(0, 0)), rounding) << k << ' ' << f;
      EXPECT_LT(rounding, 1e-9 * (1 + model.B.norm())) << k << ' ' << f;
    }
  }
}

// A mode of damping 0.035: neighbours on the circle are not further apart than 3 degrees seen from its
// middle.
TEST(NyquistTest, ACurveIsSmooth) {
  const double omega = 40, zeta = 0.035;
  MatrixXd A(2, 2);
  A << 0, 1, -omega * omega, -2 * zeta * omega;
  const LinearModel model = MakeModel(A, Eigen::Vector2d(0, 1), Eigen::RowVector2d(1, 0), 0);
  const std::vector<Complex> curve =
      NyquistCurve(ReducedModel(model), 0, 0, LogarithmicSpace({1e-4, 1e4}, 600));
  // |G| at most 1/(2 zeta omega^2); the circle through 0 has half of it as its radius.
  const double largest = 1 / (2 * zeta * omega * omega);
  double turn = 0;
  for (std::size_t i = 2; i < curve.size(); ++i) {
    const Complex a = curve[i - 1] - curve[i - 2], b = curve[i] - curve[i - 1];
    if (std::abs(curve[i]) < 0.05 * largest || std::abs(a) == 0 || std::abs(b) == 0) continue;
    turn = std::max(turn, std::abs(std::arg(b / a)));
  }
  EXPECT_LT(turn * 180 / std::numbers::pi, 6);
  EXPECT_LT(curve.size(), 3000U);
}

// Zeros of G and its margins as python-control finds them, for 200 random loops.
TEST(MarginsTest, AgreeWithPythonControl) {
  const char* const folder = std::getenv("DAVIT_PYTHON_CONTROL");
  if (folder == nullptr) GTEST_SKIP() << "DAVIT_PYTHON_CONTROL does not name the folder of python-control";
  if (std::system("/usr/bin/python3 -c 'import numpy, scipy' 2>/dev/null") != 0)
    GTEST_SKIP() << "no scipy for /usr/bin/python3";
  const std::filesystem::path input =
      std::filesystem::path(testing::TempDir()) / "margins_python_control.txt";
  const std::filesystem::path script = input.parent_path() / "margins_python_control.py";
  constexpr int kCount = 200;
  std::mt19937_64 random(4);
  std::vector<LinearModel> models;
  {
    std::ofstream file(input);
    file.precision(17);
    for (int k = 0; k < kCount; ++k) {
      models.push_back(RandomLoop(random));
      const LinearModel& m = models.back();
      file << m.A.rows() << '\n' << m.A << '\n' << m.B << '\n' << m.C << '\n' << m.D << '\n';
    }
    std::ofstream(script) << R"(import sys, warnings
import numpy as np
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import control
numbers = iter(open(sys.argv[2]).read().split())
take = lambda *shape: np.array([float(next(numbers)) for _ in range(int(np.prod(shape)))]).reshape(shape)
for word in numbers:
    n = int(word)
    loop = control.StateSpace(take(n, n), take(n, 1), take(1, n), take(1, 1))
    # Numerically exact crossovers of the state space form, not of polynomials.
    gains, phases, _, at_gain, at_phase, _ = control.stability_margins(loop, returnall=True)
    zeros = loop.zeros()
    print("gain", *gains)
    print("phase", *phases)
    print("zeros", *[x for z in zeros for x in (z.real, z.imag)])
)";
  }
  const std::string command =
      fmt::format("/usr/bin/python3 '{}' '{}' '{}'", script.string(), folder, input.string());
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ASSERT_EQ(pclose(pipe), 0) << text;
  std::istringstream lines(text);
  const auto read = [&] {
    std::string line, word;
    std::getline(lines, line);
    std::istringstream words(line);
    words >> word;
    std::vector<double> numbers;
    while (words >> word) numbers.push_back(std::strtod(word.c_str(), nullptr));
    return numbers;
  };
  for (int k = 0; k < kCount; ++k) {
    SCOPED_TRACE(k);
    const PairAnalysis ours = Analyse(models[static_cast<std::size_t>(k)]);
    std::optional<double> gain, phase;
    for (const double g : read()) {
      if (g > 0 && std::isfinite(g) && (!gain || std::abs(std::log(g)) < std::abs(std::log(*gain)))) gain = g;
    }
    for (const double p : read()) {
      if (std::isfinite(p) && (!phase || std::abs(p) < std::abs(*phase))) phase = p;
    }
    const std::vector<double> zeros = read();
    // Direct paths are no crossing there.
    if (ours.margins->gain_frequency && std::isfinite(*ours.margins->gain_frequency)) {
      ASSERT_TRUE(gain);
      EXPECT_NEAR(std::log(*ours.margins->gain / *gain), 0, 1e-4);
    }
    EXPECT_EQ(ours.margins->phase.has_value(), phase.has_value());
    EXPECT_NEAR(ours.margins->phase.value_or(0), phase.value_or(0), 1e-3);
    // Zeros at infinity are large numbers there.
    constexpr double kInfinite = 1e6;
    std::vector<Complex> theirs, finite;
    for (std::size_t i = 0; i < zeros.size(); i += 2) {
      if (std::hypot(zeros[i], zeros[i + 1]) < kInfinite) theirs.emplace_back(zeros[i], zeros[i + 1]);
    }
    for (const Complex& zero : *ours.zeros) {
      if (std::abs(zero) < kInfinite) finite.push_back(zero);
    }
    ASSERT_EQ(finite.size(), theirs.size());
    for (const Complex& zero : theirs) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Complex& other : finite) nearest = std::min(nearest, std::abs(other - zero));
      EXPECT_LT(nearest, 1e-5 * (1 + std::abs(zero))) << zero;
    }
  }
  std::filesystem::remove(input);
  std::filesystem::remove(script);
}

}  // namespace
}  // namespace davit
