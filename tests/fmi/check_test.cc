// FMUs that are checked: their archive, their description, their reference results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <fstream>

#include "fmi/fmu_check.h"
#include "fmi/reference_results.h"
#include "fmi/zip_reader.h"
#include "fmi/zip_writer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class FmuCheckTest : public testing::Test {
 protected:
  std::filesystem::path Export(const std::filesystem::path& system, FmiVersion version) {
    const std::filesystem::path file = folder_ / "x.fmu";
    Diagnostics diagnostics;
    ExportFmu({.system = system,
               .output = file,
               .version = version,
               .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    EXPECT_TRUE(diagnostics.all().empty());
    return file;
  }

  /// What is said of an archive with these files.
  std::string FaultOf(const std::vector<ZipEntry>& entries) {
    const std::filesystem::path file = folder_ / "wrong.fmu";
    WriteZip(file, entries);
    Diagnostics diagnostics;
    std::string text;
    try {
      CheckFmu(file, {}, diagnostics);
    } catch (const std::runtime_error& fault) {
      text = fault.what();
    }
    for (const Diagnostic& fault : diagnostics.all()) text += ToText(fault) + "\n";
    return text;
  }

  static std::string Description(const std::string& version, const std::string& inside) {
    return "<fmiModelDescription fmiVersion=\"" + version + "\" modelName=\"m\" guid=\"g\">\n" + inside +
           "\n</fmiModelDescription>\n";
  }

  const std::filesystem::path folder_ = FreshFolder();
};

// Law: the reference results come from davit, the run from the FMU; where they meet they are the same.
TEST_F(FmuCheckTest, OwnFmusMeetTheirReferenceResults) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    for (const char* system : {"bouncing_ball", "transistor_amplifier", "level_switching"}) {
      Diagnostics diagnostics;
      const FmuCheck check = CheckFmu(Export(ExampleSystem(system), version),
                                      ComparisonTolerances{.relative = 0, .absolute = 0}, diagnostics);
      EXPECT_TRUE(diagnostics.all().empty());
      EXPECT_TRUE(check.has_reference);
      EXPECT_GT(check.rows, 100u);
      EXPECT_TRUE(check.comparison.is_same) << system;
      EXPECT_EQ(check.not_finite, "");
    }
  }
}

// Law: at the step point of a switch a run is on one side of it, that of co-simulation on the other one than
// that of model exchange; both are the reference.
TEST_F(FmuCheckTest, EitherSideOfASwitchIsTheReference) {
  const std::filesystem::path file = folder_ / "both.fmu";
  Diagnostics diagnostics;
  ExportFmu({.system = ExampleSystem("level_switching"),
             .output = file,
             .has_model_exchange = true,
             .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
            FmuModels(), diagnostics);
  for (const bool as_model_exchange : {false, true}) {
    const FmuCheck check = CheckFmu(file, {}, diagnostics, as_model_exchange);
    EXPECT_TRUE(check.has_reference);
    for (const SignalComparison& signal : check.comparison.signals)
      EXPECT_TRUE(signal.is_same) << signal.name << " at " << signal.time << ": " << signal.a << ", "
                                  << signal.b;
  }
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST_F(FmuCheckTest, OtherResultsAreDifferent) {
  UnpackZip(Export(ExampleSystem("bouncing_ball"), FmiVersion::k2), folder_ / "x");
  std::vector<ZipEntry> entries;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "x")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (entry.path().extension() == ".csv") content = "time,ball.x,ball.v\n0,1,0\n0.1,0.96,-0.981\n";
    entries.push_back({std::filesystem::relative(entry.path(), folder_ / "x").generic_string(), content});
  }
  WriteZip(folder_ / "y.fmu", entries);
  Diagnostics diagnostics;
  const FmuCheck check = CheckFmu(folder_ / "y.fmu", ComparisonTolerances{.relative = 1e-6}, diagnostics);
  ASSERT_EQ(check.comparison.signals.size(), 2u);
  EXPECT_FALSE(check.comparison.signals[0].is_same) << "x = 1 - 9.81 0.1^2 / 2";
  EXPECT_TRUE(check.comparison.signals[1].is_same);
}

TEST_F(FmuCheckTest, WrongArchivesAreRefused) {
  std::ofstream(folder_ / "text.fmu") << "no archive";
  Diagnostics diagnostics;
  EXPECT_THROW(CheckFmu(folder_ / "text.fmu", {}, diagnostics), std::runtime_error);
  EXPECT_THROW(CheckFmu(folder_ / "absent.fmu", {}, diagnostics), std::runtime_error);
  EXPECT_THAT(FaultOf({{"../out", "x"}}), HasSubstr("../out: the name leads out of the archive"));
  EXPECT_THAT(FaultOf({{"a/../../out", "x"}}), HasSubstr("the name leads out of the archive"));
  EXPECT_THAT(FaultOf({{"..\\out", "x"}}), HasSubstr("../out: the name leads out of the archive"));
  EXPECT_THAT(FaultOf({{"a", "x"}, {"./a", "y"}}), HasSubstr("it is there twice"));
  EXPECT_THAT(FaultOf({{"a/b", "x"}, {"a\\b", "y"}}),
              HasSubstr("it is there twice, with different contents; keep one of them"));
  EXPECT_THAT(FaultOf({{"a", "x"}, {"a/", ""}}), HasSubstr("a/: 'a' is a file and a folder"));
  EXPECT_THAT(FaultOf({{"a/b/c", "x"}, {"a", "y"}}), HasSubstr("a/b/c: 'a' is a file and a folder"));
  EXPECT_THAT(FaultOf({{std::string(256, 'n'), "x"}}), HasSubstr("a name in it is longer than 255 bytes"));
  EXPECT_FALSE(std::filesystem::exists(folder_.parent_path() / "out"));
}

