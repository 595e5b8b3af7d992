// The options of `davit fmu` and `davit ssp`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/outside_program.h"

namespace davit {
namespace {

using testing::HasSubstr;

ProgramResult ExportWith(const std::vector<std::string>& options) {
  const std::string output = (FreshFolder() / "x.fmu").string();
  std::vector<std::string> all{"fmu", "export", ExampleSystem("mass_spring").string(),
                               "-o",  output,   "--no-reference"};
  all.insert(all.end(), options.begin(), options.end());
  return RunDavit(all);
}

TEST(FmuCommandTest, VersionsMayBeWrittenAsTheStandardDoes) {
  for (const char* version : {"2", "2.0"})
    EXPECT_THAT(ExportWith({"--fmi", version}).output, HasSubstr("FMI 2.0 "));
  for (const char* version : {"3", "3.0"})
    EXPECT_THAT(ExportWith({"--fmi", version}).output, HasSubstr("FMI 3.0 "));
}

TEST(FmuCommandTest, WrongOptionsSayWhatIsRight) {
  const auto fault = [](const std::vector<std::string>& options) {
    const ProgramResult result = ExportWith(options);
    EXPECT_EQ(result.exit_code, 2);
    return result.messages;
  };
  EXPECT_THAT(fault({"--fmi", "1.0"}), HasSubstr("--fmi: davit does not export FMI '1.0'; write 2 or 3"));
  EXPECT_THAT(fault({"--kind", "se"}), HasSubstr("--kind: 'se' is not a kind of FMU; write cs, me or cs,me"));
  EXPECT_THAT(fault({"--platform", "win64"}),
              HasSubstr("--platform: an FMU of davit has no binary for 'win64'"));
}

}  // namespace
}  // namespace davit
