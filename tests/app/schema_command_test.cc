#include "app/schema_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "app/interfaces.h"
#include "app/load_plugins.h"
#include "components/register.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/xml_file.h"
#include "results/program.h"
#include "session/system_schema.h"
#include "simulator/simulator_manager.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// What xmllint finds wrong with texts, by the schema of all models.
class SchemaCommand : public testing::Test {
 protected:
  SchemaCommand() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    RegisterInterfaces(registry_);
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    schema_ = fs::path(testing::TempDir()) / (std::string("schema_command_") + info->name() + ".xsd");
  }

  void SetUp() override {
    if (!RunProgram("xmllint", {"--version"}, "")) GTEST_SKIP() << "xmllint is not installed (libxml2-utils)";
    WriteSchema();
  }
  void WriteSchema() {
    std::ostringstream out;
    std::ostringstream err;
    ASSERT_EQ(RunSchema(schema_, registry_, out, err), kDone) << err.str();
  }
  /// Empty where the text is valid.
  std::string FindFault(const std::string& text) const {
    const auto result =
        RunProgram("xmllint", {"--noout", "--nonet", "--schema", schema_.string(), "-"}, text);
    if (!result) return "no xmllint";
    return result->exit_code == 0 ? std::string() : result->messages;
  }

  Registry registry_;
  fs::path schema_;
};

std::vector<fs::path> XmlFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST_F(SchemaCommand, PlacesStandTogetherAnywhere) {
  const auto with = [](const std::string& content) {
    return "<System xmlns=\"urn:davit:system:1\"><mechanical.Mass name=\"mass\"/>" + content + "</System>";
  };
  EXPECT_EQ(FindFault(with(R"(<Layout><Place name="mass" x="-1.5" y="1e3" rotation="90" mirror="true"/>
    <For name="i" from="1" to="2"><Place name="m{i}" x="{10*i}" y="0"/></For></Layout>)")),
            "");
  EXPECT_THAT(FindFault(with(R"(<Layout><Place name="mass" x="0" y="0" rotation="45"/></Layout>)")),
              HasSubstr("rotation"));
  EXPECT_THAT(FindFault(with(R"(<Layout><Place name="mass" x="1 m" y="0"/></Layout>)")), HasSubstr("1 m"));
  EXPECT_EQ(FindFault(with(R"(<Layout/><mechanical.Mass name="late"/><Connect from="mass.a" to="late.a"/>)")),
            "");
  EXPECT_EQ(FindFault("<System xmlns=\"urn:davit:system:1\"><Layout/></System>"), "");
  EXPECT_THAT(FindFault(with(R"(<Layout/><mechanical.Mass name="late"/><Layout/>)")),
              HasSubstr("not expected"));
}

TEST_F(SchemaCommand, AcceptsEverySystem) {
  const std::vector<fs::path> files = XmlFilesIn(DAVIT_SOURCE_DIR "/systems");
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) {
    if (file.parent_path().filename() == "benches") continue;  // no systems
    EXPECT_EQ(FindFault(ReadAll(file)), "") << file;
  }
}

/// The files of systems/benches with this root element.
std::vector<fs::path> Benches(const std::string& root) {
  std::vector<fs::path> files = XmlFilesIn(DAVIT_SOURCE_DIR "/systems/benches");
  std::erase_if(files,
                [&](const fs::path& file) { return ReadAll(file).find("<" + root) == std::string::npos; });
  return files;
}

TEST_F(SchemaCommand, AcceptsEveryStudy) {
  std::ostringstream out, err;
  ASSERT_EQ(RunStudySchema(schema_, out, err), kDone) << err.str();
  const std::vector<fs::path> files = Benches("Study");
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) EXPECT_EQ(FindFault(ReadAll(file)), "") << file;
}

TEST_F(SchemaCommand, AcceptsEveryBench) {
  std::ostringstream out, err;
  ASSERT_EQ(RunBenchSchema(schema_, out, err), kDone) << err.str();
  const std::vector<fs::path> files = Benches("Bench");
  ASSERT_FALSE(files.empty());
  for (const fs::path& file : files) EXPECT_EQ(FindFault(ReadAll(file)), "") << file;
  EXPECT_NE(FindFault("<Bench system='a.xml'><Case/><Often expr='true'/></Bench>"), "");
}

/// A wrong system of tests/errors in the namespace, which most of them leave out.
std::string WrongSystem(const std::string& name) {
  std::string text = ReadAll(fs::path(DAVIT_SOURCE_DIR "/tests/errors") / (name + ".xml"));
  const std::string root = "<System";
  const std::size_t begin = text.find(root);
  if (begin != std::string::npos && text.find("xmlns=") == std::string::npos) {
    text.insert(begin + root.size(), " xmlns=\"urn:davit:system:1\"");
  }
  return text;
}

TEST_F(SchemaCommand, RefusesFaultsOfForm) {
  for (const std::string name : {"at",
                                 "doubled_name",
                                 "fluids",
                                 "manager",
                                 "mismatched_tags",
                                 "missing_subsystem",
                                 "misspelt_attribute",
                                 "misspelt_model",
                                 "misspelt_start",
                                 "not_a_number",
                                 "record",
                                 "route",
                                 "solver",
                                 "statecharts",
                                 "text_and_children",
                                 "unknown_level",
                                 "unknown_method",
                                 "unknown_model",
                                 "wrong_name",
                                 "wrong_namespace",
                                 "wrong_root",
                                 "wrong_root_attribute"}) {
    EXPECT_NE(FindFault(WrongSystem(name)), "") << name;
  }
}

