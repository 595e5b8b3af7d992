#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulator/islands/island.h"
#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string DaeSystem(const std::string& manager, const std::string& integration,
                      const std::string& content) {
  return "<System name=\"test\"><SimulatorManager " + manager + "><Integration solver=\"DAE\" " +
         integration + "/></SimulatorManager>" + content + "</System>";
}

constexpr const char* kTight = "rtol=\"1e-9\" atol=\"1e-9\"";

// ---- orifices in series: closed forms -----------------------------------------------------------------

/// Orifices, attributes each, between a source of `pressure` and a tank; junctions between.
std::string Series(double pressure, const std::vector<std::string>& orifices) {
  std::string text = "<hydraulic.PressureSource name=\"source\" pressure=\"" + ToXml(pressure) +
                     "\"/><hydraulic.Tank name=\"tank\"/>";
  std::string before = "source.port";
  for (std::size_t i = 0; i < orifices.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "<hydraulic.Orifice name=\"o" + n + "\" " + orifices[i] + "/><Connect from=\"" + before +
            "\" to=\"o" + n + ".a\"/>";
    if (i + 1 == orifices.size()) break;
    text +=
        "<hydraulic.Junction name=\"j" + n + "\"/><Connect from=\"o" + n + ".b\" to=\"j" + n + ".port\"/>";
    before = "j" + n + ".port";
  }
  return text + "<Connect from=\"o" + std::to_string(orifices.size() - 1) + ".b\" to=\"tank.port\"/>";
}

TEST(DaeIslandTest, EqualOrificesInSeriesShareThePressure) {
  const double K = 0.611 * 1e-5 * std::sqrt(2 / 861.8);
  const auto orf = [&](double dp) { return K * dp / std::pow(dp * dp + 1e8, 0.25); };
  for (const std::size_t count : {2U, 3U, 10U, 50U}) {
    for (const double pressure : {0.0, 1.0, 1e4, 1e6, 2.5e7, -3e6}) {
      TestSystem test(DaeSystem("TimeStep=\"0.1\" StopTime=\"0.2\"", kTight,
                                Series(pressure, std::vector<std::string>(count, "area=\"1e-5\""))));
      test.Run();
      const double q = orf(pressure / static_cast<double>(count));
      // At zero flow 1e-9 of what passes at 1 Pa.
      EXPECT_NEAR(test.Read("o0.q"), q, 1e-9 * std::abs(q) + 1e-9 * orf(1)) << count << ' ' << pressure;
      EXPECT_NEAR(test.Read("o1.q"), q, 1e-9 * std::abs(q) + 1e-9 * orf(1)) << count << ' ' << pressure;
    }
  }
}

TEST(DaeIslandTest, LossesOfUnequalOrificesAdd) {
  // dp = a q + b q|q| for each, so a = sum a_i, b = sum b_i for all.
  const std::vector<double> areas = {1e-5, 2e-5, 0.5e-5, 3e-5};
  std::vector<std::string> orifices;
  double a = 0;
  double b = 0;
  for (const double A : areas) {
    orifices.push_back("law=\"laminar_turbulent\" area=\"" + ToXml(A) + "\"");
    const double K = 0.611 * A * std::sqrt(2 / 861.8);
    const double D = std::sqrt(4 * A / M_PI);
    a += 32 * M_PI * D * 32e-6 * 861.8 / (8 * A * A);
    b += 1 / (K * K);
  }
  for (const double pressure : {0.0, 1e3, 1e6, 2.5e7}) {
    TestSystem test(DaeSystem("TimeStep=\"0.1\" StopTime=\"0.2\"", kTight, Series(pressure, orifices)));
    test.Run();
    const double q = 2 * pressure / (a + std::sqrt(a * a + 4 * b * pressure));
    EXPECT_NEAR(test.Read("o0.q"), q, 1e-9 * q + 1e-9 / a) << pressure;
    EXPECT_NEAR(test.Read("o3.q"), q, 1e-9 * q + 1e-9 / a) << pressure;
  }
}

