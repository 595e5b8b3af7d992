#pragma once

#include <memory>
#include <string>

#include "studio/folder.h"
#include "studio/system_loading.h"

namespace davit {

/// What the requests of the studio share. Any thread may use it.
struct StudioContext {
  std::shared_ptr<const Folder> folder;
  StudioModels models;
  bool is_read_only = false;
};

}  // namespace davit
