// FMUs alone, the cache in which they are unpacked, and results of other tools.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "fmi/fmu_check.h"
#include "fmi/import/fmu_cache.h"
#include "fmi/import/fmu_declarer.h"
#include "fmi/import/foreign_results.h"
#include "fmi/import/lone_fmu.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FmuCacheTest, UnpacksOnceForEachContent) {
  ModelsWithFmus();
  const std::filesystem::path ball = PackBall2();
  const std::filesystem::path folder = UnpackToCache(ball);
  EXPECT_EQ(folder.parent_path(), FmuCacheFolder());
  std::ofstream(folder / "mark") << "x";
  EXPECT_EQ(UnpackToCache(ball), folder);
  EXPECT_TRUE(std::filesystem::exists(folder / "mark"));  // it was not unpacked again
  std::filesystem::remove_all(folder);
  EXPECT_NE(UnpackToCache(PackBall3()), folder);
  for (const auto& entry : std::filesystem::directory_iterator(FmuCacheFolder()))
    EXPECT_EQ(entry.path().filename().string().size(), 64) << entry.path();
}

/// Packs the ball with a text in its description that makes its content another.
std::filesystem::path PackBallWith(const std::string& text, const std::string& platform = "linux64") {
  return PackFmu("ball", BallDescription2() + "<!-- " + text + " -->", "ball2", platform);
}

/// The names in the cache.
std::set<std::string> NamesInCache() {
  std::set<std::string> names;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(FmuCacheFolder(), fault))
    names.insert(entry.path().filename().string());
  return names;
}

// Law: what is run is what the archive has, whatever has happened to the cache.
TEST(FmuCacheTest, DamagedFilesAreReplaced) {
  ModelsWithFmus();
  const std::filesystem::path ball = PackBallWith("damaged");
  const std::filesystem::path library = UnpackToCache(ball) / "binaries/linux64/ball2.so";
  const std::string whole = ReadAll(library);
  const std::vector<std::function<void()>> damages{
      [&] { std::filesystem::resize_file(library, whole.size() / 2); },
      [&] { std::ofstream(library, std::ios::binary) << std::string(whole.size(), '\0'); },
      [&] { std::filesystem::remove(library); }, [&] { std::filesystem::remove_all(library.parent_path()); },
      [&] {
        std::filesystem::remove(library);
        std::filesystem::create_directory(library);
      }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    damages[i]();
    EXPECT_EQ(UnpackToCache(ball) / "binaries/linux64/ball2.so", library);
    EXPECT_TRUE(ReadAll(library) == whole) << i;
  }
}

// Law: a process that was killed leaves nothing behind for long, and one that still unpacks is not disturbed.
TEST(FmuCacheTest, RemainsOfOthersAreRemovedUnlessTheyAreInUse) {
  ModelsWithFmus();
  const std::filesystem::path left = FmuCacheFolder() / "unpacking-left00",
                              used = FmuCacheFolder() / "unpacking-used00";
  for (const auto& folder : {left, used}) std::filesystem::create_directories(folder / "fmu/binaries");
  const int lock = open(used.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  UnpackToCache(PackBallWith("remains"));
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(used));
  close(lock);
  std::filesystem::remove_all(used);
}

