// Free air of a Fluid, and the other laws of compressibility, in every model that holds oil.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "components/hydraulic/laws/oil_compression.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kFillFlow = 1e-5;  // [m3/s]
constexpr double kFillTime = 1;     // [s]

struct GasLaw {
  const char* name;
  const char* fluid;       ///< attributes of the Fluid
  const char* attributes;  ///< of the model
  OilCompressionData data;
};

const GasLaw kGasLaws[] = {
    {"mixture", "free_air=\"0.02\"", "", {.gas = OilGas::kMixture, .gas_share = 0.02}},
    {"slow",
     "free_air=\"0.01\" air_exponent=\"1\"",
     "",
     {.gas = OilGas::kMixture, .gas_share = 0.01, .polytropic_exponent = 1}},
    {"Air", "free_air=\"0.02\"", "compressibility=\"Air\"", {.gas = OilGas::kFreeAir, .gas_share = 0.02}},
    {"Effective",
     "gas_share=\"0.004\"",
     "compressibility=\"Effective\"",
     {.gas = OilGas::kConstant, .gas_share = 0.004}},
};

/// What is left of `content` after a flow of kFillFlow into it from p = 0, for kFillTime.
class FilledBy {
 public:
  FilledBy(const GasLaw& law, const std::string& content, const std::string& manager = "TimeStep=\"10 ms\"")
      : system_(
            SystemText(manager + " StopTime=\"1 s\"", "method=\"rosenbrock4\" rtol=\"1e-8\" atol=\"1e-10\"",
                       std::string("<hydraulic.Fluid name=\"fluid\" density=\"861.8 kg/m3\" ") + law.fluid +
                           "/><hydraulic.FlowSource name=\"source\" flow=\"1e-5 m3/s\"/>" + content)) {
    system_.manager().Initialize();
    system_.manager().RunUntil(kFillTime);
  }
  double Read(const std::string& path) const { return system_.Read(path); }

 private:
  TestSystem system_;
};

TEST(OilWithGasTest, AVolumeTakesWhatTheLawSays) {
  for (const GasLaw& law : kGasLaws) {
    const OilCompression compression(law.data);
    for (const char* formulation : {"pressure", "quantity"}) {
      const FilledBy filled(law, std::string("<hydraulic.Volume name=\"v\" volume=\"1 l\" formulation=\"") +
                                     formulation + "\" " + law.attributes +
                                     "><Start p=\"0 bar\"/></hydraulic.Volume>"
                                     "<Connect from=\"source.port\" to=\"v.port\"/>");
      const double p = compression.Pressure(kFillFlow * kFillTime / 1e-3);
      EXPECT_GT(p, 0.2e5);
      EXPECT_NEAR(filled.Read("v.p"), p, 1e-5 * p) << law.name << ' ' << formulation;
    }
  }
}

TEST(OilWithGasTest, SoDoesAVolumeOfWaves) {
  for (const GasLaw& law : kGasLaws) {
    const OilCompression compression(law.data);
    const FilledBy filled(law,
                          std::string("<hydraulic.VolumeC name=\"v\" volume=\"1 l\" ") + law.attributes +
                              "><Start p=\"0 bar\"/></hydraulic.VolumeC>"
                              "<Connect from=\"source.port\" to=\"v.port\"/>",
                          "TimeStep=\"1 ms\"");
    const double p = compression.Pressure(filled.Read("v.quantity") / 1e-3);
    EXPECT_NEAR(filled.Read("v.p"), p, 1e-9 * p) << law.name;
    // The flow of the source belongs to the ends of the steps.
    EXPECT_NEAR(filled.Read("v.quantity"), kFillFlow * kFillTime, 2e-3 * kFillFlow) << law.name;
  }
}

