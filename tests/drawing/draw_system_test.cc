#include "drawing/draw_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "components/register.h"
#include "drawing/diagram.h"
#include "drawing/line_router.h"
#include "drawing/place_nodes.h"
#include "session/simulation.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// A model of a plug-in, whose texts would break XML if they were not escaped.
class Unknown final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Unknown", .text = "\"a\" < & 'c'"};

 private:
  HydraulicPort port_{this, "port", Role::kQ, "Anything", Connecting::kOptional};
  Input u_{this, "u", "", "Anything"};
};

std::vector<fs::path> SystemFiles() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(DAVIT_SOURCE_DIR) / "systems")) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool IsDrawn(const Component& component) {
  return component.model().name.find('.') != std::string_view::npos && !component.entry().is_operator;
}

/// The values of an attribute, of all elements of a drawing whose class begins with `kind`.
class Attributes {
 public:
  explicit Attributes(const std::string& svg) { document_.Parse(svg.c_str(), svg.size()); }
  bool is_well_formed() const { return !document_.Error(); }
  std::vector<std::string> Of(const char* name, std::string_view kind = "") const {
    std::vector<std::string> values;
    if (document_.RootElement() != nullptr) Collect(*document_.RootElement(), name, kind, values);
    return values;
  }
  /// `data-c data-q` of connections, `data-from data-to` of routes.
  std::set<std::string> Pairs(const char* a, const char* b) const {
    std::set<std::string> pairs;
    const std::vector<std::string> first = Of(a), second = Of(b);
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
      pairs.insert(first[i] + ' ' + second[i]);
    return pairs;
  }

 private:
  static void Collect(const tinyxml2::XMLElement& element, const char* name, std::string_view kind,
                      std::vector<std::string>& values) {
    const char* own = element.Attribute("class");
    const char* value = element.Attribute(name);
    if (value != nullptr && std::string_view(own == nullptr ? "" : own).starts_with(kind))
      values.emplace_back(value);
    for (const auto* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      Collect(*e, name, kind, values);
  }

  tinyxml2::XMLDocument document_;
};

class DrawSystemTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { has_graphviz_ = std::system("dot -V > /dev/null 2>&1") == 0; }
  void SetUp() override {
    if (!has_graphviz_) GTEST_SKIP() << "Graphviz is not installed";
    registry_.Add<Unknown>();
  }
  System& Load(const std::string& text) {
    simulation_ = Simulation::LoadText(text, "test.xml", registry_).Take();
    return simulation_->system();
  }
  Diagram Lay(System& system) {
    Diagram diagram = Diagram::Of(system);
    PlaceNodes(system, diagram);
    RouteLines(diagram);
    return diagram;
  }

  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
  static inline bool has_graphviz_ = false;
};

