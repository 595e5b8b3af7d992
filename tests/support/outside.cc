#include "tests/support/outside.h"

#include <gtest/gtest.h>

#include <system_error>

#include "results/program.h"

namespace davit {
namespace {

std::string InQuotes(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Outside::Outside(const std::string& name) : folder_(std::filesystem::path(testing::TempDir()) / name) {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  Set("CXX", DAVIT_CXX);
  if (*DAVIT_CCACHE != '\0') Set("CMAKE_CXX_COMPILER_LAUNCHER", DAVIT_CCACHE);
}

Outside::~Outside() {
  std::error_code error;
  if (!testing::Test::HasFailure()) std::filesystem::remove_all(folder_, error);
}

std::filesystem::path Outside::Install() {
  std::filesystem::path prefix = folder_ / "installed";
  const std::string fault = FindFault(InQuotes(DAVIT_CMAKE) + " --install " + InQuotes(DAVIT_BUILD_DIR) +
                                      " --prefix " + InQuotes(prefix.string()));
  EXPECT_EQ(fault, "");
  Set("CMAKE_PREFIX_PATH", prefix.string());
  environment_ += "export PATH=" + InQuotes((prefix / "bin").string()) + ":\"$PATH\"\n";
  return prefix;
}

void Outside::Set(const std::string& variable, const std::string& value) {
  environment_ += "export " + variable + "=" + InQuotes(value) + "\n";
}

std::string Outside::FindFault(const std::string& commands, const std::filesystem::path& below) {
  const std::string script =
      environment_ + "cd " + InQuotes((folder_ / below).string()) + "\nset -e\n" + commands;
  const auto result = RunProgram("timeout", {"840", "bash", "-c", "exec 2>&1\n" + script}, "");
  if (!result) return "no timeout or no bash";
  output_ = result->output;
  if (result->exit_code == 0) return {};
  return "exit code " + std::to_string(result->exit_code) + " of\n" + commands + "\n" + output_;
}

}  // namespace davit