TEST(OilWithGasTest, SoDoPipes) {
  for (const GasLaw& law : kGasLaws) {
    const OilCompression compression(law.data);
    for (const char* cells : {"One", "Several"}) {
      for (const char* formulation : {"pressure", "quantity"}) {
        // A closed end of 1 l; the oil in both is all there is.
        const FilledBy filled(
            law,
            std::string("<hydraulic.Volume name=\"v\" volume=\"1 l\" formulation=\"quantity\" ") +
                law.attributes + "><Start p=\"0 bar\"/></hydraulic.Volume>" +
                "<hydraulic.Pipe name=\"pipe\" cells=\"" + cells + "\" formulation=\"" + formulation +
                "\" length=\"1 m\" inner_diameter=\"20 mm\" " + law.attributes +
                "><Start p=\"0 bar\"/></hydraulic.Pipe><hydraulic.Orifice name=\"end\" area=\"0 m2\"/>"
                "<hydraulic.Tank name=\"tank\"/><Connect from=\"source.port\" to=\"v.port\"/>"
                "<Connect from=\"pipe.inlet\" to=\"v.port\"/>"
                "<Connect from=\"end.a\" to=\"pipe.outlet\"/><Connect from=\"end.b\" to=\"tank.port\"/>");
        const double V = 1e-3 + std::acos(-1.0) / 4 * 0.02 * 0.02;
        const double p = compression.Pressure(kFillFlow * kFillTime / V);
        // The oil follows with some friction: p differs by a little along the pipe.
        EXPECT_NEAR(filled.Read("v.p"), p, 1e-3 * p) << law.name << ' ' << cells << ' ' << formulation;
      }
    }
  }
}

TEST(OilWithGasTest, SoDoChambers) {
  for (const GasLaw& law : kGasLaws) {
    const OilCompression compression(law.data);
    for (const char* formulation : {"pressure", "quantity"}) {
      // The rod does not move.
      const FilledBy filled(
          law, std::string("<hydraulic.Volume name=\"v\" volume=\"1 l\" formulation=\"quantity\" ") +
                   law.attributes +
                   "><Start p=\"0 bar\"/></hydraulic.Volume>"
                   "<hydraulic.Cylinder name=\"c\" level=\"Standard\" dead_volume=\"1 l\" formulation=\"" +
                   formulation + "\" " + law.attributes +
                   "><Start x=\"0 m\" p_a=\"0 bar\" p_b=\"0 bar\"/></hydraulic.Cylinder>"
                   "<mechanical.VelocitySource name=\"rod\"/><hydraulic.Tank name=\"tank\"/>"
                   "<Connect from=\"source.port\" to=\"v.port\"/><Connect from=\"c.a\" to=\"v.port\"/>"
                   "<Connect from=\"c.b\" to=\"tank.port\"/><Connect from=\"c.rod\" to=\"rod.port\"/>");
      const double p = compression.Pressure(kFillFlow * kFillTime / 2e-3);
      // Two equal volumes; the port between them takes half of the flow.
      const double mean = (filled.Read("c.p_a") + filled.Read("v.p")) / 2;
      EXPECT_NEAR(mean, p, 1e-4 * p) << law.name << ' ' << formulation;
    }
  }
}

/// The chamber A of a cylinder and one cell of a pipe at 60 bar: the bulk modulus is the ratio of the rate to
/// the net flow over the volume, 1 l.
struct Softness {
  double chamber, cell;  // 1/beta_e [1/Pa]
};
Softness SoftnessWith(const std::string& compressibility, const std::string& fluid) {
  constexpr double kPressure = 60e5;
  TestSystem test(SystemText(
      "TimeStep=\"1 ms\" StopTime=\"1 s\"", "",
      "<hydraulic.Fluid name=\"fluid\" " + fluid +
          "/><hydraulic.PressureSource name=\"s\" pressure=\"61 bar\"/><hydraulic.Tank name=\"tank\"/>"
          "<hydraulic.Cylinder name=\"c\" level=\"Standard\" dead_volume=\"1 l\" compressibility=\"" +
          compressibility +
          "\"><Start x=\"0 m\" p_a=\"60 bar\" p_b=\"0 bar\"/></hydraulic.Cylinder>"
          "<mechanical.VelocitySource name=\"rod\"/>"
          "<hydraulic.Pipe name=\"pipe\" cells=\"One\" length=\"1 m\" inner_diameter=\"35.682482 mm\" "
          "compressibility=\"" +
          compressibility +
          "\"><Start p=\"60 bar\" flow=\"1e-4 m3/s\"/></hydraulic.Pipe><hydraulic.Orifice name=\"end\" "
          "area=\"0 m2\"/><Connect from=\"c.a\" to=\"s.port\"/><Connect from=\"c.b\" to=\"tank.port\"/>"
          "<Connect from=\"c.rod\" to=\"rod.port\"/><Connect from=\"pipe.inlet\" to=\"s.port\"/>"
          "<Connect from=\"end.a\" to=\"pipe.outlet\"/><Connect from=\"end.b\" to=\"tank.port\"/>"));
  test.manager().Initialize();
  EXPECT_EQ(test.Read("c.p_a"), kPressure);
  const double V = 1e-3;
  return {test.Read("c.q_a") / V / test.Read("c.pressure_a.ddt"),
          test.Read("pipe.flow") / V / test.Read("pipe.pressure.ddt")};
}

