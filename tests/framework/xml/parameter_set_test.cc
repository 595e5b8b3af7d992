// Parameter sets of SSP: values with units, mappings, and what is wrong with them.

#include "framework/xml/parameter_set_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ParameterSetTest : public testing::Test {
 protected:
  ParameterSetTest() {
    std::string name = (std::filesystem::temp_directory_path() / "davit_parameter_set-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~ParameterSetTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string Write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file) << text;
    return file.string();
  }
  /// A set in the words of SSP 1.0.
  std::string WriteSet(const std::string& parameters, const std::string& units = {}) {
    return Write("set.ssv",
                 "<?xml version=\"1.0\"?>\n<ssv:ParameterSet version=\"1.0\" name=\"set\" "
                 "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
                 "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\">\n<ssv:Parameters>\n" +
                     parameters + "\n</ssv:Parameters>\n" + units + "</ssv:ParameterSet>\n");
  }
  std::vector<std::string> Read(const std::string& files) {
    std::vector<std::string> texts;
    const UnitSystem units;
    Diagnostics diagnostics;
    for (const SetParameter& one : ReadParameterSet(files, DiskFiles(), units, diagnostics))
      texts.push_back(one.path + "=" + one.value);
    faults_.clear();
    for (const Diagnostic& fault : diagnostics.all()) faults_ += ToText(fault) + "\n";
    return texts;
  }

  std::filesystem::path folder_;
  std::string faults_;
};

TEST_F(ParameterSetTest, ReadsValuesOfAllTypesWithTheirUnits) {
  const std::string set = WriteSet(
      R"(<ssv:Parameter name="load.mass"><ssv:Real value="5" unit="t"/></ssv:Parameter>
<ssv:Parameter name="load.x"><ssv:Real value="3" unit="cubit"/></ssv:Parameter>
<ssv:Parameter name="n"><ssv:Integer value="4"/></ssv:Parameter>
<ssv:Parameter name="on"><ssv:Boolean value="true"/></ssv:Parameter>
<ssv:Parameter name="pump.level"><ssv:Enumeration value="Ideal"/></ssv:Parameter>
<ssv:Parameter name="label"><ssv:String value="a b"/></ssv:Parameter>)",
      R"(<ssv:Units><ssc:Unit name="cubit"><ssc:BaseUnit m="1" factor="0.5"/></ssc:Unit></ssv:Units>)");
  EXPECT_THAT(Read(set),
              ElementsAre("load.mass=5 t", "load.x=1.5", "n=4", "on=true", "pump.level=Ideal", "label=a b"));
  EXPECT_EQ(faults_, "");
}

// A mapping sets what it names, one parameter also several paths, and transforms in SI.
TEST_F(ParameterSetTest, MapsNamesToPaths) {
  const std::string set = WriteSet(R"(<ssv:Parameter name="m"><ssv:Real value="2" unit="t"/></ssv:Parameter>
<ssv:Parameter name="mode"><ssv:Enumeration value="fast"/></ssv:Parameter>
<ssv:Parameter name="unused"><ssv:Real value="1"/></ssv:Parameter>)");
  const std::string mapping =
      Write("set.ssm", R"(<ssm:ParameterMapping version="1.0" xmlns:ssm="x" xmlns:ssc="y">
<ssm:MappingEntry source="m" target="a.mass"/>
<ssm:MappingEntry source="m" target="b.mass"><ssc:LinearTransformation factor="2" offset="100"/></ssm:MappingEntry>
<ssm:MappingEntry source="mode" target="pump.level"><ssc:EnumerationMappingTransformation>
<ssc:MapEntry source="fast" target="Ideal"/></ssc:EnumerationMappingTransformation></ssm:MappingEntry>
</ssm:ParameterMapping>)");
  EXPECT_THAT(Read(set + "," + mapping), ElementsAre("a.mass=2 t", "b.mass=4100", "pump.level=Ideal"));
  EXPECT_EQ(faults_, "");
}

TEST_F(ParameterSetTest, SaysWhatIsWrongAndWhere) {
  Read(WriteSet(R"(<ssv:Parameter name="a"><ssv:Real value="five"/></ssv:Parameter>
<ssv:Parameter><ssv:Real value="5"/></ssv:Parameter>
<ssv:Parameter name="b"/>
<ssv:Parameter name="c"><ssv:Real value="5" unit="cubit"/></ssv:Parameter>
<ssv:Parameter name="d"><ssv:Binary value="00"/></ssv:Parameter>)"));
  EXPECT_THAT(faults_, HasSubstr("set.ssv:4: error: 'a': 'five' is not a number"));
  EXPECT_THAT(faults_, HasSubstr("set.ssv:5: error: a parameter has no name"));
  EXPECT_THAT(faults_, HasSubstr("set.ssv:6: error: 'b' has no value"));
  EXPECT_THAT(faults_, HasSubstr("set.ssv:7: error: 'c': no unit 'cubit'"));
  EXPECT_THAT(faults_, HasSubstr("set.ssv:8: error: 'd' is of the type Binary"));
  Read(Write("other.ssv", "<System/>"));
  EXPECT_THAT(faults_, HasSubstr("it should be <ParameterSet>"));
  Read("none.ssv");
  EXPECT_THAT(faults_, HasSubstr("none.ssv: error:"));
}

// Law: a parameter set does what --set does, and --set comes after it; a wrong path is told with its line.
TEST_F(ParameterSetTest, SetsParametersOfASystem) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  const auto mass_of = [&](const LoadOptions& options) {
    Diagnostics diagnostics;
    const auto system =
        LoadSystem(DAVIT_SOURCE_DIR "/systems/mass_spring.xml", registry, options, diagnostics);
    faults_.clear();
    for (const Diagnostic& fault : diagnostics.all()) faults_ += ToText(fault) + "\n";
    Fault fault;
    return system->FindSetting(system->root(), "load.mass", &fault)->Read();
  };
  const std::string set =
      WriteSet(R"(<ssv:Parameter name="load.mass"><ssv:Real value="2" unit="t"/></ssv:Parameter>)");
  EXPECT_EQ(mass_of({.params = {set}}), 2000);
  EXPECT_EQ(faults_, "");
  EXPECT_EQ(mass_of({.params = {set}, .set = {"load.mass=7"}}), 7);
  mass_of({.params = {WriteSet(R"(<ssv:Parameter name="load.mas"><ssv:Real value="2"/></ssv:Parameter>)")}});
  EXPECT_THAT(faults_, HasSubstr("set.ssv:4: error:"));
  EXPECT_THAT(faults_, HasSubstr("did you mean 'mass'"));
}

}  // namespace
}  // namespace davit