TEST_F(DrawSystemTest, HasAllOfEachSystem) {
  for (const fs::path& file : SystemFiles()) {
    SCOPED_TRACE(file.filename());
    const std::unique_ptr<Simulation> simulation = Simulation::Load(file, registry_).Take();
    System& system = simulation->system();
    const std::string svg = DrawSystem(system);
    EXPECT_EQ(svg, DrawSystem(system)) << "the same bytes each time";
    const std::unique_ptr<Simulation> again = Simulation::Load(file, registry_).Take();
    EXPECT_EQ(svg, DrawSystem(again->system()));

    const Attributes drawing(svg);
    ASSERT_TRUE(drawing.is_well_formed());
    const std::vector<std::string> ids = drawing.Of("id");
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size()) << "ids are unique";

    std::set<std::string> components;
    for (const std::string& path : drawing.Of("data-path", "component")) components.insert(path);
    for (const std::string& path : drawing.Of("data-path", "subsystem")) components.insert(path);
    for (const Component* component : system.components()) {
      if (IsDrawn(*component)) {
        EXPECT_TRUE(components.contains(component->path())) << component->path();
      }
    }
    const std::set<std::string> connections = drawing.Pairs("data-c", "data-q");
    for (const Connection& connection : system.connections())
      EXPECT_TRUE(connections.contains(connection.c.path + ' ' + connection.q.path)) << connection.c.path;
    EXPECT_EQ(drawing.Of("data-c").size(), system.connections().size()) << "each once";
    const std::set<std::string> routes = drawing.Pairs("data-from", "data-to");
    for (const Route& route : system.routes()) {
      if (!IsDrawn(route.from.owner()) || !IsDrawn(*route.to_owner)) continue;
      std::string to = route.to_path;
      if (route.to->is_array) to += '[' + std::to_string(route.element) + ']';
      EXPECT_TRUE(routes.contains(route.from.path() + ' ' + to)) << to;
    }
    // What a live view reads is there to be read.
    for (const char* attribute : {"data-signal", "data-effort", "data-flow"}) {
      for (const std::string& path : drawing.Of(attribute)) {
        Fault fault;
        EXPECT_TRUE(system.FindVariable(system.root(), path, &fault)) << attribute << ' ' << path;
      }
    }
    for (const std::string& path : drawing.Of("data-path", "level-badge"))
      EXPECT_TRUE(system.Find(path)->level()) << path;
  }
}

/// Whether a line from a to b, level or upright, has a point inside the box.
bool Crosses(const DiagramPoint& a, const DiagramPoint& b, const DiagramBox& box) {
  return std::max(a.x, b.x) > box.left && std::min(a.x, b.x) < box.right && std::max(a.y, b.y) > box.top &&
         std::min(a.y, b.y) < box.bottom;
}

TEST_F(DrawSystemTest, AFileHasColoursInPlaceOfVariables) {
  const std::string page = DrawSystem(Load(R"(<System name="one"><hydraulic.Tank name="tank"/>
  <hydraulic.FlowSource name="source"/><Connect from="source.port" to="tank.port"/></System>)"));
  ASSERT_THAT(page, HasSubstr(".davit text{fill:var(--text)"));
  const std::string file = WithoutVariables(page);
  EXPECT_THAT(file, testing::Not(HasSubstr("var(")));
  EXPECT_THAT(file, testing::Not(HasSubstr("--")));
  const std::size_t dark = file.find("@media (prefers-color-scheme:dark){");
  EXPECT_LT(file.find(".davit text{fill:#263238"), dark);
  EXPECT_GT(file.find(".davit text{fill:#eceff1"), dark);
  EXPECT_EQ(file.substr(file.find("</style>")), page.substr(page.find("</style>")));
}

TEST_F(DrawSystemTest, LinesRunAroundSymbolsAndMeetTheirAnchors) {
  for (const fs::path& file : SystemFiles()) {
    SCOPED_TRACE(file.filename());
    const std::unique_ptr<Simulation> simulation = Simulation::Load(file, registry_).Take();
    const Diagram diagram = Lay(simulation->system());
    for (const DiagramLine& line : diagram.lines) {
      ASSERT_GE(line.points.size(), 2U);
      const std::string name = diagram.nodes[line.from.node].path + " - " + diagram.nodes[line.to.node].path;
      for (std::size_t i = 1; i < line.points.size(); ++i) {
        const DiagramPoint &a = line.points[i - 1], &b = line.points[i];
        EXPECT_TRUE(a.x == b.x || a.y == b.y) << name;
        for (const DiagramNode& node : diagram.nodes)
          EXPECT_FALSE(Crosses(a, b, node.box().MovedBy(node.place.x, node.place.y)))
              << name << ", " << node.path;
      }
      const auto meets = [&](const DiagramEnd& end, const DiagramPoint& point) {
        const DiagramNode& node = diagram.nodes[end.node];
        const Anchor& anchor = node.symbol.anchors.at(end.anchor);
        EXPECT_EQ(anchor.name, end.name);
        EXPECT_EQ(node.At(anchor).x, point.x) << name;
        EXPECT_EQ(node.At(anchor).y, point.y) << name;
      };
      if (line.mark != DiagramLine::Mark::kFrom) meets(line.from, line.points.front());
      if (line.mark != DiagramLine::Mark::kTo) meets(line.to, line.points.back());
    }
  }
}

TEST_F(DrawSystemTest, SymbolsAndNamesDoNotOverlap) {
  for (const fs::path& file : SystemFiles()) {
    SCOPED_TRACE(file.filename());
    const std::unique_ptr<Simulation> simulation = Simulation::Load(file, registry_).Take();
    const Diagram diagram = Lay(simulation->system());
    struct Part {
      std::string name;
      std::size_t node;
      DiagramBox box;
    };
    std::vector<Part> parts;
    for (std::size_t i = 0; i < diagram.nodes.size(); ++i) {
      const DiagramNode& node = diagram.nodes[i];
      parts.push_back({node.path, i, node.box().MovedBy(node.place.x, node.place.y)});
      parts.push_back({"name of " + node.path, i, node.label_box().MovedBy(node.place.x, node.place.y)});
    }
    for (const Part& a : parts) {
      for (const Part& b : parts) {
        if (a.node >= b.node) continue;
        const bool overlaps = a.box.left < b.box.right && b.box.left < a.box.right &&
                              a.box.top < b.box.bottom && b.box.top < a.box.bottom;
        EXPECT_FALSE(overlaps) << a.name << ", " << b.name;
      }
    }
  }
}

constexpr std::string_view kPlaced = R"(<System name="placed">
  <hydraulic.Tank name="tank"/>
  <hydraulic.FixedDisplacementPump name="pump"/>
  <hydraulic.Volume name="line"/>
  <Connect from="pump.in" to="tank.port"/>
  <Connect from="pump.out" to="line.port"/>
  <Layout>
    <Place name="pump" x="200" y="-80" rotation="90" mirror="true"/>
    <Place name="line" x="200" y="400"/>
  </Layout>
</System>)";