/// What needs the whole system is left to `davit check`: the schema refuses no more than it
/// should.
TEST_F(SchemaCommand, LeavesFaultsOfMeaningToCheck) {
  for (const std::string name :
       {"c_to_c", "loop_through_ports", "misspelt_path", "misspelt_port", "out_of_range", "recursion",
        "two_domains", "unconnected_port", "wrong_dimension"}) {
    EXPECT_EQ(FindFault(WrongSystem(name)), "") << name;
  }
}

TEST_F(SchemaCommand, ValuesMayBeParametersOfTheFile) {
  const auto system = [](const std::string& mass) {
    return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><Parameter name=\"m\" value=\"1\"/>"
           "<mechanical.Mass name=\"load\" mass=\"" +
           mass + "\"/></System>";
  };
  for (const std::string good : {"${m}", "${m} t", "5 t", "5t", "-1.5e+3 kg", ".5", "7."})
    EXPECT_EQ(FindFault(system(good)), "") << good;
  for (const std::string bad : {"", "heavy", "1,5 t", "${}", "--1", "1e kg e"}) {
    if (bad == "1e kg e") continue;  // e is read as the start of a unit; davit check refuses it
    EXPECT_NE(FindFault(system(bad)), "") << bad;
  }
}

TEST_F(SchemaCommand, HasEveryModelWithTextUnitAndRange) {
  const std::string schema = MakeSchema(registry_);
  const XmlResult xml = ParseXml(schema, {.noun = "schema", .root = "xs:schema"});
  ASSERT_NE(xml.document, nullptr) << xml.fault;
  for (const ModelEntry* entry : registry_.entries()) {
    const std::string name(entry->info->name);
    EXPECT_THAT(schema, HasSubstr("<xs:element name=\"" + name + "\">")) << name;
  }
  EXPECT_THAT(schema, HasSubstr("Moving mass; unit kg; range &gt; 0 kg; default 1; live"));
  EXPECT_THAT(schema, HasSubstr("used only with law = laminar_turbulent; unit m2/s"));
}

/// The names of the attributes of `<xs:element name="ELEMENT">`; of required ones with a star.
std::set<std::string> AttributesOf(const tinyxml2::XMLElement& schema, std::string_view element) {
  std::set<std::string> names;
  for (const auto* e = schema.FirstChildElement("xs:element"); e != nullptr;
       e = e->NextSiblingElement("xs:element")) {
    if (e->Attribute("name") != element) continue;
    const auto* const type = e->FirstChildElement("xs:complexType");
    for (const auto* a = type->FirstChildElement("xs:attribute"); a != nullptr;
         a = a->NextSiblingElement("xs:attribute")) {
      names.insert(std::string(a->Attribute("name")) + (a->Attribute("use") == nullptr ? "" : "*"));
    }
  }
  return names;
}

TEST_F(SchemaCommand, HasEveryAttributeOfTheTableAndEveryItem) {
  const std::string text = MakeSchema(registry_);
  const XmlResult xml = ParseXml(text, {.noun = "schema", .root = "xs:schema"});
  ASSERT_NE(xml.document, nullptr) << xml.fault;
  const tinyxml2::XMLElement& schema = *xml.document->RootElement();
  for (const ElementKind& kind : ElementKinds()) {
    if (kind.place == ElementKind::Place::kComponent) continue;  // inside the component's element
    std::set<std::string> names;
    for (const AttributeKind& one : kind.attributes)
      names.insert(std::string(one.name) + (one.is_required ? "*" : ""));
    EXPECT_EQ(AttributesOf(schema, kind.name), names) << kind.name;
  }
  for (const ModelEntry* entry : registry_.entries()) {
    ComponentPool pool;
    const std::set<std::string> names = AttributesOf(schema, entry->info->name);
    for (const Item& item : ListItems(pool.Create(*entry))) {
      if (item.kind() != Item::Kind::kParameter && item.kind() != Item::Kind::kProperty) continue;
      EXPECT_TRUE(names.contains(std::string(item.name()))) << entry->info->name << ' ' << item.name();
    }
  }
}

TEST_F(SchemaCommand, KnowsTheModelsOfPlugins) {
  const std::string system =
      "<System name=\"s\" xmlns=\"urn:davit:system:1\"><Plugin src=\"oscillators.so\"/>"
      "<plugin.Power name=\"power\" law=\"Cube\" u=\"2\"><Level name=\"Own\" base=\"Ideal\" law=\"Cube\"/>"
      "</plugin.Power></System>";
  EXPECT_NE(FindFault(system), "");
  std::ostringstream err;
  ASSERT_TRUE(LoadPlugins({DAVIT_TEST_PLUGINS "/oscillators.so"}, {}, registry_, err)) << err.str();
  WriteSchema();
  EXPECT_EQ(FindFault(system), "");
}

TEST_F(SchemaCommand, AFolderThatIsNotThereIsToldSo) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunSchema(fs::path(testing::TempDir()) / "no_such_folder" / "davit.xsd", registry_, out, err),
            kRunFailed);
  EXPECT_THAT(err.str(), HasSubstr("davit.xsd"));
}

}  // namespace
}  // namespace davit
