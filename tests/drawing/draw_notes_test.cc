// Notes on drawings: lines, boxes, pictures, and what they are not: markup.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "components/register.h"
#include "drawing/diagram.h"
#include "drawing/draw_system.h"
#include "framework/xml/picture_file.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kNotePicture =
    R"(<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>)";

class DrawNotesTest : public testing::Test {
 protected:
  DrawNotesTest() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    Write("picture.svg", kNotePicture);
  }
  ~DrawNotesTest() override { fs::remove_all(folder_); }

  void Write(const fs::path& file, std::string_view text) const { std::ofstream(folder_ / file) << text; }
  std::string Draw(const std::string& layout, const std::string& more = "") {
    Write("s.xml", R"(<System name="s"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>)" + more +
                       R"(<mechanical.Mass name="mass"/><Layout><Place name="mass" x="0" y="0"/>)" + layout +
                       "</Layout></System>");
    LoadedSimulation loaded =
        Simulation::Load(folder_ / "s.xml", registry_, {.load = {}, .log = [](auto, auto) {}});
    EXPECT_NE(loaded.simulation, nullptr);
    return loaded.simulation == nullptr ? std::string() : DrawSystem(loaded.simulation->system());
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("davit_draw_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  Registry registry_;
};

TEST(BreakLinesTest, KeepsWordsAndBreaksBetweenThem) {
  EXPECT_THAT(BreakLines("", 100), IsEmpty());
  EXPECT_THAT(BreakLines("one  two\n\nthree", std::nullopt), ElementsAre("one two", "", "three"));
  // 10 characters, of which some have two bytes; web/test/unit/notes_test.ts has the same.
  EXPECT_THAT(BreakLines("aaaa bbbbb cc dd incompressible e", 63),
              ElementsAre("aaaa bbbbb", "cc dd", "incompressible", "e"));
  EXPECT_THAT(BreakLines("\u00f8\u00f8\u00f8\u00f8 \u00e5\u00e5\u00e5\u00e5\u00e5 c", 63),
              ElementsAre("\u00f8\u00f8\u00f8\u00f8 \u00e5\u00e5\u00e5\u00e5\u00e5", "c"));
}

TEST_F(DrawNotesTest, WritesTextAsItIs) {
  const std::string svg =
      Draw(R"(<Note x="40" y="-80" text="&lt;script&gt;a&lt;/script&gt; &amp; &quot;b&quot;&#10;c"/>)");
  EXPECT_THAT(svg, HasSubstr("&lt;script&gt;a&lt;/script&gt; &amp; &quot;b&quot;</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr(R"(x="40" y="-69")"));  // the base of the first line
  EXPECT_THAT(svg, HasSubstr(R"(x="40" y="-55")"));
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(svg.c_str(), svg.size()), tinyxml2::XML_SUCCESS);
}

TEST_F(DrawNotesTest, ContainsPicturesAsImages) {
  const std::string svg =
      Draw(R"(<Note x="80" y="80" width="40" height="30" picture="picture.svg" text="below"/>)");
  EXPECT_THAT(svg, HasSubstr(R"(<image x="80" y="80" width="40" height="30" href=")" +
                             ToDataUri({"image/svg+xml", std::string(kNotePicture)})));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr(R"(x="80" y="121">below</text>)"));
}

/// A note far from everything is inside of the picture, and components stay where they are.
TEST_F(DrawNotesTest, EnlargesTheDrawingOnly) {
  const auto box = [](const std::string& svg) {
    tinyxml2::XMLDocument document;
    document.Parse(svg.c_str(), svg.size());
    return document.RootElement()->DoubleAttribute("width");
  };
  const std::string plain = Draw(""), noted = Draw(R"(<Note x="2000" y="0" text="far"/>)");
  EXPECT_GT(box(noted), box(plain) + 1000);
  const auto mass = [](const std::string& svg) {
    return svg.substr(svg.find(R"(id="component-mass")"), 120);
  };
  EXPECT_EQ(mass(noted), mass(plain));
}

/// Notes of a sub-system move with its frame.
TEST_F(DrawNotesTest, DrawsThoseOfSubsystemsInTheirFrames) {
  Write("inner.xml",
        R"(<System name="inner"><mechanical.Mass name="mass"/><Layout><Place name="mass" x="0" y="0"/>)"
        R"(<Note x="16" y="24" text="inside"/></Layout></System>)");
  const std::string svg =
      Draw(R"(<Place name="sub" x="400" y="800"/>)", R"(<Subsystem name="sub" src="inner.xml"/>)");
  EXPECT_THAT(svg, HasSubstr(R"(x="416" y="835">inside</text>)"));
}

}  // namespace
}  // namespace davit