TEST_F(DrawSystemTest, PutsComponentsWhereTheFileSays) {
  const Diagram diagram = Lay(Load(std::string(kPlaced)));
  const DiagramNode& pump = diagram.nodes[1];
  ASSERT_EQ(pump.path, "pump");
  EXPECT_EQ(pump.place.x, 200);
  EXPECT_EQ(pump.place.y, -80);
  // The outlet, at the right of the symbol: mirrored to the left, turned clockwise to the top.
  const auto outlet = std::ranges::find(pump.symbol.anchors, "out", &Anchor::name);
  EXPECT_EQ(pump.Turned(outlet->side), Side::kTop);
  EXPECT_EQ(pump.At(*outlet).x, 200);
  EXPECT_EQ(pump.At(*outlet).y, -80 - outlet->x);
  EXPECT_EQ(diagram.nodes[2].place.y, 400);
  EXPECT_THAT(DrawSystem(simulation_->system()), HasSubstr("rotate(90) scale(-1 1)"));
}

// Where there is an end for each line on the side that they lead to, none goes around the symbol.
TEST_F(DrawSystemTest, LinesLeaveAVolumeOnTheSideThatTheyLeadTo) {
  for (const bool is_at_right : {true, false}) {
    const std::string x = is_at_right ? "240" : "-240";
    const Diagram diagram = Lay(Load(R"(<System name="rail">
      <hydraulic.Tank name="tank"/><hydraulic.Volume name="rail"/>
      <hydraulic.ReliefValve name="v1"/><hydraulic.ReliefValve name="v2"/><hydraulic.ReliefValve name="v3"/>
      <Connect from="v1.in" to="rail.port"/><Connect from="v1.out" to="tank.port"/>
      <Connect from="v2.in" to="rail.port"/><Connect from="v2.out" to="tank.port"/>
      <Connect from="v3.in" to="rail.port"/><Connect from="v3.out" to="tank.port"/>
      <Layout><Place name="rail" x="0" y="0"/><Place name="v1" x=")" +
                                     x + R"(" y="-160"/>
        <Place name="v2" x=")" + x + R"(" y="-240"/><Place name="v3" x=")" +
                                     x + R"(" y="-320"/></Layout></System>)"));
    std::set<double> heights;
    for (const DiagramLine& line : diagram.lines) {
      for (const DiagramEnd& end : {line.from, line.to}) {
        const DiagramNode& node = diagram.nodes[end.node];
        if (node.path != "rail") continue;
        const Anchor& anchor = node.symbol.anchors[end.anchor];
        EXPECT_EQ(anchor.side, is_at_right ? Side::kRight : Side::kLeft);
        heights.insert(anchor.y);
      }
    }
    EXPECT_EQ(heights.size(), 3U) << "an end of its own for each";
  }
}

TEST_F(DrawSystemTest, FourQuarterTurnsAreNone) {
  DiagramNode node;
  node.symbol = MakeBox(64, 32);
  for (const bool is_mirrored : {false, true}) {
    node.place = {.x = 0, .y = 0, .rotation = 0, .is_mirrored = is_mirrored};
    const DiagramPoint first = node.Turned(3.0, 5.0);
    DiagramPoint at = first;
    node.place.is_mirrored = false;
    node.place.rotation = 90;
    for (int i = 0; i < 4; ++i) at = node.Turned(at.x, at.y);
    EXPECT_EQ(at.x, first.x);
    EXPECT_EQ(at.y, first.y);
  }
}

TEST_F(DrawSystemTest, PlacesDoNotChangeResults) {
  const auto run = [&](const std::string& text) {
    Load(text);
    simulation_->Initialize();
    for (int i = 0; i < 20; ++i) simulation_->Step();
    return simulation_->system().FindVariable(simulation_->system().root(), "line.p", nullptr)->Read();
  };
  std::string without(kPlaced);
  const std::size_t layout = without.find("<Layout>"), end = without.find("</System>");
  without.erase(layout, end - layout);
  EXPECT_EQ(run(std::string(kPlaced)), run(without));
}

TEST_F(DrawSystemTest, UnknownModelsAreBlocksWithTheirPorts) {
  const std::string svg = DrawSystem(Load(R"(<System name="a &amp; b">
    <test.Unknown name="thing"/><hydraulic.Volume name="line"/><signal.Sine name="wave"/>
    <Connect from="thing.port" to="line.port"/><Route from="wave.y" to="thing.u"/></System>)"));
  const Attributes drawing(svg);
  ASSERT_TRUE(drawing.is_well_formed());
  EXPECT_THAT(drawing.Of("data-model", "component"), testing::Contains("test.Unknown"));
  EXPECT_THAT(svg, HasSubstr(">Unknown</text>"));
  EXPECT_THAT(svg, HasSubstr("&quot;a&quot; &lt; &amp;"));
}

TEST_F(DrawSystemTest, ManyServosEndInMarksAndAreAllThere) {
  // One supply and one return for 60 valves: lines to them all would be a wall.
  const std::string svg = DrawSystem(Load(R"(<System name="many">
    <hydraulic.Volume name="supply"/><hydraulic.Tank name="tank"/>
    <For name="i" from="1" to="60">
      <hydraulic.DirectionalValve22 name="in{i}"/><hydraulic.Volume name="chamber{i}"/>
      <hydraulic.DirectionalValve22 name="out{i}"/>
      <Connect from="in{i}.a" to="supply.port"/><Connect from="in{i}.b" to="chamber{i}.port"/>
      <Connect from="out{i}.a" to="chamber{i}.port"/><Connect from="out{i}.b" to="tank.port"/>
    </For></System>)"));
  const Attributes drawing(svg);
  EXPECT_EQ(drawing.Of("data-c").size(), 240U);
  EXPECT_EQ(drawing.Of("data-path", "mark").size(), 118U) << "all but the first to each";
}

}  // namespace
}  // namespace davit
