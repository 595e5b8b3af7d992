#include "app/drawing/graph_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/exit_code.h"
#include "components/register.h"
#include "session/simulation.h"
#include "simulator/simulator_manager.h"
#include "simulator/tlm_component.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A source of power and signals whose texts would break HTML, DOT and XML if they were not escaped.
class Awkward final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Awkward", .text = "\"a\" < \\b & 'c' > \\N {d}"};

 private:
  HydraulicPort port_{this, "port", Role::kQ, "<b>\"&\\", Connecting::kOptional};
};

/// A delay between two masses that does not even delay anything.
class Line final : public TlmComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Line", .text = "Delay"};
  void SimulateOneTimestep(double /*t*/) override {}

 private:
  TranslationalPort a_{this, "a", Role::kC, "One end"};
  TranslationalPort b_{this, "b", Role::kC, "Other end"};
};

/// Two islands, a source that both read, and a route between them.
constexpr std::string_view kTwoIslands = R"(<System name="two">
  <signal.Sine name="source"/>
  <signal.Sine name="own"/>
  <mechanical.MassSpringDamper name="first"/>
  <mechanical.MassSpringDamper name="second"/>
  <mechanical.Force name="push"/>
  <mechanical.Mass name="mass"/>
  <mechanical.Force name="held"/>
  <signal.Gain name="gain"/>
  <signal.Gain name="gain2" gain="1 N/m"/>
  <Connect from="push.port" to="mass.a"/>
  <Connect from="held.port" to="mass.b"/>
  <Route from="source.y" to="first.force"/>
  <Route from="source.y" to="push.force"/>
  <Route from="own.y" to="gain.u"/>
  <Route from="gain.y" to="second.force"/>
  <Route from="first.x" to="gain2.u"/>
  <Route from="gain2.y" to="held.force" hold="step"/>
</System>)";

class GraphCommand : public testing::Test {
 protected:
  GraphCommand() {
    registry_.Add<Awkward, Line>();
    fs::create_directories(folder_);
  }
  ~GraphCommand() override { fs::remove_all(folder_); }

  std::string Dot(std::string_view text) {
    simulation_ = Simulation::LoadText(text, "test.xml", registry_).Take();
    return MakeDot(simulation_->system());
  }

  fs::path Write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  int Run(const fs::path& system, const fs::path& output) {
    out_.str({});
    err_.str({});
    return RunGraph({system, output}, registry_, out_, err_);
  }

  static std::string Read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// The attributes of the edge with this id; empty if there is none.
  static std::string Edge(const std::string& dot, const std::string& id) {
    std::istringstream stream(dot);
    for (std::string line; std::getline(stream, line);) {
      if (line.find(" -> ") != std::string::npos && line.find("[id=\"" + id + '"') != std::string::npos)
        return line;
    }
    return {};
  }

  /// The number of the cluster a component lies in; 0 for none, -1 if it is not drawn once.
  static int Cluster(const std::string& dot, const std::string& name) {
    std::istringstream stream(dot);
    int cluster = 0;
    int found = -1;
    for (std::string line; std::getline(stream, line);) {
      if (line.starts_with("  subgraph cluster_")) cluster = std::stoi(line.substr(19));
      if (line == "  }") cluster = 0;
      if (line.find('"' + name + "\" [id=\"" + name + '"') == std::string::npos) continue;
      if (found >= 0) return -1;
      found = cluster;
    }
    return found;
  }

