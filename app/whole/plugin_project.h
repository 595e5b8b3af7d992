#pragma once

#include <filesystem>
#include <string>

namespace davit {

/// A model that joins a plug-in.
struct JoiningModel {
  std::string model;  ///< hydraulic.ShuttleValve
  std::string type;   ///< ShuttleValve
  std::string file;   ///< shuttle_valve
  bool has_chart = false;
};

/// The project of a plug-in as `davit new-model` writes it, to which a model is added.
class PluginProject {
 public:
  /// Whether a folder has one: a plugin.cc, and a CMakeLists.txt that calls davit_add_plugin.
  static bool IsIn(const std::filesystem::path& folder);

  explicit PluginProject(std::filesystem::path folder);

  /// The name of the plug-in.
  const std::string& library() const { return library_; }
  /// Enters the model into the list of models and into the build, in memory. Returns what is wrong, with the
  /// remedy; empty where it was done.
  std::string Add(const JoiningModel& model);
  /// Writes both files; false where that fails.
  bool Write() const;

 private:
  std::filesystem::path folder_;
  std::string library_;
  std::string models_;  ///< plugin.cc
  std::string build_;   ///< CMakeLists.txt
};

}  // namespace davit
