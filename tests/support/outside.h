#pragma once

#include <filesystem>
#include <string>

namespace davit {

/// A folder of one test, outside of the source tree, in which it runs commands as a user would.
class Outside {
 public:
  /// Makes the folder, empty.
  explicit Outside(const std::string& name);
  /// Removes the folder, unless the test has failed.
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// Installs davit into `prefix` below the folder and finds it there from now on. Returns the prefix.
  std::filesystem::path Install();
  /// From now on a variable of the environment.
  void Set(const std::string& variable, const std::string& value);
  /// Runs commands of a shell in a folder below; the first that fails ends them. Returns what is wrong with
  /// that one, with all output; empty if all went well. They have 280 s.
  std::string FindFault(const std::string& commands, const std::filesystem::path& below = {});
  /// What the commands of the last FindFault wrote.
  const std::string& output() const { return output_; }

 private:
  std::filesystem::path folder_;
  std::string environment_;
  std::string output_;
};

}  // namespace davit
