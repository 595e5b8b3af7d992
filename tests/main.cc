#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

/// Runs the tests of a program with a temporary folder of its own (testing::TempDir(), TMPDIR), which is
/// removed at the end. CTest runs each test as a process, several at a time, and two tests may give a file
/// the same name.
int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "davit_test_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return EXIT_FAILURE;
  }
  // Programs that a test starts may give up their rights, and read files of the test.
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
  setenv("TMPDIR", folder.c_str(), 1);
  setenv("TEST_TMPDIR", folder.c_str(), 1);
  const int result = RUN_ALL_TESTS();
  std::error_code is_in_use;  // by a program that outlives its test
  std::filesystem::remove_all(folder, is_in_use);
  return result;
}
