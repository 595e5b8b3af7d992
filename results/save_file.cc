#include "results/save_file.h"

#include "results/output_file.h"

namespace davit {

void SaveFile(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.Write(bytes);
  file.Close();
}

}  // namespace davit
