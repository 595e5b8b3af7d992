#pragma once

#include <filesystem>
#include <string_view>

namespace davit {

/// Makes a file of all of `bytes`. Throws OutputFailure, as OutputFile does.
void SaveFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace davit
