#include "app/live/users_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace davit {
namespace {

class UsersFileTest : public testing::Test {
 protected:
  ~UsersFileTest() override { std::filesystem::remove(file_); }

  std::vector<User> Read(std::string_view text) {
    std::ofstream(file_, std::ios::binary) << text;
    diagnostics_ = {};
    return ReadUsersFile(file_, diagnostics_);
  }
  /// What is wrong, a line each, without the folder.
  std::string Faults() const {
    std::string all;
    for (const Diagnostic& one : diagnostics_.all()) {
      const std::string text = ToText(one);
      all += text.substr(text.find("users_of_test")) + '\n';
    }
    return all;
  }

  const std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "users_of_test";
  Diagnostics diagnostics_;
};

TEST_F(UsersFileTest, EachLineIsAUser) {
  const std::string fours(64, '4');  // 32 bytes 0x44, a D each
  const std::string fives(64, '5');
  const std::vector<User> users =
      Read("# who may come\r\n\n  Anna edit " + fours + "\r\notto\tview " + fives);
  EXPECT_EQ(Faults(), "");
  ASSERT_EQ(users.size(), 2u);
  EXPECT_EQ(users[0].name, "anna");
  EXPECT_EQ(users[0].role, UserRole::kEdit);
  EXPECT_EQ(users[0].hash, std::string(32, 'D'));
  EXPECT_EQ(users[1].name, "otto");
  EXPECT_EQ(users[1].role, UserRole::kView);
  EXPECT_EQ(users[1].hash, std::string(32, 'U'));
}

TEST_F(UsersFileTest, AllThatIsWrongIsReportedInOnePass) {
  const std::string hash(64, 'a');
  Read("anna edit " + hash + "\nANNA view " + hash + "\notto admin " + hash + "\n<b> view " + hash +
       "\nvera view secret\nolga view\nolga view " + hash + " more\nx view " + std::string(2000, 'a') + '\n');
  EXPECT_EQ(
      Faults(),
      "users_of_test:2: error: user 'anna' is already in line 1; remove one of the two\n"
      "users_of_test:3: error: no such role; write view or operate or edit\n"
      "users_of_test:4: error: not a valid user name; use up to 64 letters, digits, '-', '_' and '.'\n"
      "users_of_test:5: error: the hash is not 64 hexadecimal digits; write those of sha256sum "
      "(docs/live.md#users)\n"
      "users_of_test:6: error: not a user; write a name, a role and a hash, such as 'anna edit 75b5...'\n"
      "users_of_test:7: error: not a user; write a name, a role and a hash, such as 'anna edit 75b5...'\n"
      "users_of_test:8: error: the hash is not 64 hexadecimal digits; write those of sha256sum "
      "(docs/live.md#users)\n");
}

TEST_F(UsersFileTest, AFileWithoutUsersLetsNobodyIn) {
  EXPECT_TRUE(Read("# nobody\n").empty());
  EXPECT_EQ(Faults(), "users_of_test: error: no user; write a line for each: name, role and hash\n");
  std::filesystem::remove(file_);
  diagnostics_ = {};
  EXPECT_TRUE(ReadUsersFile(file_, diagnostics_).empty());
  EXPECT_EQ(Faults(), "users_of_test: error: cannot be read; check the path of --users\n");
  diagnostics_ = {};
  EXPECT_TRUE(ReadUsersFile("/dev/zero", diagnostics_).empty()) << "it has no end";
  EXPECT_TRUE(diagnostics_.has_errors());
}

}  // namespace
}  // namespace davit