// ---- mixed islands ----------------------------------------------------------------------------------------

TEST(DaeIslandTest, AMixedIslandIsTheSameAsPureOde) {
  // A volume empties through two equal restrictions in series; as one restriction: a and b doubled, which is
  // an area smaller by sqrt(2) and K1 larger by 2^(1/4).
  const std::string volume =
      "<hydraulic.Volume name=\"v\" volume=\"1 l\"><Start p=\"200 bar\"/></hydraulic.Volume>"
      "<hydraulic.Tank name=\"tank\"/>";
  const std::string law = " law=\"laminar_turbulent\" area=\"" + ToXml(1e-6);
  TestSystem mixed(
      DaeSystem("TimeStep=\"0.01\" StopTime=\"0.5\"", "rtol=\"1e-10\" atol=\"1e-10\"",
                volume + "<hydraulic.Orifice name=\"o1\"" + law +
                    "\"/><hydraulic.Junction name=\"j\"/><hydraulic.Orifice name=\"o2\"" + law +
                    "\"/><Connect from=\"v.port\" to=\"o1.a\"/><Connect from=\"o1.b\" to=\"j.port\"/>"
                    "<Connect from=\"j.port\" to=\"o2.a\"/><Connect from=\"o2.b\" to=\"tank.port\"/><Record "
                    "signals=\"v.p\"/>"));
  TestSystem pure(SystemText(
      "TimeStep=\"0.01\" StopTime=\"0.5\"", "method=\"runge_kutta_fehlberg78\" rtol=\"1e-11\" atol=\"1e-11\"",
      volume + "<hydraulic.Orifice name=\"o\" law=\"laminar_turbulent\" area=\"" +
          ToXml(1e-6 / std::sqrt(2)) + "\" laminar_coefficient=\"" + ToXml(32 * std::pow(2, 0.25)) +
          "\"/><Connect from=\"v.port\" to=\"o.a\"/><Connect from=\"o.b\" to=\"tank.port\"/><Record "
          "signals=\"v.p\"/>"));
  const auto a = mixed.RunAndRecord();
  const auto b = pure.RunAndRecord();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].values[0], b[i].values[0], 1e-7 * 200e5) << a[i].t;
  }
  EXPECT_LT(a.back().values[0], 150e5);
}

TEST(DaeIslandTest, TwoMassesOnALinkMoveAsOne) {
  // A spring k on m1 + m2: x = cos(w t), and the link bears m2 x''.
  TestSystem test(
      DaeSystem("TimeStep=\"0.1\" StopTime=\"5\"", kTight,
                "<mechanical.Fixed name=\"wall\"/><mechanical.Spring name=\"spring\" stiffness=\"12\"/>"
                "<mechanical.Mass name=\"m1\" mass=\"1\"><Start "
                "x=\"1\"/></mechanical.Mass><mechanical.RigidLink name=\"link\"/>"
                "<mechanical.Mass name=\"m2\" mass=\"2\"><Start x=\"1\"/></mechanical.Mass>"
                "<Connect from=\"wall.port\" to=\"spring.a\"/><Connect from=\"spring.b\" to=\"m1.a\"/>"
                "<Connect from=\"m1.b\" to=\"link.a\"/><Connect from=\"link.b\" to=\"m2.a\"/>"
                "<Record signals=\"m1.x m2.x link.force\"/>"));
  for (const TestRow& row : test.RunAndRecord()) {
    EXPECT_NEAR(row.values[0], std::cos(2 * row.t), 1e-6) << row.t;
    EXPECT_NEAR(row.values[1], std::cos(2 * row.t), 1e-6) << row.t;
    EXPECT_NEAR(row.values[2], -8 * std::cos(2 * row.t), 1e-5) << row.t;
  }
}

