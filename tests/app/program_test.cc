// The command line as a whole: words that are not commands or options.

#include "app/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "components/register.h"

namespace davit {
namespace {

/// What the program writes to standard error for a wrong command line.
std::string MessageFor(std::initializer_list<const char*> words) {
  std::vector<const char*> arguments{"davit"};
  arguments.insert(arguments.end(), words);
  Registry registry = AllModels();
  std::istringstream in;
  std::ostringstream out, err;
  CommandContext context{.registry = registry, .in = in, .out = out, .err = err};
  EXPECT_EQ(RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), context), kWrongInput);
  EXPECT_EQ(out.str(), "");
  return err.str();
}

TEST(ProgramTest, SuggestsTheCommandThatWasMeant) {
  EXPECT_EQ(MessageFor({"chek", "crane.xml"}), "davit: error: no command 'chek'; did you mean 'check'?\n");
  EXPECT_EQ(MessageFor({"fmu", "exprot", "crane.xml"}),
            "davit fmu: error: no command 'exprot'; did you mean 'export'?\n");
  EXPECT_EQ(MessageFor({"abracadabra"}), "davit: error: no command 'abracadabra'; davit --help lists them\n");
}

TEST(ProgramTest, SuggestsTheOptionThatWasMeant) {
  EXPECT_EQ(MessageFor({"run", "crane.xml", "--stpo", "2s"}),
            "davit run: error: no option '--stpo'; did you mean '--stop'?\n");
  EXPECT_EQ(MessageFor({"run", "--levle=*=Ideal", "crane.xml"}),
            "davit run: error: no option '--levle'; did you mean '--level'?\n");
  EXPECT_EQ(MessageFor({"run", "crane.xml", "--abracadabra"}),
            "davit run: error: no option '--abracadabra'; davit run --help lists them\n");
}

}  // namespace
}  // namespace davit
