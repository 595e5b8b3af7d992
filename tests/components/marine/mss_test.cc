#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "components/marine/laws/response_table.h"
#include "tests/support/child_program.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// The Marine Systems Simulator of Fossen and Perez, run by GNU Octave. DAVIT_MSS names its folder; without
/// it, or without octave-cli, the test is skipped.
class MssTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const given = std::getenv("DAVIT_MSS");
    if (given == nullptr || !std::filesystem::exists(std::filesystem::path(given) / "LIBRARY"))
      GTEST_SKIP() << "DAVIT_MSS names no folder with the Marine Systems Simulator";
    if (!std::filesystem::exists("/usr/bin/octave-cli")) GTEST_SKIP() << "octave-cli is not installed";
    mss = given;
    std::filesystem::create_directories(folder);
  }
  ~MssTest() override { std::filesystem::remove_all(folder); }

  /// What MSS computes for a vessel.
  struct Computed {
    std::string waves;                         ///< as elements of a marine.Sea
    std::vector<std::vector<double>> motions;  ///< time, then place, rate and acceleration of each degree
  };
  /// `vessel` are lines that make the structure v; the waves travel along `direction` [rad] in its axes, and
  /// `turned` [rad] in those of davit.
  Computed Compute(const std::string& vessel, double speed, double direction, double turned) {
    std::ofstream(folder / "run.m")
        << fmt::format("addpath(genpath('{}/LIBRARY'));\n", mss.string()) << vessel
        << "rand('twister',3);\n[S,Omega,Amp,s,m,mu]=waveDirectionalSpectrum('JONSWAP',[3,2*pi/"
           "10,3.3],50,2.9,false,1);\n"
           "keep=Omega>0.21; Omega=Omega(keep); Amp=Amp(keep); S=S(keep); n=numel(Omega);\n"
        << fmt::format("beta={:.17g}; speed={:.17g};\n", direction, speed)
        << "first=waveMotionRAO(0,S,Amp,Omega,mu,v,speed,0,beta,n);\n"
           "rng(12345,'twister'); phase=2*pi*rand(n,1);\n"
           "for i=1:n printf('wave %.17g %.17g %.17g\\n',Amp(i),Omega(i),phase(i)); end\n"
           "for t=[0 7.3 120.5] [e,nu,a,z]=waveMotionRAO(t,S,Amp,Omega,mu,v,speed,0,beta,n);\n"
           "printf('motion %.17g',t); printf(' %.17g',[e;nu;a]); printf('\\n'); end\n";
    ChildProgram octave({"/usr/bin/octave-cli", "--norc", "--quiet", (folder / "run.m").string()});
    EXPECT_EQ(octave.Finish(), 0) << octave.err();

    Computed computed;
    std::istringstream lines(octave.out());
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      std::vector<double> numbers;
      for (double number; words >> number;) numbers.push_back(number);
      if (kind == "wave")
        computed.waves += fmt::format(
            "<Wave height=\"{:.17g} m\" period=\"{:.17g} s\" direction=\"{:.17g}\" phase=\"{:.17g}\"/>",
            2 * numbers.at(0), 2 * std::numbers::pi / numbers.at(1), turned, numbers.at(2));
      if (kind == "motion") computed.motions.push_back(numbers);
    }
    EXPECT_EQ(computed.motions.size(), 3U) << octave.out();
    return computed;
  }
  /// `signs` turn the axes of the vessel of MSS to those of davit.
  static void ExpectTheMotion(const Computed& computed, double speed, const std::string& responses,
                              const std::array<double, 6>& signs) {
    SystemHarness system(fmt::format(
        "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"0.1 s\" StopTime=\"200 "
        "s\"/>"
        "<marine.Sea name=\"sea\" spectrum=\"Waves\" depth=\"20 km\">{}</marine.Sea>"
        "<marine.Vessel name=\"vessel\" speed=\"{} m/s\"><Responses src=\"{}\"/></marine.Vessel></System>",
        computed.waves, speed, responses));
    for (const std::vector<double>& motion : computed.motions) {
      system.RunTo(motion.at(0));
      for (std::size_t d = 0; d < 6; ++d) {
        const std::string name = "vessel." + std::string(kVesselDegrees[d]);
        EXPECT_NEAR(system.Read(name), signs[d] * motion.at(1 + d), 1e-6) << name;
        EXPECT_NEAR(system.Read(name + "_rate"), signs[d] * motion.at(7 + d), 1e-6) << name;
        EXPECT_NEAR(system.Read(name + "_acceleration"), signs[d] * motion.at(13 + d), 1e-6) << name;
      }
    }
  }

  std::filesystem::path mss;
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "davit_mss_test";
};

constexpr const char* kColumns =
    "heading [rad],frequency [rad/s],surge [m/m],surge_phase [rad],sway [m/m],sway_phase [rad],heave [m/m],"
    "heave_phase [rad],roll [rad/m],roll_phase [rad],pitch [rad/m],pitch_phase [rad],yaw [rad/m],yaw_phase "
    "[rad]\n";

TEST_F(MssTest, TheSameSeaAndResponsesGiveTheSameMotion) {
  // Responses of no vessel, different for all degrees, headings and frequencies.
  std::string table = kColumns, amplitudes, phases;
  constexpr int kHeadings = 5, kFrequencies = 12;
  for (int h = 0; h < kHeadings; ++h) {
    for (int f = 0; f < kFrequencies; ++f) {
      const double heading = std::numbers::pi * h / (kHeadings - 1), frequency = 0.2 + 0.25 * f;
      table += fmt::format("{:.17g},{:.17g}", heading, frequency);
      for (int d = 0; d < 6; ++d) {
        const double amplitude = (d < 3 ? 1.0 : 0.05) * std::exp(-0.3 * frequency * (d + 1)) * (1 + 0.2 * h);
        const double phase = 0.3 * d - 0.5 * frequency + 0.2 * h;
        table += fmt::format(",{:.17g},{:.17g}", amplitude, phase);
        amplitudes +=
            fmt::format("v.motionRAO.amp{{{}}}({},{},1)={:.17g};\n", d + 1, f + 1, h + 1, amplitude);
        phases += fmt::format("v.motionRAO.phase{{{}}}({},{},1)={:.17g};\n", d + 1, f + 1, h + 1, phase);
      }
      table += "\n";
    }
  }
  std::ofstream(folder / "responses.csv") << table;
  const double direction = 140 * std::numbers::pi / 180;
  const Computed computed =
      Compute(fmt::format("v.main.g=9.81; v.headings=linspace(0,pi,{});\nv.motionRAO.w=(0.2+0.25*(0:{}))';\n",
                          kHeadings, kFrequencies - 1) +
                  amplitudes + phases,
              4, direction, direction);
  ExpectTheMotion(computed, 4, (folder / "responses.csv").string(), {1, 1, 1, 1, 1, 1});
}

// Its y axis points to starboard, its z axis downwards.
TEST_F(MssTest, ItsVesselsMoveAsThere) {
  const double direction = 137 * std::numbers::pi / 180;
  for (const char* file : {"HYDRO/vessels_shipx/supply/supply.mat", "HYDRO/vessels_wamit/fpso/fpso.mat"}) {
    const std::string path = (mss / file).string();
    const Computed computed = Compute(fmt::format("load('{}'); v=vessel;\n", path), 0, direction, -direction);
    ExpectTheMotion(computed, 0, path, {1, -1, -1, 1, -1, -1});
    EXPECT_GT(std::abs(computed.motions.at(1).at(3)), 0.01) << "it heaves";
  }
}

}  // namespace
}  // namespace davit
