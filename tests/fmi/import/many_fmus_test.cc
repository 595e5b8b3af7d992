// FMUs that come and go, that share a process with others, and that continue in another process.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_cache.h"
#include "fmi/import/foreign_fmu.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/fmi/process_footprint.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// An FMU of davit in the folder of the test: NAME.fmu.
fs::path ExportExample(const std::string& name) {
  const fs::path file = FreshFolder() / (name + ".fmu");
  Diagnostics diagnostics;
  ExportFmu({.system = ExampleSystem(name),
             .output = file,
             .has_reference = false,
             .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
            FmuModels(), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return file;
}

/// Makes an instance, steps it twice and frees it, again and again.
void ComeAndGo(const fs::path& file, double h, int times) {
  const ForeignFmuSource source{UnpackToCache(file), FmuKind::kCoSimulation, "one", false};
  Diagnostics diagnostics;
  const FmuDescription description = ReadFmuDescription(source.folder / "modelDescription.xml", diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  for (int i = 0; i < times; ++i) {
    const std::unique_ptr<ForeignFmu> fmu = MakeForeignFmu(description, source);
    fmu->EnterInitialization(0, 1, {});
    fmu->ExitInitialization();
    ASSERT_TRUE(fmu->DoStep(0, h));
    ASSERT_TRUE(fmu->DoStep(h, h));
  }
}

// Law: 5,000 instances, one after the other, leave memory and handles as they were.
TEST(ManyFmusTest, FiveThousandComeAndGoWithoutGrowth) {
  ModelsWithFmus();
  const fs::path ball = PackBall2();
  const fs::path own = ExportExample("bouncing_ball");
  ComeAndGo(ball, 0.01, 100);
  ComeAndGo(own, 0.01, 100);
  const std::size_t handles = CountOpenHandles();
  const std::size_t pages = CountResidentPages();
  ComeAndGo(ball, 0.01, 4500);
  ComeAndGo(own, 0.01, 500);
  EXPECT_EQ(CountOpenHandles(), handles);
#ifndef __SANITIZE_ADDRESS__                     // which keeps what is freed for a while
  EXPECT_LT(CountResidentPages(), pages + 512);  // 2 MiB: 0.4 kB an instance
#endif
}

// Law: two FMUs of davit that solve with SUNDIALS give the bits of the native systems, also in a process
// where an FMU has shown another SUNDIALS to everybody.
TEST(ManyFmusTest, DoNotMeetAnotherSundials) {
  ModelsWithFmus();
  const fs::path other = PackFmu("other", R"xml(<fmiModelDescription fmiVersion="2.0" modelName="o" guid="o">
  <CoSimulation modelIdentifier="other_sundials" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables><ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable></ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure></fmiModelDescription>)xml",
                                 "other_sundials");
  const fs::path library = UnpackToCache(other) / "binaries/linux64/other_sundials.so";
  ASSERT_NE(dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL), nullptr);
  ASSERT_NE(dlsym(RTLD_DEFAULT, "N_VNew_Serial"), nullptr);
  ExportExample("transistor_amplifier");
  ExportExample("series_orifices");
  const auto joined = LoadWithFmus(
      R"(<fmi.Fmu name="a" file="transistor_amplifier.fmu" TimeStep="0.5 ms"/>
         <fmi.Fmu name="b" file="transistor_amplifier.fmu" TimeStep="0.5 ms"/>
         <fmi.Fmu name="c" file="series_orifices.fmu"/><fmi.Fmu name="o" file="other.fmu"/>)");
  ASSERT_NE(joined, nullptr);
  const auto native = Simulation::Load(ExampleSystem("transistor_amplifier"), FmuModels()).Take();
  joined->Initialize();
  native->Initialize();
  for (int i = 1; i < 20; ++i) {  // the native run ends at 0.2 s
    joined->AdvanceTo(i * 0.01);
    native->AdvanceTo(i * 0.01);
    EXPECT_EQ(joined->Read("a.amplifier.y8"), native->Read("amplifier.y8")) << i;
    EXPECT_EQ(joined->Read("b.amplifier.y8"), native->Read("amplifier.y8")) << i;
    EXPECT_DOUBLE_EQ(joined->Read("o.y"), i * 0.01);
  }
}

// Law: the state of an FMU of davit, saved in one process and restored in another one, continues with the
// same bits: each isolated instance is a process of its own.
TEST(ManyFmusTest, ContinueInAnotherProcess) {
  ModelsWithFmus();
  for (const char* name : {"bouncing_ball", "position_servo"}) {
    ExportExample(name);
    const std::string content = std::string("<fmi.Fmu name=\"fmu\" isolated=\"true\" file=\"") + name +
                                ".fmu\"/><Record signals=\"fmu.*\"/>";
    const auto one = LoadWithFmus(content);
    const auto other = LoadWithFmus(content);
    ASSERT_TRUE(one != nullptr && other != nullptr);
    one->Initialize();
    one->AdvanceTo(0.7);
    EXPECT_FALSE(other->LoadSnapshot(one->TakeSnapshot()).has_errors());
    one->AdvanceTo(1.5);
    other->AdvanceTo(1.5);
    const auto& columns = one->system().record_plan().columns;
    const auto& others = other->system().record_plan().columns;
    ASSERT_FALSE(columns.empty());
    for (std::size_t i = 0; i < columns.size(); ++i)
      EXPECT_EQ(columns[i].Read(), others[i].Read()) << columns[i].path();
  }
}

}  // namespace
}  // namespace davit