/// 1/beta + gas_share/P + wall, each of them by hand: P = 61 bar; the barrel of 283 and 343 mm, E 180 GPa, nu
/// 0.3; the pipe of 35.68 mm and 4 mm, E 207 GPa, c1 0.85.
TEST(OilWithGasTest, GasAndWallGiveWayTogether) {
  const Softness both = SoftnessWith("EffectiveDilation", "gas_share=\"0.004\"");
  const double oil = 1 / kBeta, gas = 0.004 / 61e5;
  const double d1 = 0.283 * 0.283, d2 = 0.343 * 0.343;
  const double barrel = 2 / 180e9 * ((d2 + d1) / (d2 - d1) + 0.3),
               wall = 0.85 * 0.035682482 / (207e9 * 0.004);
  EXPECT_NEAR(both.chamber, oil + gas + barrel, 1e-9 * oil);
  EXPECT_NEAR(both.cell, oil + gas + wall, 1e-6 * oil);  // a volume of 1 l to 8 digits
}

/// The air of a Fluid is in both options, and then no other gas; without any gas both are the same.
TEST(OilWithGasTest, FreeAirReplacesTheConstantShareOfGas) {
  for (const char* fluid : {"free_air=\"0.02\"", "gas_share=\"0\""}) {
    const Softness one = SoftnessWith("Dilation", fluid), other = SoftnessWith("EffectiveDilation", fluid);
    EXPECT_EQ(one.chamber, other.chamber) << fluid;
    EXPECT_EQ(one.cell, other.cell) << fluid;
  }
}

class CavityOfOilWithGas : public testing::TestWithParam<const char*> {};

// Law: what leaves a volume and comes back fills it as before, with every method; in between the cavity is
// what the quantity of oil says, which the other formulation integrates without any stiffness.
TEST_P(CavityOfOilWithGas, OpensAndCloses) {
  for (const char* gas : {"free_air='0.001'", "compressibility='Air' free_air='0.001'",
                          "compressibility='Effective' gas_share='0.001'"}) {
    double void_volume[2], p[2];
    for (const bool is_quantity : {false, true}) {
      SystemHarness system(fmt::format(
          R"(<System name="t" xmlns="urn:davit:system:1">
<SimulatorManager TimeStep="1 ms" StopTime="0.6 s"><Integration method="{}" rtol="1e-8" atol="1e-9"/></SimulatorManager>
<hydraulic.Volume name="v" volume="1 l" formulation="{}" {}><Start p="10 bar"/></hydraulic.Volume>
<hydraulic.FlowSource name="f"/>
<signal.Step name="s" before="-60 l/min" after="60 l/min" start_time="0.3 s"/>
<Route from="s.y" to="f.flow"/><Connect from="f.port" to="v.port"/></System>)",
          GetParam(), is_quantity ? "quantity" : "pressure", gas));
      system.RunTo(0.3);
      void_volume[is_quantity ? 1 : 0] = system.Read("v.void_volume");
      system.RunTo(0.6);
      p[is_quantity ? 1 : 0] = system.Read("v.p");
    }
    EXPECT_GT(void_volume[1], 1e-4);
    // 1e-8 of 1 bar at every step, over a stiffness of 1 kPa.
    EXPECT_NEAR(void_volume[0], void_volume[1], 1e-3 * void_volume[1]) << gas;
    EXPECT_NEAR(p[1], 10e5, 1e-3 * 10e5) << gas;
    EXPECT_NEAR(p[0], 10e5, 0.1 * 10e5) << gas;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, CavityOfOilWithGas,
                         testing::Values("rosenbrock4", "rodas5p", "runge_kutta_dopri5", "ida", "auto"));

}  // namespace
}  // namespace davit
