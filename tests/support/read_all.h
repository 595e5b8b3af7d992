#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace davit {

/// All bytes of a file; nothing where it cannot be read.
inline std::string ReadAll(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace davit
