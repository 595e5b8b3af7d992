#include <filesystem>
#include <fstream>

#include "components/register.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A folder of its own for a test.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "davit_hopsan_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(folder_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

constexpr auto kFilling = R"(<hopsanmodelfile hopsancoreversion="2.24.0">
<system typename="Subsystem" name="filling">
<simulationtime start="0" stop="0.1" timestep="0.001"/>
<parameters><parameter name="flow" value="1e-3/3" type="double"/></parameters>
<objects>
<component typename="HydraulicFlowSourceQ" name="pump"><parameters><parameter name="q#Value" value="flow"/></parameters>
<hopsangui><pose x="10" y="20" a="90" flipped="false"/></hopsangui></component>
<component typename="HydraulicVolume" name="pipe 1"/>
<component typename="HydraulicLaminarOrifice" name="orifice"><parameters><parameter name="Kc" value="1e-10"/></parameters></component>
<component typename="HydraulicTankC" name="tank"/>
</objects>
<connections>
<connect startcomponent="pump" startport="P1" endcomponent="pipe 1" endport="P1"/>
<connect startcomponent="pipe 1" startport="P2" endcomponent="orifice" endport="P1"/>
<connect startcomponent="orifice" startport="P2" endcomponent="tank" endport="P1"/>
</connections></system></hopsanmodelfile>)";

double PressureAtEnd(const std::filesystem::path& model, const hopsan::HmfImportOptions& options) {
  Registry registry = AllModels();
  RegisterHopsan(registry);
  Diagnostics diagnostics;
  const auto import = hopsan::ImportHmf(model, registry, options, diagnostics);
  if (!import) throw std::invalid_argument(TextOfFaults(diagnostics));
  const auto simulation = Simulation::LoadText(import->description->ToXml(), "filling.xml", registry).Take();
  simulation->Initialize();
  simulation->Run();
  return simulation->Read("pipe_1.P1.Pressure");
}

TEST(HopsanConvert, HasTheBitsOfTheDirectRun) {
  const TestFolder folder;
  const auto model = folder.Write("filling.hmf", kFilling);
  Registry registry = AllModels();
  RegisterHopsan(registry);
  const auto direct = Simulation::Load(model, registry).Take();
  direct->Initialize();
  direct->Run();
  EXPECT_EQ(PressureAtEnd(model, {.has_notes = true}), direct->Read("pipe_1.P1.Pressure"));
  EXPECT_NEAR(direct->Read("pipe_1.P1.Pressure"), 1e5 + 1e-3 / 3 / 1e-10, 1e4);  // q = Kc dp at rest
}

TEST(HopsanConvert, KeepsThePlacesOfTheDrawing) {
  const TestFolder folder;
  Registry registry = AllModels();
  RegisterHopsan(registry);
  Diagnostics diagnostics;
  const auto import =
      hopsan::ImportHmf(folder.Write("filling.hmf", kFilling), registry, {.has_notes = true}, diagnostics);
  ASSERT_TRUE(import.has_value());
  EXPECT_THAT(import->description->ToXml(),
              testing::HasSubstr(R"(<Place name="pump" x="10" y="20" rotation="90"/>)"));
}

TEST(HopsanConvert, TakesValuesOfAParameterFile) {
  const TestFolder folder;
  const auto model = folder.Write("filling.hmf", kFilling);
  const auto parameters =
      folder.Write("half.hpf",
                   "<hopsanparameterfile><system name='filling'><parameters><parameter name='flow' "
                   "value='0.5e-3/3'/></parameters></system></hopsanparameterfile>");
  const double gauge = PressureAtEnd(model, {}) - 1e5;
  EXPECT_NEAR(PressureAtEnd(model, {.parameter_files = {parameters}}) - 1e5, gauge / 2,
              1e-9 * gauge);  // linear
}

// An external system that contains itself.
TEST(HopsanConvert, RefusesCyclesOfExternalSystems) {
  const TestFolder folder;
  const auto model = folder.Write(
      "self.hmf",
      "<hopsanmodelfile><system name='a'><simulationtime start='0' stop='1' timestep='0.1'/>"
      "<objects><system name='b' external_path='self.hmf'/></objects></system></hopsanmodelfile>");
  Registry registry = AllModels();
  RegisterHopsan(registry);
  Diagnostics diagnostics;
  EXPECT_FALSE(hopsan::ImportHmf(model, registry, {}, diagnostics).has_value());
  EXPECT_THAT(TextOfFaults(diagnostics), testing::HasSubstr("contains this system itself; break the cycle"));
}

}  // namespace
}  // namespace davit
