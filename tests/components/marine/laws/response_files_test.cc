#include "components/marine/laws/response_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

namespace davit {
namespace {

using std::numbers::pi;

constexpr std::array<double, 3> kFrequencies{0.3, 0.5, 0.8};

/// How a small raft moves: with the water at the surface and along its slope. In any axes with z upwards,
/// for waves exp(i(w t - k(x cos b + y sin b))) with k = w^2/g.
ResponseTable::Responses OfARaft(double frequency, double b) {
  const double k = frequency * frequency / 9.81;
  const std::complex<double> i(0, 1);
  return {-i * std::cos(b),     -i * std::sin(b),    1.0,
          -i * k * std::sin(b), i * k * std::cos(b), -k * std::sin(b) * std::cos(b)};
}

void ExpectARaft(const ResponseTable& table) {
  for (const double frequency : kFrequencies) {
    for (int degrees = 0; degrees < 360; degrees += 45) {
      const double b = degrees * pi / 180;
      const ResponseTable::Responses expected = OfARaft(frequency, b), found = table.At(frequency, b);
      for (std::size_t d = 0; d < expected.size(); ++d)
        EXPECT_NEAR(std::abs(found[d] - expected[d]), 0, 1e-8) << degrees << " deg, degree " << d + 1;
    }
  }
}

/// In the axes of ShipX, in which waves of heading 0 travel along x; two velocities, of which the first has
/// other numbers.
std::string ShipXFile() {
  std::string text;
  for (int i = 1; i <= 6; ++i) text += fmt::format("Line {} of text 1 2 3\n", i);
  text += "1025.0 9.81\n80.0 18.0 6.0\n0.0 7.0\n2 5 3 6\n";
  for (const double velocity : {5.0, 0.0}) {
    text += fmt::format("{:.3f} 0.0 0.0 0.0 6.0\n", velocity);
    for (int heading = 0; heading <= 180; heading += 45) {
      text += fmt::format("{}.0\n", heading);
      for (const double frequency : kFrequencies) {
        text += fmt::format("{}\n", frequency);
        const ResponseTable::Responses raft = OfARaft(frequency, heading * pi / 180);
        for (std::size_t d = 0; d < raft.size(); ++d) {
          const std::complex<double> value = raft[d] + velocity;
          text += fmt::format("  {} {:+.12e} {:.12e}\r\n", d + 1, value.real(), value.imag());
        }
      }
    }
  }
  return text;
}

std::string WamitFile(double length) {
  std::string text = "  PER  BETA  I  Mod  Pha  Re  Im\n";
  for (const double frequency : kFrequencies) {
    for (int heading = 0; heading <= 180; heading += 45) {
      const ResponseTable::Responses raft = OfARaft(frequency, heading * pi / 180);
      for (std::size_t d = 0; d < raft.size(); ++d) {
        const std::complex<double> value = raft[d] * (d < 3 ? 1 : length);
        text += fmt::format("{:.12e} {} {} {:.8e} {:.8e} {:.12e} {:.12e}\n", 2 * pi / frequency, heading,
                            d + 1, std::abs(value), std::arg(value) * 180 / pi, value.real(), value.imag());
      }
    }
  }
  return text + "-1.0 0 3 1 0 1 0\n";
}

TEST(ShipXTest, ARaftMovesWithTheWaterFromAllSides) {
  const ResponseTable::Result result = ReadShipX(ShipXFile(), 0);
  ASSERT_EQ(result.fault, "");
  ExpectARaft(result.table);
}

TEST(ShipXTest, ASpeedThatIsMissingIsNamedWithThoseOfTheFile) {
  const ResponseTable::Result result = ReadShipX(ShipXFile(), 2);
  EXPECT_NE(result.fault.find("no responses at 2 m/s; the file has 5, 0 m/s"), std::string::npos)
      << result.fault;
}

TEST(ShipXTest, AFileThatEndsOrIsAnotherIsRefusedWithItsLine) {
  const std::string text = ShipXFile();
  ResponseTable::Result cut = ReadShipX(text.substr(0, text.size() / 2), 0);
  EXPECT_NE(cut.fault.find("expected"), std::string::npos);
  EXPECT_GT(cut.line, 100);
  const ResponseTable::Result other = ReadShipX("heading [deg],frequency [rad/s]\n0,1\n", 0);
  EXPECT_NE(other.fault.find("numbers of velocities"), std::string::npos);
  EXPECT_EQ(ReadShipX("", 0).table.Largest()[2], 0);
  std::string wrong = text;
  wrong.replace(wrong.find("  3 "), 4, "  9 ");
  EXPECT_NE(ReadShipX(wrong, 0).fault.find("a degree 1 to 6"), std::string::npos);
}

TEST(WamitTest, ARaftMovesWithTheWaterFromAllSides) {
  for (const double length : {1.0, 40.0}) {
    const ResponseTable::Result result = ReadWamit(WamitFile(length), length);
    ASSERT_EQ(result.fault, "");
    ExpectARaft(result.table);
  }
}

TEST(WamitTest, WrongLinesAreNamed) {
  EXPECT_NE(ReadWamit("8 0 3 1 0 1\n", 1).fault.find("6 numbers"), std::string::npos);
  EXPECT_NE(ReadWamit("8 0 9 1 0 1 0\n", 1).fault.find("mode 9"), std::string::npos);
  const ResponseTable::Result columns = ReadWamit("8 0 1 1 0 1 0\n8 0 3 1 0 0 0.5\n", 1);
  EXPECT_NE(columns.fault.find("modulus"), std::string::npos);
  EXPECT_EQ(columns.line, 2);
  EXPECT_NE(ReadWamit("8 0 3 1 0 1 0\n8 0 x 1 0 1 0\n", 1).fault.find("not a number"), std::string::npos);
  EXPECT_NE(ReadWamit("", 1).fault.find("no rows"), std::string::npos);
}

}  // namespace
}  // namespace davit