TEST(DaeIslandTest, SeveralIslandsWithRoutedSignalsAndLines) {
  // Two DAE islands, joined by a line only; at rest all pressures follow from the equal orifices.
  TestSystem test(
      DaeSystem("TimeStep=\"1 ms\" StopTime=\"4\"", "rtol=\"1e-8\" atol=\"1e-8\"",
                "<signal.Constant name=\"p\" value=\"4e6\"/><hydraulic.PressureSource name=\"source\"/>"
                "<hydraulic.Orifice name=\"o1\" area=\"1e-5\"/><hydraulic.Junction "
                "name=\"j1\"/><hydraulic.Orifice name=\"o2\" area=\"1e-5\"/>"
                "<hydraulic.Line name=\"line\"/>"
                "<hydraulic.Orifice name=\"o3\" area=\"1e-5\"/><hydraulic.Junction "
                "name=\"j2\"/><hydraulic.Orifice name=\"o4\" area=\"1e-5\"/>"
                "<hydraulic.Tank name=\"tank\"/><signal.Gain name=\"gain\" gain=\"2\"/>"
                "<Route from=\"p.y\" to=\"source.pressure\"/><Route from=\"j2.p\" to=\"gain.u\"/>"
                "<Connect from=\"source.port\" to=\"o1.a\"/><Connect from=\"o1.b\" to=\"j1.port\"/>"
                "<Connect from=\"j1.port\" to=\"o2.a\"/><Connect from=\"o2.b\" to=\"line.a\"/>"
                "<Connect from=\"line.b\" to=\"o3.a\"/><Connect from=\"o3.b\" to=\"j2.port\"/>"
                "<Connect from=\"j2.port\" to=\"o4.a\"/><Connect from=\"o4.b\" to=\"tank.port\"/>"));
  test.Run();
  EXPECT_EQ(test.manager().statistics().islands, 2U);
  EXPECT_NEAR(test.Read("j1.p"), 3e6, 1e3);
  EXPECT_NEAR(test.Read("j2.p"), 1e6, 1e3);
  EXPECT_EQ(test.Read("gain.y"), 2 * test.Read("j2.p"));
}

TEST(DaeIslandTest, ALoopIsSolvedOnceOneMemberIsAlgebraic) {
  const auto loop = [](const std::string& solver) {
    return DaeSystem("TimeStep=\"0.1\" StopTime=\"1\"", kTight,
                     "<signal.Sine name=\"u\"/><signal.Sum name=\"sum\" signs=\"+-\" " + solver +
                         "/><signal.Gain name=\"gain\" gain=\"3\"/><Route from=\"u.y\" to=\"sum.u\"/>"
                         "<Route from=\"gain.y\" to=\"sum.u\"/><Route from=\"sum.y\" to=\"gain.u\"/>"
                         "<Record signals=\"sum.y gain.y\"/>");
  };
  EXPECT_THAT(FaultsOf(loop("")),
              ElementsAre(AllOf(HasSubstr("algebraic loop"), HasSubstr("sum.y -> gain.y -> sum.y"))));
  TestSystem test(loop("solver=\"Algebraic\""));
  for (const TestRow& row : test.RunAndRecord()) {
    EXPECT_NEAR(row.values[0], std::sin(row.t) / 4, 1e-8) << row.t;
    EXPECT_NEAR(row.values[1], 3 * std::sin(row.t) / 4, 1e-8) << row.t;
  }
}

TEST(DaeIslandTest, ALoopThroughPortsIsSolved) {
  // A pipe without volume between two orifices: its pressure is an unknown then.
  const auto text = [](const std::string& solver) {
    return DaeSystem(
        "TimeStep=\"0.1\" StopTime=\"0.2\"", kTight,
        "<hydraulic.PressureSource name=\"source\" pressure=\"4e6\"/><test.PassThrough name=\"pipe\" " +
            solver +
            "/><hydraulic.Orifice name=\"o1\"/><hydraulic.Junction name=\"j\"/><hydraulic.Orifice "
            "name=\"o2\"/><hydraulic.Tank name=\"tank\"/>"
            "<Connect from=\"source.port\" to=\"o1.a\"/><Connect from=\"o1.b\" to=\"j.port\"/>"
            "<Connect from=\"j.port\" to=\"pipe.a\"/><Connect from=\"pipe.b\" to=\"o2.a\"/>"
            "<Connect from=\"o2.b\" to=\"tank.port\"/>");
  };
  for (const char* solver : {"", "solver=\"Algebraic\""}) {
    TestSystem test(text(solver));
    test.Run();
    EXPECT_NEAR(test.Read("j.p"), 2e6, 1e-2);
    EXPECT_NEAR(test.Read("o1.q"), test.Read("o2.q"), 1e-12);
  }
}

