#include "analysis/frequency/frequency_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "analysis/frequency/excited_system.h"
#include "analysis/linear/linearize.h"
#include "components/register.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class FrequencyRunTest : public testing::Test {
 protected:
  ~FrequencyRunTest() override { std::filesystem::remove(file_); }

  FrequencyOptions Options(const std::string& text) const {
    std::ofstream(file_) << text;
    FrequencyOptions options{.system = file_};
    return options;
  }
  std::vector<FrequencyPoint> Measure(const FrequencyOptions& options) {
    Diagnostics diagnostics;
    const auto points = MeasureFrequencies(options, registry_, diagnostics).points;
    for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
    return points;
  }

  Registry registry_ = AllModels();
  std::filesystem::path file_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("frequency_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".xml");
};

std::complex<double> LaplaceAt(double frequency) { return {0, 2 * std::numbers::pi * frequency}; }

TEST(ExcitedSystemTest, TakesTheRouteOutAndPutsSourcesIn) {
  const std::string text =
      "<System name='s'><SimulatorManager TimeStep='1 ms'/><signal.LowPass name='lag'/>"
      "<signal.Constant name='one'/><Route from='one.y' to='lag.u'/><Route from='one.y' "
      "to='other.u'/></System>";
  const Excitation excitation{.input = "lag.u", .offset = 2, .start = 0.5, .sines = {{3, 4, 0}, {5, 8, 1}}};
  const SystemDescription system(ParseXml(text).document);
  const std::string excited = MakeExcitedSystem(system, excitation)->ToXml();
  EXPECT_THAT(excited, Not(HasSubstr("from=\"one.y\" to=\"lag.u\"")));
  EXPECT_THAT(excited, HasSubstr("from=\"one.y\" to=\"other.u\""));
  EXPECT_THAT(excited, HasSubstr("from=\"davit_excitation_2.y\" to=\"davit_excitation.u\""));
  EXPECT_THAT(excited, HasSubstr("from=\"davit_excitation.y\" to=\"lag.u\""));
  EXPECT_THAT(system.ToXml(), HasSubstr("from=\"one.y\" to=\"lag.u\""));  // it is another system
}

TEST_F(FrequencyRunTest, ALagHasItsTransferFunction) {
  // The route is cut; the constant has no influence.
  FrequencyOptions options = Options(SystemText("TimeStep='10 ms' StopTime='1 s'", "rtol='1e-8' atol='1e-10'",
                                                "<signal.Constant name='one' value='1'/>"
                                                "<signal.LowPass name='lag' time_constant='0.1 s'/>"
                                                "<Route from='one.y' to='lag.u'/>"));
  options.input = "lag.u";
  options.outputs = {"lag.y"};
  options.from = 0.2;
  options.to = 20;
  options.points = 5;
  options.amplitude = 3;
  const auto steps = Measure(options);
  ASSERT_THAT(steps, SizeIs(5));
  for (const FrequencyPoint& point : steps) {
    const std::complex<double> exact = 1.0 / (1.0 + 0.1 * LaplaceAt(point.frequency));
    EXPECT_LT(std::abs(point.gain[0] / exact - 1.0), 2e-4) << point.frequency;
    EXPECT_NEAR(std::abs(point.u), 3, 1e-9);
    EXPECT_NEAR(point.coherence[0], 1, 1e-6);
    EXPECT_LT(point.distortion[0], 1e-4);
    EXPECT_TRUE(point.is_settled);
  }
  options.is_multisine = true;
  for (const FrequencyPoint& point : Measure(options)) {
    const std::complex<double> exact = 1.0 / (1.0 + 0.1 * LaplaceAt(point.frequency));
    EXPECT_LT(std::abs(point.gain[0] / exact - 1.0), 1e-3) << point.frequency;
  }
}

/// Linear laws at all periods of 8 to 100 TimeSteps, whatever their factors: within 1e-5 at a
/// tolerance of the solver of 1e-9 and a settled share of 1e-6.
class PeriodTest : public FrequencyRunTest {
 protected:
  static constexpr double kStep = 10e-3;
  static std::string Text(const std::string& content) {
    return SystemText("TimeStep='10 ms' StopTime='1 s'", "rtol='1e-9' atol='1e-12'", content);
  }
  FrequencyOptions LinearOptions(const std::string& content, std::string input,
                                 std::vector<std::string> outputs) const {
    FrequencyOptions options = Options(Text(content));
    options.input = std::move(input);
    options.outputs = std::move(outputs);
    options.points = 1;
    options.amplitude = 1;
    options.settled = 1e-6;
    return options;
  }
  using Law = std::function<std::vector<std::complex<double>>(std::complex<double>)>;
  void ExpectLaw(FrequencyOptions options, const Law& law) {
    for (int steps = 8; steps <= 100; ++steps) {
      options.from = options.to = 1 / (steps * kStep);
      const auto points = Measure(options);
      ASSERT_THAT(points, SizeIs(1));
      const auto exact = law(LaplaceAt(points[0].frequency));
      for (std::size_t i = 0; i < exact.size(); ++i)
        EXPECT_LT(std::abs(points[0].gain[i] / exact[i] - 1.0), 1e-5) << steps << ' ' << options.outputs[i];
      EXPECT_TRUE(points[0].is_settled) << steps;
    }
  }
};

