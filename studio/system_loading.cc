#include "studio/system_loading.h"

#include <utility>

namespace davit {
EditedSystem::EditedSystem(std::shared_ptr<const Folder> folder, const StudioModels& models,
                           const std::string& path, Texts unsaved, Diagnostics& diagnostics)
    : file_(folder->root() / path), registry_(models.registry), reason_to_stop_(models.reason_to_stop) {
  files_ = std::make_shared<const FolderFiles>(std::move(folder), std::move(unsaved));
  TextResult read = files_->Read(file_, "system file");
  if (!read.fault.empty()) {
    diagnostics.Error({std::make_shared<const std::string>(file_.string()), 0}, {}, read.fault);
    return;
  }
  text_ = std::move(read.text);
  is_readable_ = true;
  if (models.add_models_of) models.add_models_of(file_, *files_, registry_, diagnostics);
}

}  // namespace davit
