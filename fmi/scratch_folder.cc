#include "fmi/scratch_folder.h"

#include <stdlib.h>

#include <stdexcept>
#include <string>
#include <system_error>

namespace davit {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "davit-fmu-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error(name + ": cannot be made; set TMPDIR to a folder that can be written");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace davit
