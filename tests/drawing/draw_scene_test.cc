#include "drawing/draw_scene.h"

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "drawing/styles.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using Place3 = std::array<double, 3>;
using Place2 = std::array<double, 2>;

/// Coordinates of a picture are written to 0.1 mm.
constexpr double kWritten = 0.5e-4;  // [m]

constexpr const char* kMachine = R"(<System name="arm"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
  <mechanism.Mechanism name="arm">
    <Body name="boom" at="0.3 0 1.8 m" joint="revolute" axis="0 -1 0" start="40 deg" friction="20 N.m.s/rad"
          mass="12 kg" centre="1.5 0 0 m" inertia="5 10 13 kg.m2"/>
    <Body name="stick" on="boom" at="3 0 0 m" joint="revolute" axis="0 -1 0" start="-70 deg" friction="20 N.m.s/rad"
          mass="9 kg" centre="1 0 0.2 m" inertia="1 3 3 kg.m2"/>
    <Mount name="jack" a="boom" a_at="1 0 0.5 m" b="stick" b_at="-0.5 0 0.2 m" shortest="1.5 m"/>
    <Frame name="tip" on="stick" at="2.2 0 0.1 m"/>
  </mechanism.Mechanism></System>)";

/// A scene with the numbers of a run, drawn.
class DrawnMachine {
 public:
  explicit DrawnMachine(double t, std::string_view view = "all") : system_(kMachine) {
    system_.RunTo(t);
    scene_ = CollectScene(system_.system());
    view_ = *std::ranges::find(SceneViews(), view, &SceneView::name);
    state_.value = [this](const std::string& path) { return system_.Read(path); };
    state_.paths.resize(scene_.size());
  }

  std::string Draw() { return DrawScene(scene_, state_, view_, "arm"); }
  SceneState& state() { return state_; }
  const std::vector<ShownItem>& scene() const { return scene_; }
  const SceneView& view() const { return view_; }
  const SceneItem& Find(std::string_view name) const {
    return std::ranges::find_if(scene_, [&](const ShownItem& one) { return one.item.name == name; })->item;
  }
  std::vector<Place3> At(std::string_view name) {
    std::vector<Place3> places;
    for (const ScenePoint& point : Find(name).points) {
      Place3 at{};
      const SceneCoordinate* const all[] = {&point.x, &point.y, &point.z};
      for (std::size_t i = 0; i < 3; ++i)
        at[i] = all[i]->path().empty() ? all[i]->number() : system_.Read(all[i]->path());
      places.push_back(at);
    }
    return places;
  }

 private:
  SystemHarness system_;
  std::vector<ShownItem> scene_;
  SceneView view_;
  SceneState state_;
};

double Distance(const Place2& a, const Place2& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }

/// The corners of all elements of a class, in metres and upwards.
std::vector<std::vector<Place2>> Corners(const std::string& svg, const std::string& look) {
  std::vector<std::vector<Place2>> found;
  const std::regex element("<poly(?:gon|line) class=\"" + look + "\"[^>]* points=\"([^\"]*)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), element), end; it != end; ++it) {
    std::istringstream numbers((*it)[1].str());
    std::vector<Place2> corners;
    char comma = 0;
    for (double x = 0, y = 0; numbers >> x >> comma >> y;) corners.push_back({x / 1000, -y / 1000});
    found.push_back(corners);
  }
  return found;
}

/// The ends of all lines of a class.
std::vector<std::array<Place2, 2>> Lines(const std::string& svg, const std::string& look) {
  std::vector<std::array<Place2, 2>> found;
  const std::regex element("<line class=\"" + look +
                           "\"[^>]* x1=\"([^\"]*)\" y1=\"([^\"]*)\" x2=\"([^\"]*)\" y2=\"([^\"]*)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), element), end; it != end; ++it) {
    const auto number = [&](std::size_t i) { return std::stod((*it)[i].str()) / 1000; };
    found.push_back({{{number(1), -number(2)}, {number(3), -number(4)}}});
  }
  return found;
}