const char* const kDampedMass =
    "<mechanical.Fixed name='wall'/><mechanical.Spring name='spring' stiffness='400 N/m'/>"
    "<mechanical.Damper name='damper' coefficient='60 N.s/m'/><mechanical.Mass name='load' mass='10 kg'/>"
    "<Connect from='wall.port' to='spring.a'/><Connect from='wall.port' to='damper.a'/>"
    "<Connect from='spring.b' to='load.a'/><Connect from='damper.b' to='load.a'/>";

std::complex<double> DampedMassAt(std::complex<double> s) { return -1.0 / (10.0 * s * s + 60.0 * s + 400.0); }

// The staircase that a parameter follows has a first harmonic, too.
TEST_F(PeriodTest, AParameterHasTheResponseOfItsFirstHarmonic) {
  ExpectLaw(LinearOptions(kDampedMass, "load.weight", {"load.x", "load.v", "load.acceleration"}),
            [](std::complex<double> s) {
              const std::complex<double> x = DampedMassAt(s);
              return std::vector{x, s * x, s * s * x};
            });
}

TEST_F(PeriodTest, AnInputFollowsTheSineInsideTheSteps) {
  FrequencyOptions options = LinearOptions(
      std::string(kDampedMass) + "<mechanical.Force name='push'/><Connect from='push.port' to='load.b'/>",
      "push.force", {"load.x", "load.acceleration"});
  ExpectLaw(options, [](std::complex<double> s) {
    return std::vector{DampedMassAt(s), s * s * DampedMassAt(s)};
  });
}

// (1 - exp(-s h))/(s h): what a hold makes of a sine.
TEST_F(PeriodTest, AHeldSignalHasTheLawOfTheHold) {
  ExpectLaw(LinearOptions("<signal.LowPass name='first' time_constant='0.05 s'/>"
                          "<signal.LowPass name='second' time_constant='0.02 s'/>"
                          "<Route from='first.y' to='second.u' hold='step'/>",
                          "first.u", {"second.u", "second.y"}),
            [](std::complex<double> s) {
              const std::complex<double> held = (1.0 - std::exp(-s * kStep)) / (s * kStep) / (1.0 + 0.05 * s);
              return std::vector{held, held / (1.0 + 0.02 * s)};
            });
}

TEST_F(PeriodTest, AMultisineHasTheSameLaw) {
  FrequencyOptions options = LinearOptions(kDampedMass, "load.weight", {"load.x", "load.v"});
  options.is_multisine = true;
  options.from = 0.31;
  options.to = 11;
  options.points = 12;
  const auto points = Measure(options);
  EXPECT_GT(points.size(), 9U);
  for (const FrequencyPoint& point : points) {
    const std::complex<double> s = LaplaceAt(point.frequency), exact = DampedMassAt(s);
    EXPECT_LT(std::abs(point.gain[0] / exact - 1.0), 1e-5) << point.frequency;
    EXPECT_LT(std::abs(point.gain[1] / (s * exact) - 1.0), 1e-5) << point.frequency;
    EXPECT_TRUE(point.is_settled);
  }
}

// A mode that fades slowly, by 1.5 % in a period, is waited for.
TEST_F(PeriodTest, ASlowModeIsWaitedFor) {
  FrequencyOptions options = LinearOptions(
      "<mechanical.Fixed name='wall'/><mechanical.Spring name='spring' stiffness='400 N/m'/>"
      "<mechanical.Damper name='damper' coefficient='3 N.s/m'/><mechanical.Mass name='load' mass='10 kg'/>"
      "<Connect from='wall.port' to='spring.a'/><Connect from='wall.port' to='damper.a'/>"
      "<Connect from='spring.b' to='load.a'/><Connect from='damper.b' to='load.a'/>",
      "load.weight", {"load.x"});
  options.from = options.to = 10;
  options.settled = 1e-4;
  const auto points = Measure(options);
  ASSERT_THAT(points, SizeIs(1));
  const std::complex<double> s = LaplaceAt(points[0].frequency);
  EXPECT_LT(std::abs(points[0].gain[0] * (10.0 * s * s + 3.0 * s + 400.0) + 1.0), 1e-4);
  EXPECT_TRUE(points[0].is_settled);
}

