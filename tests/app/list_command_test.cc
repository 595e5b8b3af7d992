#include "app/list_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "components/register.h"
#include "session/model_description.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class ListCommand : public testing::Test {
 protected:
  ListCommand() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
  }

  int List(const std::string& glob) {
    std::stringstream out;
    err_.str({});
    const int code = RunList(glob, registry_, out, err_);
    lines_.clear();
    for (std::string line; std::getline(out, line);) lines_.push_back(line);
    return code;
  }

  Registry registry_;
  std::ostringstream err_;
  std::vector<std::string> lines_;
};

TEST_F(ListCommand, ShowsEveryModelButThePartsOfASystemFile) {
  EXPECT_EQ(List("*"), kDone);
  std::size_t expected = 0;
  for (const ModelEntry* entry : registry_.entries()) {
    const auto is_line = [&](const std::string& line) {
      return line.starts_with(std::string(entry->info->name) + ' ');
    };
    const auto count = std::count_if(lines_.begin(), lines_.end(), is_line);
    EXPECT_EQ(count, IsPart(*entry->info) ? 0 : 1) << entry->info->name;
    expected += IsPart(*entry->info) ? 0 : 1;
  }
  EXPECT_THAT(lines_, SizeIs(expected));
  const std::vector<std::string> all = lines_;
  EXPECT_EQ(List(""), kDone);
  EXPECT_EQ(lines_, all);
}

TEST_F(ListCommand, AlignsTheTexts) {
  ASSERT_EQ(List("*"), kDone);
  const std::size_t column = lines_.front().find_first_not_of(' ', lines_.front().find(' '));
  for (const std::string& line : lines_) {
    ASSERT_GT(line.size(), column);
    EXPECT_EQ(line.substr(column - 2, 2), "  ") << line;
    EXPECT_NE(line[column], ' ') << line;
  }
}

TEST_F(ListCommand, TakesAGlobADomainOrAName) {
  EXPECT_EQ(List("hydraulic.*"), kDone);
  EXPECT_THAT(lines_, AllOf(testing::Not(IsEmpty()), Each(StartsWith("hydraulic."))));
  const std::vector<std::string> by_glob = lines_;
  EXPECT_EQ(List("hydraulic"), kDone);
  EXPECT_EQ(lines_, by_glob);
  EXPECT_EQ(List("hydraulic.Cylinder"), kDone);
  EXPECT_THAT(lines_, testing::ElementsAre(StartsWith("hydraulic.Cylinder  ")));
  EXPECT_EQ(List("SimulatorManager"), kDone);
  EXPECT_THAT(lines_, testing::ElementsAre(StartsWith("SimulatorManager  ")));
}

TEST_F(ListCommand, AnswersAWrongNameWithTheNearest) {
  EXPECT_EQ(List("hydraulic.Cilinder"), kWrongInput);
  EXPECT_THAT(lines_, IsEmpty());
  EXPECT_EQ(err_.str(),
            "error: no model is named 'hydraulic.Cilinder'; did you mean 'hydraulic.Cylinder'?\n");
  EXPECT_EQ(List("hydraulics.*x"), kWrongInput);
  EXPECT_THAT(err_.str(), StartsWith("error: no model matches 'hydraulics.*x'; "));
  EXPECT_EQ(List("hydr"), kWrongInput);  // not a whole domain
}

TEST_F(ListCommand, SuggestsATypeWithoutOrWithAnotherDomain) {
  EXPECT_EQ(SuggestModel("cylinder", registry_), "did you mean 'hydraulic.Cylinder'?");
  EXPECT_EQ(SuggestModel("hydraulic.mass", registry_), "did you mean 'mechanical.Mass'?");
  EXPECT_EQ(SuggestModel("Cilinder", registry_), "did you mean 'hydraulic.Cylinder'?");
  EXPECT_THAT(SuggestModel("xyzzy", registry_), HasSubstr("davit list"));
  EXPECT_THAT(SuggestModel("", registry_), HasSubstr("davit list"));
  EXPECT_THAT(SuggestModel("hydraulic.", registry_), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace davit
