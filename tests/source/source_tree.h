#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// One `#include` of a file.
struct IncludeLine {
  int line = 0;
  std::string path;        ///< in quotes: the file of the repository, from its root; else as written
  bool is_quoted = false;  ///< a file of the repository; else a header of a library
};

/// A .h or .cc of the repository.
struct SourceFile {
  std::string path;  ///< from the root of the repository, with /
  std::vector<IncludeLine> includes;
};

/// Sorted by path.
using SourceTree = std::vector<SourceFile>;

SourceFile ParseSource(std::string path, std::string_view text);

/// All .h and .cc below `root`, without its build folders and folders whose names begin with a dot.
SourceTree ReadSourceTree(const std::filesystem::path& root);

}  // namespace davit