TEST_F(FmuCheckTest, LinksInArchivesAreRefused) {
  const std::filesystem::path file = folder_ / "link.fmu";
  WriteZip(file, {{"a", "/etc/passwd"}});
  zip_t* const archive = zip_open(file.c_str(), 0, nullptr);
  ASSERT_NE(archive, nullptr);
  ASSERT_EQ(zip_file_set_external_attributes(archive, 0, 0, ZIP_OPSYS_UNIX, 0120777u << 16), 0);
  ASSERT_EQ(zip_close(archive), 0);
  EXPECT_THROW(UnpackZip(file, folder_ / "link"), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "link"));
}

TEST_F(FmuCheckTest, WrongDescriptionsAreRefusedWithTheirLines) {
  const auto fault_of = [&](const std::string& text) { return FaultOf({{"modelDescription.xml", text}}); };
  EXPECT_THAT(FaultOf({{"a", "x"}}), HasSubstr("modelDescription.xml"));
  EXPECT_THAT(fault_of("<fmi"), HasSubstr("modelDescription.xml"));
  EXPECT_THAT(fault_of("<System/>"), HasSubstr(":1: error: the root element is <System>"));
  EXPECT_THAT(fault_of(Description("1.0", "")),
              HasSubstr(":1: error: fmiVersion is '1.0'; davit reads 2.0 and 3.0"));
  EXPECT_THAT(fault_of(Description("2.0", "")), HasSubstr("there is no <ModelVariables>"));
  EXPECT_THAT(fault_of(Description("2.0", "<CoSimulation modelIdentifier=\"../x\"/><ModelVariables/>")),
              HasSubstr(":2: error: modelIdentifier '../x' is not a C identifier"));
  const std::string variable = "<ScalarVariable name=\"a\" valueReference=\"0\"><Real/></ScalarVariable>\n";
  EXPECT_THAT(fault_of(Description("2.0", "<ModelVariables>\n" + variable + variable + "</ModelVariables>")),
              HasSubstr(":4: error: there are two variables 'a'"));
  EXPECT_THAT(fault_of(Description("2.0", "<DefaultExperiment stopTime=\"soon\"/><ModelVariables/>")),
              HasSubstr("stopTime: 'soon' is not a number"));
  EXPECT_THAT(fault_of(Description("2.0", "<ModelVariables/>")),
              HasSubstr("it is not an FMU for co-simulation"));
  EXPECT_THAT(FaultOf({{"modelDescription.xml",
                        Description("2.0", "<CoSimulation modelIdentifier=\"x\"/><ModelVariables/>")},
                       {"binaries/win64/x.dll", "MZ"}}),
              HasSubstr("it has no binary for this machine, binaries/linux64/x.so; it has win64"));
}

// Law: messages name the FMU as it was named, and the file in it.
TEST_F(FmuCheckTest, FilesInAnFmuAreNamedByIt) {
  EXPECT_THAT(FaultOf({{"modelDescription.xml", std::string((64U << 20) + 1, ' ')}}),
              HasSubstr("cannot read '" + (folder_ / "wrong.fmu/modelDescription.xml").string() +
                        "': it has more than 64 MiB"));
  const std::string description = Description(
      "2.0",
      "<CoSimulation modelIdentifier=\"x\"/><ModelVariables><ScalarVariable name=\"y\" valueReference=\"1\" "
      "causality=\"output\"><Real/></ScalarVariable></ModelVariables><ModelStructure><Outputs><Unknown "
      "index=\"1\"/></Outputs></ModelStructure>");
  const std::string folder = std::string(kReferenceFolder) + "/";
  const auto fault_of = [&](const std::string& source, const std::string& csv) {
    return FaultOf({{"modelDescription.xml", description},
                    {"binaries/linux64/x.so", "library"},
                    {folder + "fmi-ls-manifest.xml",
                     "<fmiReferences>\n<Related role=\"result\" source=\"" + source + "\"/></fmiReferences>"},
                    {folder + "results.csv", csv}});
  };
  const std::string place = (folder_ / "wrong.fmu" / folder).string();
  EXPECT_THAT(fault_of("results.csv", "time,y\n0\n"), StartsWith(place + "results.csv:2: error: "));
  EXPECT_THAT(fault_of("none.csv", ""),
              StartsWith(place + "none.csv: error: cannot read '" + place + "none.csv': no such file"));
  EXPECT_THAT(fault_of("../../../x.csv", ""),
              StartsWith(place + "fmi-ls-manifest.xml:2: error: source '../../../x.csv' leads out"));
}

// Law: a structural parameter that is no size is named, before an array is made of it.
TEST_F(FmuCheckTest, WrongSizesOfArraysAreRefused) {
  for (const char* size : {"-5", "1e+300"}) {
    std::string text = TypesDescription3();
    const std::string before = "valueReference=\"101\"";
    const std::size_t place = text.find("start=\"", text.find(before));
    ASSERT_NE(place, std::string::npos);
    text.replace(place, text.find('"', place + 7) - place, std::string("start=\"") + size);
    Diagnostics diagnostics;
    std::string fault;
    try {
      CheckFmu(PackFmu(std::string("sizes") + size, text, "types3", "x86_64-linux"), {}, diagnostics);
    } catch (const std::runtime_error& refused) {
      fault = refused.what();
    }
    EXPECT_THAT(fault, HasSubstr(std::string("u: ") + size)) << fault;
    EXPECT_THAT(fault, HasSubstr("is not a number of elements"));
  }
}

}  // namespace
}  // namespace davit