  static bool HasGraphviz() { return std::system("dot -V > /dev/null 2>&1") == 0; }

  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("graph_command_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(GraphCommand, PutsComponentsIntoTheirIslands) {
  const std::string dot = Dot(kTwoIslands);
  EXPECT_GT(Cluster(dot, "first"), 0);
  EXPECT_GT(Cluster(dot, "mass"), 0);
  EXPECT_NE(Cluster(dot, "first"), Cluster(dot, "mass"));
  EXPECT_EQ(Cluster(dot, "push"), Cluster(dot, "mass"));
  EXPECT_EQ(Cluster(dot, "source"), 0) << "read by several islands";
  EXPECT_EQ(Cluster(dot, "own"), Cluster(dot, "second")) << "read by one, through another source";
  EXPECT_EQ(Cluster(dot, "gain"), Cluster(dot, "second"));
  for (const Component* component : simulation_->system().components()) {
    if (component->model().name == "SimulatorManager") continue;
    EXPECT_GE(Cluster(dot, component->path()), 0) << component->path();
  }
  EXPECT_EQ(Cluster(dot, "SimulatorManager"), -1);
}

TEST_F(GraphCommand, DelaysLieBetweenIslands) {
  const std::string dot = Dot(R"(<System>
    <mechanical.Mass name="left" solver="Differential"/>
    <test.Line name="line"/>
    <mechanical.Mass name="right" solver="Differential"/>
    <Connect from="left.b" to="line.a"/>
    <Connect from="line.b" to="right.a"/>
  </System>)");
  EXPECT_EQ(Cluster(dot, "line"), 0);
  EXPECT_THAT(dot, HasSubstr("test.Line, Tlm"));
  EXPECT_GT(Cluster(dot, "left"), 0);
  EXPECT_GT(Cluster(dot, "right"), 0);
  EXPECT_NE(Cluster(dot, "left"), Cluster(dot, "right"));
}

TEST_F(GraphCommand, DashesSampledRoutes) {
  const std::string dot = Dot(kTwoIslands);
  EXPECT_THAT(Edge(dot, "source.y->first.force"), Not(HasSubstr("dashed")));
  EXPECT_THAT(Edge(dot, "source.y->push.force"), Not(HasSubstr("dashed")));
  EXPECT_THAT(Edge(dot, "own.y->gain.u"), Not(HasSubstr("dashed")));
  EXPECT_THAT(Edge(dot, "gain.y->second.force"), Not(HasSubstr("dashed")));
  EXPECT_THAT(Edge(dot, "gain2.y->held.force"), HasSubstr("dashed"));
  EXPECT_THAT(dot, HasSubstr("sampled at communication points"));
}

TEST_F(GraphCommand, DrawsEveryConnectionOnceAndUndirected) {
  const std::string dot = Dot(kTwoIslands);
  for (const char* id : {"push.port--mass.a", "mass.b--held.port"}) {
    EXPECT_THAT(Edge(dot, id), HasSubstr("dir=none"));
    EXPECT_THAT(Edge(dot, id), HasSubstr("(translational)"));
  }
}

TEST_F(GraphCommand, ShowsPathsOfSubsystemsAndStates) {
  Write("inner.xml", "<System><mechanical.MassSpringDamper name=\"msd\"/></System>");
  const fs::path outer = Write("outer.xml", "<System><Subsystem name=\"crane\" src=\"inner.xml\"/></System>");
  ASSERT_EQ(Run(outer, folder_ / "x.dot"), kDone) << err_.str();
  const std::string dot = Read(folder_ / "x.dot");
  EXPECT_EQ(Cluster(dot, "crane.msd"), 1);
  EXPECT_THAT(dot, HasSubstr(">crane.</FONT><B>msd</B>"));
  EXPECT_THAT(dot, HasSubstr("island 1: 2 states, auto"));
  EXPECT_THAT(out_.str(), StartsWith((folder_ / "x.dot").string() + ": 1 component in 1 island"));
}

TEST_F(GraphCommand, FeedbackDoesNotShapeTheLayout) {
  const std::string dot = Dot(R"(<System>
    <signal.Constant name="wanted"/>
    <signal.PID name="controller"/>
    <mechanical.Force name="push"/>
    <mechanical.Mass name="mass"/>
    <Connect from="push.port" to="mass.a"/>
    <Route from="mass.x" to="controller.measurement"/>
    <Route from="wanted.y" to="controller.setpoint"/>
    <Route from="controller.y" to="push.force"/>
  </System>)");
  EXPECT_THAT(Edge(dot, "mass.x->controller.measurement"), HasSubstr("constraint=false"));
  EXPECT_THAT(Edge(dot, "controller.y->push.force"), Not(HasSubstr("constraint")));
  EXPECT_THAT(Edge(dot, "wanted.y->controller.setpoint"), Not(HasSubstr("constraint")));
}

TEST_F(GraphCommand, MakesAnSvgWithUniqueIds) {
  if (!HasGraphviz()) GTEST_SKIP() << "no Graphviz";
  const fs::path system = Write("two.xml", kTwoIslands);
  ASSERT_EQ(Run(system, folder_ / "two.svg"), kDone) << err_.str();
  tinyxml2::XMLDocument svg;
  ASSERT_EQ(svg.Parse(Read(folder_ / "two.svg").c_str()), tinyxml2::XML_SUCCESS);
  std::multiset<std::string> ids;
  std::vector<const tinyxml2::XMLElement*> open{svg.RootElement()};
  while (!open.empty()) {
    const tinyxml2::XMLElement* element = open.back();
    open.pop_back();
    if (const char* id = element->Attribute("id")) ids.insert(id);
    for (const auto* e = element->FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      open.push_back(e);
  }
  for (const std::string& id : ids) EXPECT_EQ(ids.count(id), 1U) << id;
  for (const char* id : {"source", "first", "mass", "island-1", "island-2", "a_mass.a", "a_first.force"}) {
    EXPECT_EQ(ids.count(id), 1U) << id;
  }
}

TEST_F(GraphCommand, EscapesWhateverTextsAModelHas) {
  if (!HasGraphviz()) GTEST_SKIP() << "no Graphviz";
  const fs::path system = Write(
      "awkward.xml", R"(<System name="a &lt; &quot;b&quot; &amp; \c"><test.Awkward name="x"/></System>)");
  ASSERT_EQ(Run(system, folder_ / "awkward.svg"), kDone) << err_.str();
  tinyxml2::XMLDocument svg;
  ASSERT_EQ(svg.Parse(Read(folder_ / "awkward.svg").c_str()), tinyxml2::XML_SUCCESS);
  tinyxml2::XMLPrinter printer;
  svg.Print(&printer);
  EXPECT_THAT(printer.CStr(), HasSubstr("&quot;a&quot; &lt; \\b &amp; &apos;c&apos; &gt; \\N {d}"));
}

TEST_F(GraphCommand, WritesEveryFormatByItsExtension) {
  if (!HasGraphviz()) GTEST_SKIP() << "no Graphviz";
  const fs::path system = Write("two.xml", kTwoIslands);
  for (const auto& [name, begin] : std::vector<std::pair<std::string, std::string>>{
           {"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.PDF", "%PDF"}, {"a.dot", "digraph \"two\" {"}}) {
    EXPECT_EQ(Run(system, folder_ / name), kDone) << err_.str();
    EXPECT_THAT(Read(folder_ / name), StartsWith(begin));
  }
}

TEST_F(GraphCommand, ReportsWrongInputInOnePass) {
  EXPECT_EQ(Run(folder_ / "none.xml", folder_ / "x.jpg"), kWrongInput);
  EXPECT_THAT(
      err_.str(),
      HasSubstr("x.jpg: error: '.jpg' is not a format of drawings; name it .svg, .png, .pdf or .dot\n"));
  EXPECT_THAT(err_.str(), HasSubstr("cannot read"));
  const fs::path wrong = Write("wrong.xml", "<System>\n<mechanical.Mas name=\"m\"/>\n</System>");
  EXPECT_EQ(Run(wrong, folder_ / "x.dot"), kWrongInput);
  EXPECT_THAT(err_.str(),
              HasSubstr("wrong.xml:2: error: /: no model 'mechanical.Mas'; did you mean 'mechanical.Mass'?"));
  EXPECT_FALSE(fs::exists(folder_ / "x.dot"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(GraphCommand, SaysWhatToInstallWithoutGraphviz) {
  const fs::path system = Write("two.xml", kTwoIslands);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const int code = Run(system, folder_ / "x.svg");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(code, kRunFailed);
  EXPECT_THAT(err_.str(), HasSubstr("apt install graphviz"));
  EXPECT_FALSE(fs::exists(folder_ / "x.svg"));
}

TEST_F(GraphCommand, SaysWhyAFileCannotBeWritten) {
  const fs::path system = Write("two.xml", kTwoIslands);
  EXPECT_EQ(Run(system, folder_ / "missing" / "x.dot"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("missing"));
}

TEST_F(GraphCommand, DrawsWithSymbols) {
  const fs::path system = Write("two.xml", kTwoIslands);
  const auto draw = [&](const fs::path& output) {
    out_.str({});
    err_.str({});
    return RunGraph({.system = system, .output = output, .has_symbols = true}, registry_, out_, err_);
  };
  EXPECT_EQ(draw(folder_ / "two.png"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("a drawing with symbols is an SVG; give it a name that ends in .svg"));
  if (!HasGraphviz()) GTEST_SKIP() << "Graphviz is not installed";
  EXPECT_EQ(draw(folder_ / "two.svg"), kDone) << err_.str();
  EXPECT_THAT(Read(folder_ / "two.svg"), HasSubstr("data-path=\"first\""));
  EXPECT_EQ(draw(folder_ / "none" / "two.svg"), kWrongInput);
}

constexpr std::string_view kArms = R"(<System name="arms"><SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <mechanism.Mechanism name="left_arm">
    <Body name="boom" at="0 0 2 m" joint="revolute" axis="0 -1 0" mass="10 kg" centre="1 0 0 m" inertia="1 5 5 kg.m2"/>
    <Frame name="tip" on="boom" at="2 0 0 m"/>
  </mechanism.Mechanism>
  <mechanism.Mechanism name="right_arm">
    <Body name="boom" at="4 0 2 m" joint="revolute" axis="0 -1 0" mass="10 kg" centre="1 0 0 m" inertia="1 5 5 kg.m2"/>
    <Frame name="tip" on="boom" at="2 0 0 m"/>
  </mechanism.Mechanism></System>)";

// Law: what is marked is what CompareSystems finds, each with its kind; without differences there is no mark.
TEST_F(GraphCommand, ColoursWhatDiffersFromAnEarlierVersion) {
  if (!HasGraphviz()) GTEST_SKIP() << "Graphviz is not installed";
  const auto text = [](std::string_view inside) {
    return fmt::format(R"(<System name="s"><mechanical.Fixed name="wall"/><mechanical.Mass name="load"/>{}
<Connect from="wall.port" to="spring.a"/><Connect from="spring.b" to="load.a"/></System>)",
                       inside);
  };
  const fs::path before = Write("before.xml", text(R"(<mechanical.Spring name="spring" stiffness="1 N/m"/>
<mechanical.Damper name="damper"/><Connect from="wall.port" to="damper.a"/><Connect from="damper.b" to="load.a"/>)"));
  const fs::path now = Write("now.xml", text(R"(<mechanical.Spring name="spring" stiffness="2 N/m"/>
<mechanical.Force name="push"/><Connect from="push.port" to="load.b"/><Layout><Place name="load" x="8" y="8"/></Layout>)"));
  const fs::path picture = folder_ / "changes.svg";
  const auto draw = [&](const fs::path& system) {
    err_.str("");
    return RunGraph({.system = system, .output = picture, .changes_from = before}, registry_, out_, err_);
  };
  ASSERT_EQ(draw(now), kDone) << err_.str();
  std::string drawn = Read(picture);
  drawn = drawn.substr(drawn.find("<g class=\"changes\">"), std::string::npos);
  const std::string marks = drawn.substr(0, drawn.find("class=\"lines\""));
  std::multiset<std::string> found;
  const std::regex box("class=\"change is-(\\w+)\" data-path=\"([^\"]*)\"|class=\"change-line is-(\\w+)\"");
  for (auto it = std::sregex_iterator(marks.begin(), marks.end(), box); it != std::sregex_iterator(); ++it)
    found.insert((*it)[1].matched ? (*it)[2].str() + " " + (*it)[1].str() : "line " + (*it)[3].str());
  EXPECT_EQ(found, (std::multiset<std::string>{"damper removed", "line added", "line removed", "line removed",
                                               "push added", "spring changed"}));
  ASSERT_EQ(draw(before), kDone) << err_.str();
  EXPECT_THAT(Read(picture), HasSubstr("<g class=\"changes\">\n</g>"));
  // It is an SVG with symbols, and both versions are checked.
  EXPECT_EQ(
      RunGraph({.system = now, .output = folder_ / "c.png", .changes_from = before}, registry_, out_, err_),
      kWrongInput);
  EXPECT_EQ(RunGraph({.system = now, .output = picture, .changes_from = folder_ / "none.xml"}, registry_,
                     out_, err_),
            kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("give it a name that ends in .svg"), HasSubstr("none.xml")));
}

TEST_F(GraphCommand, DrawsAMechanism) {
  const fs::path system = Write("arms.xml", kArms);
  const fs::path picture = folder_ / "arms.svg";
  const auto draw = [&](const std::string& scene, const std::string& view = "all",
                        const std::string& time = {}) {
    out_.str({});
    err_.str({});
    return RunGraph({.system = system, .output = picture, .scene = scene, .view = view, .time = time},
                    registry_, out_, err_);
  };
  ASSERT_EQ(draw("*"), kDone) << err_.str();
  const std::string both = Read(picture);
  ASSERT_EQ(draw("left_arm"), kDone) << err_.str();
  const std::string left = Read(picture);
  EXPECT_LT(left.size(), both.size());
  EXPECT_THAT(left, HasSubstr("<title>arms, 0 s</title>"));
  EXPECT_THAT(left, Not(HasSubstr("class=\"trace\" points")));
  ASSERT_EQ(draw("left_arm", "all", "500 ms"), kDone) << err_.str();
  const std::string later = Read(picture);
  EXPECT_THAT(later, HasSubstr("<title>arms, 0.5 s</title>"));
  EXPECT_THAT(later, HasSubstr("class=\"trace\" points")) << "the path of its frame";
  ASSERT_EQ(draw("left_arm", "all", "500 ms"), kDone);
  EXPECT_EQ(Read(picture), later) << "the same bytes";
  // In SI without a unit, at the step point that is not before it, and at the ends of the run.
  const std::vector<std::pair<std::string, std::string>> times{
      {"0.495", "0.5 s"}, {"0 s", "0 s"}, {"0", "0 s"}, {"1 s", "1 s"}};
  for (const auto& [time, shown] : times) {
    ASSERT_EQ(draw("left_arm", "all", time), kDone) << err_.str();
    EXPECT_THAT(Read(picture), HasSubstr(fmt::format("<title>arms, {}</title>", shown))) << time;
  }
  ASSERT_EQ(draw("left_arm", "side"), kDone) << err_.str();
  EXPECT_NE(Read(picture), left);

  EXPECT_EQ(draw("lef_arm"), kWrongInput);
  EXPECT_EQ(err_.str(),
            "--scene lef_arm: error: no component 'lef_arm' shows a mechanism; did you mean 'left_arm'?\n");
  EXPECT_EQ(draw("SimulatorManager"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("those that do: left_arm, right_arm"));
  EXPECT_EQ(draw("*", "sid"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("no view 'sid'; did you mean 'side'?"));
  EXPECT_EQ(RunGraph({.system = system, .output = folder_ / "arms.png", .scene = "*"}, registry_, out_, err_),
            kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("a drawing of a mechanism is an SVG; give it a name that ends in .svg"));
  EXPECT_EQ(draw("*", "all", "5 kg"), kWrongInput);
  EXPECT_EQ(err_.str(), "--time: error: '5 kg' is kg, but s is needed; write for example 5 s\n");
  EXPECT_EQ(draw("*", "all", "1.5 s"), kWrongInput);
  EXPECT_EQ(err_.str(), "--time: error: 1.5 s is not within the run, 0 s to 1 s; choose a time in it\n");
}

}  // namespace
}  // namespace davit