// Law: an FMU is unpacked when it is to be run, not before.
TEST(FmuCacheTest, DescriptionsAndRefusalsUnpackNothing) {
  ModelsWithFmus();
  const std::set<std::string> before = NamesInCache();
  Diagnostics diagnostics;
  const LoneFmu described(PackBallWith("described"), {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(described.Describe().name, "ball.fmu");
  const std::string element = R"(<fmi.Fmu name="ball" file="ball.fmu"/>)";
  PackBallWith("for another machine", "win64");
  EXPECT_THAT(FaultsWithFmus(element), HasSubstr("it has win64"));
  EXPECT_THROW(CheckFmu(FreshFolder() / "ball.fmu", {}, diagnostics), std::runtime_error);
  PackFmu("ball", Replaced(BallDescription2(), "name=\"v\"", "name=\"h\""), "ball2");
  EXPECT_THAT(FaultsWithFmus(element), HasSubstr("there are two variables"));
  EXPECT_EQ(NamesInCache(), before);
  PackBallWith("run");
  EXPECT_EQ(FaultsWithFmus(element), "");
  EXPECT_EQ(NamesInCache().size(), before.size() + 1);
}

TEST(FmuNamesTest, ArePathsOfItems) {
  EXPECT_EQ(ItemNameOf("load.x"), "load.x");
  EXPECT_EQ(ItemNameOf("A[1,2].r[3]"), "A.1.2.r.3");
  EXPECT_EQ(ItemNameOf("der(load.x)"), "der(load.x)");
  EXPECT_EQ(ItemNameOf("my variable/2"), "my_variable_2");
}

TEST(LoneFmuTest, DescribesWhatItHas) {
  ModelsWithFmus();
  Diagnostics diagnostics;
  const LoneFmu fmu(PackBall2(), {{"kind", "ModelExchange"}}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const ModelDescription description = fmu.Describe();
  EXPECT_EQ(description.name, "ball.fmu");
  EXPECT_EQ(description.settings.front(),
            std::pair(std::string("FMI"), std::string("2.0, co-simulation, model exchange")));
  std::map<std::string, std::vector<std::string>> names;
  for (const DescriptionTable& table : description.tables) {
    for (const auto& row : table.rows) names[table.title].push_back(row.front());
  }
  EXPECT_THAT(names["Parameters"], ElementsAre("g", "e", "kick.1", "kick.time"));
  EXPECT_THAT(names["Inputs"], ElementsAre("push"));
  EXPECT_THAT(names["States"], ElementsAre("h", "v"));
  EXPECT_THAT(names["Outputs"], ElementsAre("der(v)"));
  EXPECT_THAT(description.example, HasSubstr("file=\"ball.fmu\""));
}

// Law: h'' = -10 + push with push = 10 t: h = 1 - 5 t^2 + 10 t^3 / 6.
TEST(LoneFmuTest, RunsAloneWithInputs) {
  ModelsWithFmus();
  const std::filesystem::path ball = PackBall2();
  const std::filesystem::path input = FreshFolder() / "u.csv";
  std::ofstream(input) << "time,push\n0,0\n2,20\n";
  Diagnostics diagnostics;
  const LoneFmu fmu(ball, {{"kind", "ModelExchange"}}, diagnostics);
  const auto system = fmu.MakeSystem(input, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const auto simulation = Simulation::Load({.file = ball, .description = system}, ModelsWithFmus()).Take();
  EXPECT_EQ(simulation->time_step(), 0.01);
  EXPECT_EQ(simulation->stop_time(), 2);
  simulation->Initialize();
  simulation->AdvanceTo(0.4);
  EXPECT_NEAR(simulation->Read("ball.h"), 1 - 5 * 0.16 + 10 * 0.064 / 6, 1e-7);
  std::ofstream(input) << "time,pull\n0,0\n";
  fmu.MakeSystem(input, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_THAT(ToText(diagnostics.all()[0]), HasSubstr("u.csv:1: error: no input 'pull' on ball.fmu; "));
}

// Law: two rows of one time are a jump at that time: the integral of 0 until 0.5 s and of 1 after it is t -
// 0.5, exactly, also for an FMU that takes slopes of inputs (2.0, co-simulation).
TEST(LoneFmuTest, TwoRowsOfOneTimeAreAJump) {
  ModelsWithFmus();
  const std::filesystem::path system = FreshFolder() / "i.xml";
  std::ofstream(system) << R"(<System name="i"><SimulatorManager TimeStep="100 ms" StopTime="1 s"/>
<signal.Integrator name="I"/><Record signals="I.y"/></System>)";
  const std::filesystem::path input = FreshFolder() / "u.csv";
  std::ofstream(input) << "time,I.u\n0,0\n0.5,0\n0.5,1\n1,1\n";
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    const std::filesystem::path file =
        ExportToFile({.system = system, .version = version, .has_model_exchange = true});
    for (const char* kind : {"CoSimulation", "ModelExchange"}) {
      Diagnostics diagnostics;
      const LoneFmu fmu(file, {{"kind", kind}}, diagnostics);
      const auto system = fmu.MakeSystem(input, diagnostics);
      ASSERT_FALSE(diagnostics.has_errors());
      const auto run = Simulation::Load({.file = file, .description = system}, ModelsWithFmus()).Take();
      run->Initialize();
      run->AdvanceTo(0.5);
      EXPECT_NEAR(run->Read("x.I.y"), 0, 1e-12) << kind;
      run->AdvanceTo(1);
      EXPECT_NEAR(run->Read("x.I.y"), 0.5, 1e-12) << kind;
    }
  }
}

TEST(ForeignResultsTest, ReadsWhatOtherToolsWrite) {
  const std::filesystem::path file = FreshFolder() / "r.csv";
  std::ofstream(file) << "time,a,on,text,y\r\n0, 1,true,x y,1 2\r\n\r\n1,2.5,false,z,3 4\r\n";
  Diagnostics diagnostics;
  const auto table = LoadForeignCsv(file, diagnostics);
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(table->names, ElementsAre("a", "on", "y[1]", "y[2]"));
  EXPECT_THAT(table->columns,
              ElementsAre(ElementsAre(1, 2.5), ElementsAre(1, 0), ElementsAre(1, 3), ElementsAre(2, 4)));
  for (const char* wrong : {"time,a\n0,1\n0.5\n", "time,a\n1,1\n0,1\n", "time,a\n", ""}) {
    std::ofstream(file) << wrong;
    EXPECT_FALSE(LoadForeignCsv(file, diagnostics).has_value()) << wrong;
  }
}

// Law: an FMU for model exchange has no results of its own here; the check integrates it to its stop time.
TEST(ForeignCheckTest, RunsModelExchangeToo) {
  ModelsWithFmus();
  Diagnostics diagnostics;
  const FmuCheck check = CheckFmu(PackBall3(), {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(check.kind, FmuKind::kModelExchange);
  EXPECT_EQ(check.steps, 100U);
  EXPECT_TRUE(check.not_finite.empty());
  EXPECT_EQ(CheckFmu(PackBall2(), {}, diagnostics, true).kind, FmuKind::kModelExchange);
  EXPECT_EQ(CheckFmu(PackBall2(), {}, diagnostics).kind, FmuKind::kCoSimulation);
}

}  // namespace
}  // namespace davit
