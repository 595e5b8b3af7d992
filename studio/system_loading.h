#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"
#include "studio/folder_files.h"

namespace davit {

/// Adds the models that a system names itself, those of plug-ins. Any thread may call it.
using AddModelsOf = std::function<void(const std::filesystem::path& system, const FolderFiles& files,
                                       Registry& registry, Diagnostics& diagnostics)>;

/// What loading a system of the folder needs.
struct StudioModels {
  const Registry& registry;  ///< what every system has
  AddModelsOf add_models_of = {};
  std::function<std::string()> reason_to_stop = {};  ///< as in LoadOptions
};

/// A system of the folder as it is edited: its file, unsaved texts in place of files, and the models it may
/// use. Diagnostics name files by absolute paths; PlaceInFolder makes them those of the folder.
class EditedSystem {
 public:
  static constexpr std::size_t kMostComponents = 20'000;  ///< more are an error

  /// Reads the text and adds the models of plug-ins; faults go to `diagnostics`.
  EditedSystem(std::shared_ptr<const Folder> folder, const StudioModels& models, const std::string& path,
               Texts unsaved, Diagnostics& diagnostics);

  /// Whether there is a text.
  bool is_readable() const { return is_readable_; }
  const std::string& text() const { return text_; }
  const std::filesystem::path& file() const { return file_; }
  const Registry& registry() const { return registry_; }
  LoadOptions load_options() const {
    LoadOptions options;
    SetLoadOptions(options);
    return options;
  }
  /// Sets what is the same for every load of the system.
  void SetLoadOptions(LoadOptions& options) const {
    options.files = files_;
    options.most_components = kMostComponents;
    options.reason_to_stop = reason_to_stop_;
  }

 private:
  std::filesystem::path file_;
  std::shared_ptr<const FolderFiles> files_;
  Registry registry_;
  std::function<std::string()> reason_to_stop_;
  std::string text_;
  bool is_readable_ = false;
};

}  // namespace davit
