// The icon of an FMU.

#include "fmi/fmu_icon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "fmi/png_writer.h"
#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// Law: the bytes of ISO/IEC 15948. The sums at the end of IEND are published; Adler-32 of eight bytes that
// are 0 (a row of one black point and its filter has 4) has a = 1 and b = count.
TEST(IconTest, PicturesArePng) {
  const std::vector<std::uint32_t> black{0, 0};
  const std::string png = WritePng(1, 2, black);
  EXPECT_THAT(png,
              StartsWith(std::string("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\1\0\0\0\2\x08\2\0\0\0", 29)));
  EXPECT_THAT(png, HasSubstr(std::string("IDAT\x78\x01\x01\x08\0\xf7\xff", 11)));
  EXPECT_THAT(png, HasSubstr(std::string("\0\0\0\0\0\0\0\0\0\x08\0\1", 12)));
  EXPECT_THAT(png, EndsWith(std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12)));
}

// Law: one mark for each input and output, five at most on a side, and the name without what XML would read.
TEST(IconTest, HasAMarkForEachConnection) {
  const auto marks = [](const FmuIconContent& content) {
    const std::string svg = MakeIcon(content).svg;
    const auto count = [&](std::string_view text) {
      std::size_t n = 0;
      for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++n;
      return n;
    };
    return count("fill=\"#78909c\"") + 100 * count("fill=\"#37474f\"");
  };
  EXPECT_EQ(marks({.name = "x"}), 0U);
  EXPECT_EQ(marks({.name = "x", .inputs = 2, .outputs = 1, .ports = 3}), 303U);
  EXPECT_EQ(marks({.name = "x", .inputs = 200, .outputs = 1}), 6U);
  EXPECT_THAT(MakeIcon({.name = "a<b"}).svg, HasSubstr(">a&lt;b</text>"));
}

TEST(IconTest, IsWhereEachVersionWantsIt) {
  const ExportedFmu second(ExampleSystem("mass_spring"));
  EXPECT_TRUE(std::filesystem::exists(second.folder() / "model.png"));
  const ExportedFmu third(ExampleSystem("mass_spring"), FmiVersion::k3);
  EXPECT_TRUE(std::filesystem::exists(third.folder() / "terminalsAndIcons/icon.png"));
  EXPECT_TRUE(std::filesystem::exists(third.folder() / "terminalsAndIcons/icon.svg"));
}

}  // namespace
}  // namespace davit