/// What is to the right and up is so in the picture, and lengths across the line of sight stay.
TEST(DrawScene, ProjectsAlongParallelLines) {
  const auto near = [](const Place2& a, const Place2& b) { EXPECT_LT(Distance(a, b), 1e-12); };
  near(Project(SceneViews()[1], {1, 2, 3}), {1, 3});
  near(Project(SceneViews()[2], {1, 2, 3}), {2, 3});
  EXPECT_LT(Distance(Project(SceneViews()[3], {1, 2, 3}), {1, 2}), 1e-2) << "almost exactly from above";
  for (const SceneView& view : SceneViews()) {
    const double sight = std::hypot(view.from[0], view.from[1], view.from[2]);
    const Place3 towards{view.from[0] / sight, view.from[1] / sight, view.from[2] / sight};
    near(Project(view, towards), {0, 0});
    // The squared lengths of the three axes as they are seen are two in sum.
    double sum = 0;
    for (const Place3& axis : {Place3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
      sum += std::pow(Distance(Project(view, axis), {0, 0}), 2);
    EXPECT_NEAR(sum, 2, 1e-12) << view.name;
  }
}

/// A cylinder is drawn between the projections of its ends, and its rod comes out where the barrel ends.
TEST(DrawScene, CylindersAreWhereTheOutputsSay) {
  for (const double t : {0.0, 0.4}) {
    for (const char* view : {"all", "side"}) {
      DrawnMachine machine(t, view);
      const std::string svg = machine.Draw();
      const auto barrels = Lines(svg, "dark-line"), rods = Lines(svg, "rod-line");
      ASSERT_EQ(barrels.size(), 1U);
      ASSERT_EQ(rods.size(), 1U);
      const std::vector<Place3> ends = machine.At("jack");
      const Place2 from = Project(machine.view(), ends[0]), to = Project(machine.view(), ends[1]);
      EXPECT_LT(Distance(barrels[0][0], from), 2 * kWritten);
      EXPECT_LT(Distance(rods[0][1], to), 2 * kWritten);
      EXPECT_EQ(barrels[0][1], rods[0][0]);
      const double length =
          std::hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]);
      EXPECT_NEAR(Distance(barrels[0][1], from) / Distance(to, from), 0.9 * 1.5 / length, 1e-3);
    }
  }
}

/// Seen from the side, the near face of a plate reaches half its width around each of its points: each corner
/// is so far from one of them, and each point of a corner of the body has such corners.
TEST(DrawScene, PlatesReachAroundTheirPoints) {
  DrawnMachine machine(0.3, "side");
  const auto faces = Corners(machine.Draw(), "body");
  ASSERT_EQ(faces.size(), 2U) << "the base has two points and is round";
  std::set<std::string> found;
  for (const char* name : {"boom", "stick"}) {
    std::vector<Place2> points;
    for (const Place3& at : machine.At(name)) points.push_back(Project(machine.view(), at));
    const double half = machine.Find(name).width / 2;
    const auto distance = [&](const Place2& corner) {
      double least = 1e9;
      for (const Place2& point : points) least = std::min(least, Distance(point, corner));
      return least;
    };
    for (const std::vector<Place2>& face : faces) {
      const bool is_it = std::ranges::all_of(
          face, [&](const Place2& corner) { return std::abs(distance(corner) - half) < 3 * kWritten; });
      if (is_it) found.insert(name);
    }
  }
  EXPECT_EQ(found.size(), 2U);
}

TEST(DrawScene, TheSameNumbersGiveTheSameBytes) {
  DrawnMachine machine(0.2), again(0.2), later(0.3);
  EXPECT_EQ(machine.Draw(), again.Draw());
  EXPECT_EQ(machine.Draw(), machine.Draw());
  EXPECT_NE(machine.Draw(), later.Draw());
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(machine.Draw().c_str()), tinyxml2::XML_SUCCESS);
}

/// What is nearer is painted later.
TEST(DrawScene, PaintsTheNearestLast) {
  std::vector<ShownItem> scene;
  const auto ball = [&](double y, double radius) {
    scene.push_back({nullptr,
                     {.name = "ball",
                      .kind = SceneItem::Kind::kCircle,
                      .text = "",
                      .points = {{0, y, 5}},
                      .radius = radius}});
  };
  ball(-2, 0.5);  // the one who looks is at negative y
  ball(3, 0.25);
  ball(0, 0.75);
  const std::string svg =
      DrawScene(scene, {.value = [](const std::string&) { return 0; }}, SceneViews()[1], "balls");
  const auto at = [&](const char* radius) { return svg.find(std::string("r=\"") + radius + '"'); };
  EXPECT_LT(at("250"), at("750"));
  EXPECT_LT(at("750"), at("500"));
}

/// The stronger the force, the more of its colour; a push has another one than a pull.
TEST(DrawScene, TheColourOfACylinderIsItsForce) {
  const auto colour = [](double force) {
    std::vector<ShownItem> scene{{nullptr,
                                  {.name = "jack",
                                   .kind = SceneItem::Kind::kSegment,
                                   .text = "",
                                   .points = {{0, 0, 0}, {2, 0, 1}},
                                   .width = 0.1,
                                   .barrel = 1,
                                   .force = SceneCoordinate::OfSignal("force")}}};
    return DrawScene(scene, {.value = [=](const std::string&) { return force; }, .most_force = 10},
                     SceneViews()[0], "jack");
  };
  EXPECT_NE(colour(5).find("class=\"push\""), std::string::npos);
  EXPECT_NE(colour(5).find("stroke-opacity=\"0.500\""), std::string::npos);
  EXPECT_NE(colour(-10).find("class=\"pull\""), std::string::npos);
  EXPECT_NE(colour(-10).find("stroke-opacity=\"1.000\""), std::string::npos);
  EXPECT_EQ(colour(0).find("<line class=\"pu"), std::string::npos);
}

