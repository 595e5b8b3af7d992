#pragma once

#include <memory>
#include <string>

#include "studio/folder.h"
#include "studio/shared_files.h"
#include "studio/system_loading.h"

namespace davit {

/// What the requests of the studio share. Any thread may use it.
struct StudioContext {
  std::shared_ptr<const Folder> folder;
  StudioModels models;
  bool is_read_only = false;
  std::shared_ptr<SharedFiles> shared = {};  ///< of the thread that answers for files
};

}  // namespace davit