TEST(DaeIslandTest, OverrideReinitialisesItsIslandOnly) {
  const std::string half =
      "<hydraulic.Volume name=\"v?\"><Start p=\"1e7\"/></hydraulic.Volume><hydraulic.Orifice name=\"a?\" "
      "area=\"1e-7\"/>"
      "<hydraulic.Junction name=\"j?\"/><hydraulic.Orifice name=\"b?\" area=\"1e-7\"/>"
      "<Connect from=\"v?.port\" to=\"a?.a\"/><Connect from=\"a?.b\" to=\"j?.port\"/>"
      "<Connect from=\"j?.port\" to=\"b?.a\"/><Connect from=\"b?.b\" to=\"tank.port\"/>";
  const auto text = [&](const std::string& more) {
    std::string both;
    for (const char n : {'1', '2'}) {
      for (const char c : half) both += c == '?' ? n : c;
    }
    return DaeSystem("TimeStep=\"0.01\" StopTime=\"1\"", kTight,
                     "<hydraulic.Tank name=\"tank\"/>" + both + more);
  };
  TestSystem plain(text(""));
  TestSystem overridden(text("<At time=\"0.5\" set=\"v1.pressure\" value=\"2e7\"/>"));
  plain.Run();
  overridden.Run();
  EXPECT_GT(overridden.Read("v1.p"), 1.2e7);
  EXPECT_NEAR(overridden.Read("j1.p"), overridden.Read("v1.p") / 2, 1);
  // Both stop at the time of the command, so only rounding of the solver differs.
  EXPECT_NEAR(overridden.Read("v2.p"), plain.Read("v2.p"), 1e-7 * 1e7);
}

TEST(DaeIslandTest, RunsRepeatBitForBit) {
  TestSystem test(DaeSystem("TimeStep=\"0.01\" StopTime=\"1\"", kTight,
                            "<mechanical.SliderCrank name=\"c\"/><Record signals=\"c.*\"/>"));
  const auto first = test.RunAndRecord();
  EXPECT_EQ(first, test.RunAndRecord());
}

// ---- many unknowns ----------------------------------------------------------------------------------------

std::string Chain(int links) {
  std::string text;
  for (int i = 0; i < links; ++i) {
    const std::string n = std::to_string(i);
    text += "<test.ChainLink name=\"c" + n + "\"/>";
    if (i == 0) continue;
    const std::string before = std::to_string(i - 1);
    text += "<Route from=\"c" + before + ".z\" to=\"c" + n + ".left\"/><Route from=\"c" + n + ".y\" to=\"c" +
            before + ".right\"/>";
  }
  return text;
}

TEST(DaeIslandTest, AChainOfAThousandUnknownsIsSparse) {
  std::vector<double> per_step;
  for (const int links : {50, 500}) {
    TestSystem test(
        DaeSystem("TimeStep=\"0.1\" StopTime=\"10\"", "rtol=\"1e-6\" atol=\"1e-6\"", Chain(links)));
    test.Run();
    const RunStatistics s = test.manager().statistics();
    EXPECT_EQ(s.states, 2 * static_cast<std::size_t>(links));
    per_step.push_back(static_cast<double>(s.evaluations) / static_cast<double>(s.solver_steps));
    // A Jacobian needs as many evaluations as there are colours, here at most 10, not one a column.
    const Island& island = *test.manager().islands()[0];
    EXPECT_LE(island.problem().pattern.group_count(), 10U);
    EXPECT_LE(island.problem().pattern.nonzeros(), 10U * s.states);
    // 2 y = left + z, z = (y + right)/2 along the chain, seen from its end.
    EXPECT_NEAR(2 * test.Read("c0.y"), 1 + test.Read("c0.z") - test.Read("c0.y.ddt"), 1e-6);
  }
  EXPECT_NEAR(per_step[1], per_step[0], 0.5 * per_step[0]);
}

