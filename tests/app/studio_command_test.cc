// davit studio as it is called: what is wrong with its arguments ends it at once, with exit code 2.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "results/program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(StudioCommand, SaysWhatIsWrongWithItsArguments) {
  const fs::path folder = fs::path(testing::TempDir()) / "studio_command";
  fs::create_directories(folder);
  std::ofstream(folder / "file.xml") << "<System/>";
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const Case& wrong : std::vector<Case>{
           {{(folder / "none").string()}, "name a folder of systems"},
           {{(folder / "file.xml").string()}, "name a folder of systems"},
           {{folder.string(), "--listen", "0.0.0.0"}, "add --user"},
           {{folder.string(), "--prefix", "no path"}, "--prefix /crane1"},
           {{folder.string(), "--tls-cert", "none.pem"}, "give both files"},
           {{folder.string(), "--plugin", (folder / "none.so").string()}, "there is no such file"}}) {
    std::vector<std::string> arguments{"studio", "--port", "0"};
    arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
    const std::optional<ProgramResult> result = RunProgram(DAVIT_BINARY, arguments, "");
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->exit_code, 2) << wrong.message;
    EXPECT_THAT(result->messages, HasSubstr(wrong.message));
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace davit