TEST_F(FrequencyRunTest, ASquareMakesTheSecondHarmonic) {
  // y = u + e u^2 with u = a sin: a second harmonic of e a^2/2.
  FrequencyOptions options =
      Options(SystemText("TimeStep='10 ms' StopTime='1 s'", "",
                         "<user.Equation name='law'><Input name='u' unit='1'/><State name='x' der='-x'/>"
                         "<Output name='y' unit='1' expr='u + 0.1*u*u'/></user.Equation>"));
  options.input = "law.u";
  options.outputs = {"law.y"};
  options.from = options.to = 1;
  options.points = 1;
  options.amplitude = 0.8;
  const auto points = Measure(options);
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_LT(std::abs(points[0].gain[0] - 1.0), 1e-6);
  EXPECT_NEAR(points[0].distortion[0], 0.1 * 0.8 / 2, 1e-6);
}

TEST_F(FrequencyRunTest, AgreesWithTheLinearModelAtASmallAmplitude) {
  // Oil through a turbulent orifice out of a volume that a source fills.
  const std::string text =
      SystemText("TimeStep='1 ms' StopTime='10 s'", "rtol='1e-8' atol='1e-10'",
                 "<hydraulic.FlowSource name='source' flow='20 l/min'/><hydraulic.Tank name='tank'/>"
                 "<hydraulic.Volume name='volume' volume='1 l' bulk_modulus='1.6e9 Pa'><Start p='40 "
                 "bar'/></hydraulic.Volume>"
                 "<hydraulic.Orifice name='out' area='5 mm2'/>"
                 "<Connect from='source.port' to='volume.port'/><Connect from='volume.port' to='out.a'/>"
                 "<Connect from='out.b' to='tank.port'/><Record signals='volume.p'/>");
  FrequencyOptions options = Options(text);
  options.simulation.is_steady = true;
  options.input = "source.flow";
  options.outputs = {"volume.p"};
  options.from = 1;
  options.to = 50;
  options.points = 4;
  options.amplitude = 1e-6;
  TestSystem system(text);
  system.manager().set_steady(true);
  system.simulation().Initialize();
  Diagnostics diagnostics;
  const LinearModel model =
      Linearize(system.system(), FindLinearEnds(system.system(), {"source.flow"}, {}, diagnostics)).model;
  const auto points = Measure(options);
  ASSERT_THAT(points, SizeIs(4));
  for (const FrequencyPoint& point : points) {
    const std::complex<double> linear = TransferAt(model, LaplaceAt(point.frequency))(0, 0);
    EXPECT_LT(std::abs(point.gain[0] / linear - 1.0), 0.01) << point.frequency;
  }
}

TEST_F(FrequencyRunTest, ALineHasItsHyperbolicForm) {
  // Delay of 20 steps, with a resistance R = Z/2 at its end: p_b/q_a = R/(cosh(sT) + R/Z sinh(sT)).
  const double T = 20e-3, Z = 861.8 * 1362.5586 / 1.8857409903172733e-3;
  FrequencyOptions options = Options(SystemText(
      "TimeStep='1 ms' StopTime='10 s'", "",
      fmt::format(
          "<hydraulic.FlowSource name='source'/>"
          "<hydraulic.Line name='line' inner_diameter='49 mm' length='{} m' bulk_modulus='1.6e9 Pa' "
          "density='861.8 "
          "kg/m3' friction='none'><Start p='0 bar'/></hydraulic.Line>"
          "<user.Equation name='end'><Port name='in' domain='hydraulic' role='Q' q='-in.c/({} + in.Zc)'/>"
          "<Output name='p' unit='Pa' expr='in.p'/></user.Equation>"
          "<Connect from='source.port' to='line.a'/><Connect from='line.b' to='end.in'/>",
          T * std::sqrt(1.6e9 / 861.8), 0.5 * Z)));
  options.input = "source.flow";
  options.outputs = {"end.p"};
  options.from = 1;
  options.to = 60;
  options.points = 6;
  options.amplitude = 1e-5;
  for (const FrequencyPoint& point : Measure(options)) {
    const std::complex<double> x = LaplaceAt(point.frequency) * T;
    const std::complex<double> exact = 0.5 * Z / (std::cosh(x) + 0.5 * std::sinh(x));
    EXPECT_LT(std::abs(point.gain[0] / exact - 1.0), 1e-3) << point.frequency;
  }
}

TEST_F(FrequencyRunTest, AllThatIsWrongIsToldTogether) {
  FrequencyOptions options =
      Options(SystemText("TimeStep='10 ms' StopTime='1 s'", "", "<signal.LowPass name='lag'/>"));
  options.input = "lag.v";
  options.outputs = {"lag.z"};
  options.from = -1;
  options.to = 1;
  Diagnostics diagnostics;
  EXPECT_TRUE(MeasureFrequencies(options, registry_, diagnostics).points.empty());
  EXPECT_THAT(diagnostics.all(), SizeIs(4));
}

}  // namespace
}  // namespace davit