TEST(DrawScene, PathsAreDrawnThroughTheirPlaces) {
  DrawnMachine machine(0);
  EXPECT_TRUE(Corners(machine.Draw(), "trace").empty());
  const std::vector<Place3> path{{1, 0, 2}, {2, 0.5, 3}, {2, 1, 0}};
  for (std::size_t i = 0; i < machine.scene().size(); ++i) {
    if (machine.scene()[i].item.kind == SceneItem::Kind::kTrace) machine.state().paths[i] = path;
  }
  const auto traces = Corners(machine.Draw(), "trace");
  ASSERT_EQ(traces.size(), 1U);
  ASSERT_EQ(traces[0].size(), path.size());
  for (std::size_t i = 0; i < path.size(); ++i)
    EXPECT_LT(Distance(traces[0][i], Project(machine.view(), path[i])), 2 * kWritten);
}

/// `--name: #123456` of a block of web/src/styles/theme.css.
std::map<std::string, std::string> ColoursOfThePage(const std::string& css, const std::string& block) {
  std::map<std::string, std::string> colours;
  const std::size_t begin = css.find(block + " {");
  const std::string text = css.substr(begin, css.find('}', begin) - begin);
  const std::regex colour("--([a-z-]+): (#[0-9a-f]{6})");
  for (std::sregex_iterator it(text.begin(), text.end(), colour), end; it != end; ++it)
    colours[(*it)[1].str()] = (*it)[2].str();
  return colours;
}

// A sea has no end, and no grid below it. From the side a wave along x is as high as it is at each place.
TEST(DrawScene, WaterHasTheHeightOfItsWavesAtTheTime) {
  DrawnMachine machine(0, "side");
  std::vector<ShownItem> scene = machine.scene();
  constexpr double kHeight = 0.2, kFrequency = 1.3, kNumber = 2.1, kPhase = 0.4;
  scene.push_back({nullptr,
                   {.name = "surface",
                    .kind = SceneItem::Kind::kSurface,
                    .text = "Sea",
                    .points = {},
                    .waves = {{kHeight, kFrequency, kNumber, 0, kPhase}}}});
  SceneState state = machine.state();
  state.paths.resize(scene.size());
  state.time = 5.5;
  const std::string svg = DrawScene(scene, state, machine.view(), "sea");
  EXPECT_EQ(svg.find("class=\"grid\""), std::string::npos);
  const std::regex line("class=\"water\" points=\"([^\"]*)\"");
  std::size_t places = 0;
  for (std::sregex_iterator found(svg.begin(), svg.end(), line), end; found != end; ++found) {
    std::istringstream numbers((*found)[1].str());
    double x = 0, below = 0;
    char comma = 0;
    while (numbers >> x >> comma >> below) {
      const double z = kHeight * std::cos(kFrequency * 5.5 - kNumber * x / 1000 + kPhase);
      EXPECT_NEAR(-below / 1000, z, kWritten * (1 + kHeight * kNumber));
      ++places;
    }
  }
  EXPECT_GT(places, 1000U);
}

TEST(DrawScene, HasTheColoursOfThePage) {
  std::ifstream file(std::string(DAVIT_SOURCE_DIR) + "/web/src/styles/theme.css");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string css(DrawingCss("scene"));
  const std::size_t dark = css.find("@media");
  const std::map<std::string, std::string> uses{{".body,.scene .round{fill", "solid"},
                                                {".body-line,.scene .round{stroke", "solid"},
                                                {".dark{fill", "solid-dark"},
                                                {".dark-line{stroke", "solid-dark"},
                                                {".rod{fill", "solid-rod"},
                                                {".rod-line{stroke", "solid-rod"},
                                                {".edge{fill", "solid-edge"},
                                                {".grid{stroke", "solid-grid"},
                                                {".wire{stroke", "text"},
                                                {".limit{stroke", "warning"},
                                                {".trace{stroke", "accent"},
                                                {".push{stroke", "push"},
                                                {".pull{stroke", "pull"}};
  const std::pair<std::string, std::string> themes[] = {{":root", css.substr(0, dark)},
                                                        {":root[data-theme=\"dark\"]", css.substr(dark)}};
  for (const auto& [block, rules] : themes) {
    const auto colours = ColoursOfThePage(page, block);
    ASSERT_TRUE(colours.contains("solid")) << block;
    for (const auto& [rule, name] : uses)
      EXPECT_NE(rules.find(rule + ':' + colours.at(name)), std::string::npos) << block << ' ' << rule;
  }
}

}  // namespace
}  // namespace davit
