// <Layout>: where drawings show components.

#include "framework/xml/layout_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct PlacedSystem {
  explicit PlacedSystem(const std::string& layout, const std::filesystem::path& name = "test.xml") {
    RegisterSimulator(registry);
    RegisterComponents(registry);
    system = LoadSystemText("<System>\n<mechanical.Mass name=\"mass\"/>\n<mechanical.Mass name=\"wall\"/>\n" +
                                layout + "</System>",
                            name, registry, {}, diagnostics);
  }
  std::vector<std::string> Faults() const {
    std::vector<std::string> faults;
    for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) faults.push_back(ToText(diagnostic));
    return faults;
  }
  const DrawingPlace* PlaceOf(const std::string& path) const {
    return system->FindDrawingPlace(*system->Find(path));
  }

  Registry registry;
  Diagnostics diagnostics;
  std::unique_ptr<System> system;
};

TEST(LayoutReaderTest, ReadsPlaces) {
  const PlacedSystem placed(R"(<Layout>
    <Place name="mass" x="120" y="-80.5" rotation="270" mirror="true"/></Layout>)");
  EXPECT_THAT(placed.Faults(), IsEmpty());
  const DrawingPlace* place = placed.PlaceOf("mass");
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(place->x, 120);
  EXPECT_EQ(place->y, -80.5);
  EXPECT_EQ(place->rotation, 270);
  EXPECT_TRUE(place->is_mirrored);
  EXPECT_EQ(placed.PlaceOf("wall"), nullptr);
}

TEST(LayoutReaderTest, SaysWhatIsWrong) {
  const PlacedSystem placed(R"(<Layout>
<Place name="mas" x="1" y="2"/>
<Place name="wall" x="1" y="2"/>
<Place name="wall" x="3" y="4"/>
<Place name="mass" x="12 mm" y="inf"/>
<Place name="mass" x="1" y="2" rotation="45" mirror="yes"/>
<Place name="mass" y="2"/>
<Place name="mass" x="1" y="2" turn="90"/>
<mechanical.Mass name="inside"/>
<Place name="boom.mass" x="1" y="2"/>
</Layout>
)");
  EXPECT_THAT(
      placed.Faults(),
      ElementsAre("test.xml:5: warning: /: no component 'mas' in this file, so that this place is not used; "
                  "remove it, or did you mean 'mass'?",
                  "test.xml:7: error: /: a second place of 'wall'; keep one of them",
                  HasSubstr("test.xml:8: error: /: x: '12 mm' is not a number between -1e6 and 1e6; write "
                            "it without a unit, such as x=\"120\""),
                  HasSubstr("test.xml:8: error: /: y: 'inf' is not a number"),
                  "test.xml:9: error: /: no option '45' of rotation; it has 0, 90, 180, 270",
                  "test.xml:9: error: /: no option 'yes' of mirror; it has true, false",
                  HasSubstr("test.xml:10: error: /: "), HasSubstr("test.xml:11: error: /: "),
                  HasSubstr("test.xml:11: error: /: a second place"),
                  HasSubstr("test.xml:12: error: /: no element 'mechanical.Mass' inside Layout"),
                  HasSubstr("test.xml:13: warning: /: no component 'boom.mass' in this file, so that this "
                            "place is not used; place what is inside of a sub-system in the file")));
}

/// Programs append elements to files: what stands behind is read as before, and its places count.
TEST(LayoutReaderTest, StandsAnywhere) {
  const std::string layout = R"(<Layout><Place name="wave" x="8" y="16"/></Layout>)";
  const std::string wave = R"(<signal.Sine name="wave"/><signal.Gain name="gain"/>)";
  for (const std::string& text : {layout + wave, wave + layout}) {
    const PlacedSystem placed(text + R"(<Route from="wave.y" to="gain.u"/>)");
    EXPECT_THAT(placed.Faults(), IsEmpty());
    EXPECT_NE(placed.system->Find("gain"), nullptr);
    ASSERT_NE(placed.PlaceOf("wave"), nullptr);
    EXPECT_EQ(placed.PlaceOf("wave")->y, 16);
  }
}

TEST(LayoutReaderTest, StandsOnceDirectlyInTheSystem) {
  EXPECT_THAT(PlacedSystem("<Layout/>\n<Layout/>").Faults(),
              ElementsAre("test.xml:5: error: /: a second Layout; move its places into the one of line 4"));
  EXPECT_THAT(PlacedSystem(R"(<For name="i" from="1" to="2"><Layout/></For>)").Faults(),
              ElementsAre(HasSubstr("Layout is inside For"), HasSubstr("Layout is inside For")));
}

/// Programs take components out of files: what is left of them does not stop a run.
TEST(LayoutReaderTest, PlacesWithoutComponentAreWarnings) {
  const PlacedSystem placed(R"(<Layout>
<Place name="gone" x="1" y="2"/>
<For name="i" from="1" to="5000"><Place name="s{i}" x="0" y="0"/></For>
<Place name="mass" x="8" y="0"/>
</Layout>)");
  EXPECT_FALSE(placed.diagnostics.has_errors());
  EXPECT_THAT(
      placed.Faults(),
      ElementsAre("test.xml:5: warning: /: no component 'gone' in this file, so that this place is not "
                  "used; remove it",
                  HasSubstr("test.xml:6: warning: /: no component 's1' in this file")));
  EXPECT_EQ(placed.PlaceOf("mass")->x, 8);
}

TEST(LayoutReaderTest, PlacesInLoops) {
  const PlacedSystem placed(R"(<For name="i" from="1" to="3"><signal.Sine name="s{i}"/></For>
    <Layout><For name="i" from="1" to="3"><Place name="s{i}" x="{100*i}" y="0"/></For></Layout>)");
  EXPECT_THAT(placed.Faults(), IsEmpty());
  EXPECT_EQ(placed.PlaceOf("s3")->x, 300);
}

/// Each file places its own components; one that is included twice does so in both uses.
TEST(LayoutReaderTest, FollowsIncludes) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "layout_reader_includes";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "part.xml") << R"(<System name="part"><mechanical.Mass name="inner"/>
    <Layout><Place name="inner" x="16" y="24"/></Layout></System>)";
  const PlacedSystem placed(R"(<Subsystem name="one" src="part.xml"/><Subsystem name="two" src="part.xml"/>
    <Layout><Place name="two" x="400" y="0"/></Layout>)",
                            folder / "main.xml");
  EXPECT_THAT(placed.Faults(), IsEmpty());
  EXPECT_EQ(placed.PlaceOf("one.inner")->y, 24);
  EXPECT_EQ(placed.PlaceOf("two.inner")->y, 24);
  EXPECT_EQ(placed.PlaceOf("two")->x, 400);
  EXPECT_EQ(placed.PlaceOf("one"), nullptr);
  EXPECT_THAT(PlacedSystem(R"(<Subsystem name="one" src="part.xml"/>
    <Layout><Place name="one" x="0" y="0" rotation="90"/></Layout>)",
                           folder / "main.xml")
                  .Faults(),
              ElementsAre(HasSubstr("'one' is a sub-system, which is not turned")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace davit
