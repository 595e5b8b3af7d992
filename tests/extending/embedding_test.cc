// davit inside of other programs: against the installed package, and as a part of another project.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/outside.h"
#include "tests/support/page.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Libraries need neither the command line nor JSON.
constexpr const char* kWithoutPrograms =
    " -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON";

class EmbeddingTest : public testing::Test {
 protected:
  EmbeddingTest()
      : outside_(std::string("embedding_test_") +
                 testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  /// A project that links `library` of davit, which `how` brings in.
  void WriteProject(const std::string& how, const std::string& library) {
    std::ofstream(outside_.folder() / "CMakeLists.txt")
        << "cmake_minimum_required(VERSION 3.25)\nproject(tiny LANGUAGES C CXX)\n"
           // As davit has it, so that ccache finds its sources.
           "set(CMAKE_BUILD_TYPE Release)\nset(CMAKE_CXX_FLAGS_RELEASE \"-O2 -DNDEBUG\")\n"
        << how << "\nadd_executable(tiny tiny.cc)\ntarget_link_libraries(tiny PRIVATE davit::" << library
        << ")\n";
  }

  Outside outside_;
};

/// The page's program, with nothing but the package.
TEST_F(EmbeddingTest, TheProgramOfThePageRunsAgainstThePackage) {
  const fs::path prefix = outside_.Install();
  const Page page = ReadPage(DAVIT_SOURCE_DIR "/docs/embedding.md");
  for (const Block& block : page.blocks) {
    if (!block.file.empty()) std::ofstream(outside_.folder() / block.file) << block.text;
  }
  EXPECT_EQ(outside_.FindFault("unset DAVIT_SOURCE_DIR\ncmake -B build" + std::string(kWithoutPrograms) +
                               " && cmake --build build && ./build/lift '" +
                               (prefix / "share/davit/systems/lifting_cylinder.xml").string() + "'"),
            "");
  for (const char* line : {"the same at 50 s", "0 faults, back at 10 s", "stopped by the other thread"})
    EXPECT_THAT(outside_.output(), HasSubstr(line));
  EXPECT_GT(fs::file_size(outside_.folder() / "lift.csv"), 1000U);
}

/// A model of the project's own runs with davit::session alone.
constexpr const char* kTinyProgram = R"(#include <davit/component.h>
#include <davit/simulation.h>

class Decay final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{
.name = "tiny.Decay",
.text = "y' = -y"};
  void EvaluateDiffEquations(double) override { y.ddt = -y; }

 private:
  davit::StateVariable y{this, "y", "1", "State", 1.0};
};

int main() {
  davit::Registry models;
  davit::RegisterSimulator(models);
  models.Add<Decay>();
  davit::SystemBuilder builder;
  builder.Manager({{"TimeStep", 0.1}, {"StopTime", 1}}).Add("tiny.Decay", "decay");
  const auto simulation = davit::Simulation::Load(builder, models).Take();
  simulation->Initialize();
  simulation->Run();
  const double y = simulation->Read("decay.y");
  return y > 0.36787 && y < 0.36789 ? 0 : 1;  // exp(-1)
}
)";

/// Building all libraries takes seconds with ccache and minutes without: then one small library must do.
TEST_F(EmbeddingTest, ASubdirectoryMakesWhatIsLinked) {
  WriteProject("add_subdirectory(\"" DAVIT_SOURCE_DIR "\" davit)", "session");
  std::ofstream(outside_.folder() / "tiny.cc") << kTinyProgram;
  const bool is_quick = *DAVIT_CCACHE != '\0';
  EXPECT_EQ(outside_.FindFault("cmake -B build" + std::string(kWithoutPrograms) +
                               (is_quick ? " && cmake --build build -j 2 --target tiny && ./build/tiny"
                                         : " && cmake --build build --target davit_results")),
            "");
  EXPECT_FALSE(fs::exists(outside_.folder() / "build/davit/libdavit_app.a"));
}

TEST_F(EmbeddingTest, FetchContentFindsItToo) {
  WriteProject("include(FetchContent)\nFetchContent_Declare(davit SOURCE_DIR \"" DAVIT_SOURCE_DIR
               "\")\nFetchContent_MakeAvailable(davit)",
               "session");
  std::ofstream(outside_.folder() / "tiny.cc") << kTinyProgram;
  EXPECT_EQ(outside_.FindFault("cmake -B build" + std::string(kWithoutPrograms)), "");
}

}  // namespace
}  // namespace davit
