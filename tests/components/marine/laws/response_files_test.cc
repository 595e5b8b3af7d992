#include "components/marine/laws/response_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace davit {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

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

std::string Bytes(const auto& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])};
}

/// An element of a MAT-file, a short one within eight bytes.
std::string MatElement(std::uint32_t type, const std::string& content) {
  const auto length = static_cast<std::uint32_t>(content.size());
  if (length > 0 && length <= 4)
    return Bytes(std::array{type | length << 16}) + content + std::string(4 - length, '\0');
  return Bytes(std::array{type, length}) + content + std::string((8 - length % 8) % 8, '\0');
}

std::string MatArrayOf(std::uint32_t kind, const std::vector<std::int32_t>& size, const std::string& name,
                       const std::string& content) {
  return MatElement(14, MatElement(6, Bytes(std::array<std::uint32_t, 2>{kind, 0})) +
                            MatElement(5, Bytes(size)) + MatElement(1, name) + content);
}

std::string MatNumbers(const std::vector<std::int32_t>& size, const std::vector<double>& numbers) {
  return MatArrayOf(6, size, "", MatElement(9, Bytes(numbers)));
}

std::string MatStructure(const std::string& name,
                         const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string names, values;
  for (const auto& [field, value] : fields) {
    names += field + std::string(32 - field.size(), '\0');
    values += value;
  }
  return MatArrayOf(2, {1, 1}, name,
                    MatElement(5, Bytes(std::array<std::int32_t, 1>{32})) + MatElement(1, names) + values);
}

/// In a zlib stream of blocks that are not compressed.
std::string Deflated(const std::string& text) {
  std::string stream = "\x78\x01";
  for (std::size_t at = 0; at < text.size(); at += 60'000) {
    const std::string block = text.substr(at, 60'000);
    const auto length = static_cast<std::uint16_t>(block.size());
    stream += at + block.size() == text.size() ? '\1' : '\0';
    stream += Bytes(std::array<std::uint16_t, 2>{length, static_cast<std::uint16_t>(~length)}) + block;
  }
  return Bytes(std::array{std::uint32_t{15}, static_cast<std::uint32_t>(stream.size() + 4)}) + stream +
         "sums";
}

const std::string kMatHeader = "MATLAB 5.0 MAT-file" + std::string(105, ' ') + std::string("\0\1IM", 4);

/// The vessel of MSS that is a raft: with y to starboard and z downwards. Two velocities, of which the first
/// has other numbers, and room for a third.
std::string MssVessel() {
  std::vector<double> headings;
  for (int degrees = 0; degrees < 360; degrees += 45) headings.push_back(degrees * pi / 180);
  std::array<std::vector<double>, 6> amplitudes, phases;
  for (const double velocity : {5.0, 0.0, 9.0}) {
    for (const double b : headings) {
      for (const double frequency : kFrequencies) {
        const double k = frequency * frequency / 9.81;
        const std::complex<double> i(0, 1);
        const std::array<std::complex<double>, 6> raft{
            -i * std::cos(b),    -i * std::sin(b),     -1.0,
            i * k * std::sin(b), -i * k * std::cos(b), -k * std::sin(b) * std::cos(b)};
        for (std::size_t d = 0; d < raft.size(); ++d) {
          amplitudes[d].push_back(std::abs(raft[d] + velocity));
          phases[d].push_back(std::arg(raft[d] + velocity) + 4 * pi);
        }
      }
    }
  }
  const auto cells = [](const std::array<std::vector<double>, 6>& of) {
    std::string content;
    for (const std::vector<double>& one : of) content += MatNumbers({3, 8, 3}, one);
    return MatArrayOf(1, {1, 6}, "", content);
  };
  const std::string velocities =
      MatArrayOf(6, {1, 2}, "", MatElement(2, Bytes(std::array<std::uint8_t, 2>{5, 0})));
  return MatStructure(
      "vessel", {{"main", MatStructure("", {{"name", MatArrayOf(4, {1, 4}, "", MatElement(16, "raft"))}})},
                 {"headings", MatNumbers({1, 8}, headings)},
                 {"velocities", velocities},
                 {"motionRAO", MatStructure("", {{"amp", cells(amplitudes)},
                                                 {"phase", cells(phases)},
                                                 {"w", MatNumbers({1, 3}, {0.3, 0.5, 0.8})}})}});
}

TEST(MssFileTest, ARaftMovesWithTheWaterFromAllSides) {
  const std::string other = MatNumbers({2, 2}, {1, 2, 3, 4});
  for (const std::string& content :
       {MssVessel(), other + MssVessel(), Deflated(other) + Deflated(MssVessel())}) {
    const ResponseTable::Result result = ReadMss(kMatHeader + content, 0);
    ASSERT_EQ(result.fault, "");
    ExpectARaft(result.table);
  }
}

TEST(MssFileTest, WrongFilesAreNamed) {
  const auto fault = [](const std::string& content, double speed = 0) {
    return ReadMss(content, speed).fault;
  };
  EXPECT_THAT(fault(""), HasSubstr("it is not a MAT-file of version 6 or 7"));
  EXPECT_THAT(fault("MATLAB 7.3 MAT-file" + std::string(200, ' ')), HasSubstr("-v7"));
  EXPECT_THAT(fault(kMatHeader), HasSubstr("no variable is a structure with the field motionRAO"));
  EXPECT_THAT(fault(kMatHeader + MssVessel(), 3), HasSubstr("no responses at 3 m/s; the file has 5, 0 m/s"));
  EXPECT_THAT(fault(kMatHeader + MatStructure("v", {{"motionRAO", MatStructure("", {})}})),
              HasSubstr("headings has no numbers"));
  const std::string one = MatNumbers({1, 1}, {1});
  EXPECT_THAT(fault(kMatHeader + MatStructure("v", {{"motionRAO", MatStructure("", {{"w", one}})},
                                                    {"headings", one},
                                                    {"velocities", MatNumbers({1, 1}, {0})}})),
              HasSubstr("motionRAO.amp{1} and phase{1} are not numbers of 1 frequencies, 1 headings"));
  const std::string whole = kMatHeader + Deflated(MssVessel());
  EXPECT_THAT(fault(whole.substr(0, whole.size() / 2)), HasSubstr("it is broken after 0 variables"));
}

// Whatever its bytes are, a file gives a table or a fault, and hardly takes longer than a good one.
TEST(MssFileTest, ABrokenFileIsReadToAnEnd) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same files each time
  int broken = 0;
  for (const std::string& good : {kMatHeader + MssVessel(), kMatHeader + Deflated(MssVessel())}) {
    for (int i = 0; i < 2000; ++i) {
      std::string file = good;
      for (unsigned k = random() % 4; k < 4; ++k) {
        // Most of the sizes are in the first bytes of arrays.
        const std::size_t at = kMatHeader.size() + random() % (file.size() - kMatHeader.size());
        file[at / 8 * 8 + random() % 8] = static_cast<char>(random());
      }
      if (random() % 8 == 0) file.resize(random() % file.size());
      broken += ReadMss(file, 0).fault.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(broken, 500);
  EXPECT_LT(broken, 4000);
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
