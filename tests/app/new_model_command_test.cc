// Names and folders of new projects. That the projects work: tests/extending.

#include "app/whole/new_model_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "app/exit_code.h"
#include "components/register.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class NewModelCommand : public testing::Test {
 protected:
  NewModelCommand() {
    RegisterComponents(registry_);
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("new_model_") + info->name());
    fs::remove_all(folder_);
  }

  int Write(const std::string& model, const fs::path& folder, const std::string& kind = "signal") {
    out_.str({});
    err_.str({});
    return RunNewModel({model, kind, folder}, registry_, out_, err_);
  }
  Registry registry_;
  fs::path folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(NewModelCommand, NoPlaceholderIsLeft) {
  for (const std::string_view kind : kModelKinds) {
    const fs::path folder = folder_ / kind / "my_valves";
    ASSERT_EQ(Write("hydraulic.ShuttleValve", folder, std::string(kind)), kDone) << err_.str();
    EXPECT_TRUE(fs::exists(folder / "shuttle_valve.h"));
    EXPECT_TRUE(fs::exists(folder / "shuttle_valve_test.cc"));
    EXPECT_EQ(fs::exists(folder / "shuttle_valve.scxml"), kind == "ode");
    for (const auto& file : fs::directory_iterator(folder)) {
      EXPECT_THAT(ReadAll(file.path()), AllOf(Not(ContainsRegex("%[A-Z_]+%")), Not(IsEmpty())))
          << file.path();
    }
    EXPECT_THAT(ReadAll(folder / "CMakeLists.txt"),
                HasSubstr(kind == "ode" ? "davit_add_plugin(my_valves plugin.cc CHARTS shuttle_valve.scxml)"
                                        : "davit_add_plugin(my_valves plugin.cc)"));
  }
}

TEST_F(NewModelCommand, WrongNamesAreAnsweredWithARightOne) {
  const std::pair<std::string, std::string> cases[] = {{"shuttle_valve", "hydraulic.ShuttleValve"},
                                                       {"ShuttleValve", "hydraulic.ShuttleValve"},
                                                       {"Hydraulic.ShuttleValve", "hydraulic.ShuttleValve"},
                                                       {"hydraulic.shuttle-valve", "hydraulic.ShuttleValve"},
                                                       {"hydraulic.", "hydraulic.ShuttleValve"},
                                                       {".Valve", "hydraulic.Valve"},
                                                       {"my valves.Relief 2", "my_valves.Relief2"},
                                                       {"a.b.C", "a.BC"},
                                                       {"3d.Body", "d.Body"},
                                                       {"", "hydraulic.ShuttleValve"},
                                                       {"../evil.Thing", "hydraulic.EvilThing"}};
  for (const auto& [name, right] : cases) {
    EXPECT_EQ(Write(name, folder_), kWrongInput) << name;
    EXPECT_THAT(err_.str(), HasSubstr("such as " + right + "\n")) << name;
    EXPECT_FALSE(fs::exists(folder_));
    EXPECT_EQ(Write(right, folder_ / right), kDone) << "the remedy works: " << err_.str();
    fs::remove_all(folder_);
  }
}

TEST_F(NewModelCommand, AModelThatExistsIsNotMadeAgain) {
  EXPECT_EQ(Write("hydraulic.Cylinder", folder_), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("there is a model hydraulic.Cylinder already; choose another name"));
}

TEST_F(NewModelCommand, NothingIsOverwritten) {
  fs::create_directories(folder_);
  EXPECT_EQ(Write("signal.Cube", folder_), kDone) << "an empty folder will do";
  EXPECT_EQ(Write("signal.Cube", folder_), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr(folder_.string() + ": error: the project has a cube.h already; "));
  fs::remove(folder_ / "plugin.cc");
  EXPECT_EQ(Write("signal.Square", folder_), kWrongInput);
  EXPECT_THAT(err_.str(),
              HasSubstr(folder_.string() + ": error: the folder is not empty and has no plug-in project; "));
  EXPECT_FALSE(fs::exists(folder_ / "square.h"));
  EXPECT_EQ(Write("signal.Cube", folder_ / "cube.h"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("there is a file of this name; "));
  EXPECT_EQ(Write("signal.Cube", folder_ / "cube.h" / "below"), kRunFailed);
  EXPECT_THAT(err_.str(), HasSubstr("cannot be written; "));
}

TEST_F(NewModelCommand, ALibraryDoesNotTakeTheNameOfATargetOfCMake) {
  for (const std::string name : {"test", "all", "install", "help"}) {
    ASSERT_EQ(Write("signal.Cube", folder_ / name), kDone);
    EXPECT_THAT(ReadAll(folder_ / name / "CMakeLists.txt"), HasSubstr("project(" + name + "_models "));
  }
}

}  // namespace
}  // namespace davit