TEST(DaeIslandTest, SparseAndDenseAgree) {
  // 49 links are dense, 51 sparse; the head of the chain does not feel its end within the time.
  std::vector<double> y;
  for (const int links : {49, 51}) {
    TestSystem test(DaeSystem("TimeStep=\"0.1\" StopTime=\"2\"", kTight, Chain(links)));
    test.Run();
    y.push_back(test.Read("c0.y"));
  }
  EXPECT_NEAR(y[0], y[1], 1e-7);
}

// ---- start values -----------------------------------------------------------------------------------------

TEST(DaeIslandTest, StartValuesAreMadeConsistent) {
  TestSystem test(DaeSystem("TimeStep=\"0.1\" StopTime=\"1\"", kTight, "<test.Square name=\"s\"/>"));
  test.manager().Initialize();
  EXPECT_NEAR(test.Read("s.z"), 2, 1e-8);
}

TEST(DaeIslandTest, AStartValueThatContradictsIsAnError) {
  TestSystem test(DaeSystem("TimeStep=\"0.1\" StopTime=\"1\"", kTight,
                            "<test.Square name=\"s\" u=\"400\"><Start z=\"3\"/></test.Square>"));
  try {
    test.manager().Initialize();
    FAIL();
  } catch (const SimulationFailure& failure) {
    EXPECT_STREQ(
        failure.what(),
        "consistent initialisation failed: given start values contradict the algebraic equations: "
        "s.z from 3 to 20; "
        "leave them out, or change what determines them; see docs/troubleshooting.md#inconsistent-start");
  }
}

// ---- wrong models -----------------------------------------------------------------------------------------

TEST(DaeIslandTest, AMissingEquationIsRefused) {
  EXPECT_THAT(FaultsOf(DaeSystem("", "", "<test.Forgetful name=\"f\"/>")),
              ElementsAre("test.xml:1: error: /f: no equation for f.b: EvaluateAlgebraicEquations of "
                          "test.Forgetful must write its residual"));
}

TEST(DaeIslandTest, AnIndexAboveOneIsRefused) {
  EXPECT_THAT(
      FaultsOf(DaeSystem("", "", "<test.Pendulum name=\"p\"/>")),
      ElementsAre(
          "test.xml:1: error: /p: the equation for p.tension contains no algebraic variable and no "
          "derivative, so the index is above 1; state a constraint g = 0 of positions or velocities for "
          "the accelerations, as in g'' + 2 w g' + w^2 g = 0"));
}

TEST(DaeIslandTest, AResidualThatIsNoNumberNamesItsComponent) {
  for (const double start : {0.505, -1.0}) {
    const std::string text =
        DaeSystem("TimeStep=\"0.1\" StopTime=\"1\"", kTight,
                  "<test.Square name=\"fine\"/><test.NoResidual name=\"bad\" end=\"" + ToXml(start) + "\"/>");
    if (start < 0) {
      EXPECT_THAT(
          FaultsOf(text),
          ElementsAre(AllOf(HasSubstr("/bad"), HasSubstr("the equation for bad.z gives no finite value"))));
      continue;
    }
    TestSystem test(text);
    try {
      test.Run();
      FAIL();
    } catch (const SimulationFailure& failure) {
      EXPECT_THAT(failure.what(), AllOf(HasSubstr("/bad: the run diverged at t = 0."),
                                        HasSubstr("its equation gives no finite value"), HasSubstr("(bad.z"),
                                        HasSubstr("look for a division by zero")));
      EXPECT_LE(failure.time(), 0.505);
      EXPECT_GT(failure.time(), 0.5);
    }
  }
}

}  // namespace
}  // namespace davit
