#include "framework/xml/system_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::Not;

Registry ModelsToDescribe() {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  return registry;
}

/// A mass that has a wrong value, in line 7 of a file of another program.
std::shared_ptr<SystemDescription> FaultySystem() {
  auto description = std::make_shared<SystemDescription>("s");
  tinyxml2::XMLElement& mass = AddElement(description->root(), "mechanical.Mass", 7);
  mass.SetAttribute("name", "m");
  mass.SetAttribute("mass", "a \"<&>\" b");
  AddElement(mass, "Start", 8).SetAttribute("y", "1");
  return description;
}

std::string FaultsOf(const SystemSource& source) {
  Diagnostics diagnostics;
  const Registry registry = ModelsToDescribe();
  LoadSystem(source, registry, {}, diagnostics);
  return ToText(diagnostics);
}

TEST(SystemDescriptionTest, FaultsNameTheLinesOfTheOriginalAlsoInACopy) {
  const auto description = FaultySystem();
  const std::string faults = FaultsOf({.file = "m.foo", .description = description});
  EXPECT_THAT(faults, HasSubstr("m.foo:7: error: /m: mass: "));
  EXPECT_THAT(faults, HasSubstr("m.foo:8: error: /m: "));
  const auto copy = std::make_shared<const SystemDescription>(description->Copy());
  EXPECT_EQ(FaultsOf({.file = "m.foo", .description = copy}), faults);
  EXPECT_EQ(copy->ToXml(), description->ToXml());
}

// Law: what is written reads back as the same.
TEST(SystemDescriptionTest, TheTextIsTheSameSystem) {
  const auto description = FaultySystem();
  const std::string text = description->ToXml();
  XmlResult parsed = ParseXml(text);
  ASSERT_NE(parsed.document, nullptr) << parsed.fault;
  const SystemDescription again(std::move(parsed.document));
  EXPECT_EQ(again.ToXml(), text);
  EXPECT_STREQ(again.root().FirstChildElement()->Attribute("mass"), "a \"<&>\" b");
}

std::shared_ptr<const SystemDescription> ImportFoo(const std::filesystem::path& file,
                                                   const std::vector<std::filesystem::path>& parameters,
                                                   const Registry& /*registry*/, const FileSource& /*files*/,
                                                   Diagnostics& diagnostics) {
  if (file.stem() == "wrong") diagnostics.Error({}, {}, Fault{"it is wrong", "mend it"});
  if (diagnostics.has_errors()) return nullptr;
  auto description = std::make_shared<SystemDescription>(file.stem().string());
  for (const std::filesystem::path& one : parameters)
    AddElement(description->root(), "mechanical.Mass").SetAttribute("name", one.stem().c_str());
  return description;
}

TEST(SystemImporterTest, ReadsTheFilesOfItsExtensionWithTheirParameters) {
  Registry registry = ModelsToDescribe();
  registry.Add(SystemImporter{.extension = ".foo", .parameter_extension = ".par", .import = ImportFoo});
  EXPECT_EQ(registry.FindImporter(".xml"), nullptr);
  Diagnostics diagnostics;
  const auto system = LoadSystem("a.foo", registry, {.params = {"b.par"}}, diagnostics);
  ASSERT_NE(system, nullptr);
  EXPECT_EQ(system->root().name(), "a");
  EXPECT_NE(system->Find("b"), nullptr);
  EXPECT_EQ(LoadSystem("wrong.foo", registry, {}, diagnostics), nullptr);
  EXPECT_THAT(ToText(diagnostics), HasSubstr("error: it is wrong; mend it"));
  // A text is a system file, whatever its name.
  Diagnostics none;
  EXPECT_NE(LoadSystemText("<System name='t'/>", "wrong.foo", registry, {}, none), nullptr);
  EXPECT_THAT(ToText(none), Not(HasSubstr("it is wrong")));
}

}  // namespace
}  // namespace davit
