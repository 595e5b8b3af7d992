#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace davit {

/// A folder and what its files may include besides files of the folder itself: folders or files. The row of
/// the innermost folder holds.
struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};
/// The whole repository; lower folders first.
std::span<const Layer> Layers();

/// Headers of a library, by how they begin, and the folders or files of davit's own code that may include
/// them. Tests and benchmarks may use any library.
struct LibraryRule {
  std::string_view library;
  std::vector<std::string_view> headers;
  std::vector<std::string_view> users;
};
std::span<const LibraryRule> LibraryRules();

/// The sub-folders of a folder, lowest first: each includes only those before it.
struct SubFolders {
  std::string_view folder;
  std::vector<std::string_view> order;
};
std::span<const SubFolders> SubFolderOrders();

/// An include that closes a circle through a sub-folder and is left as it is.
struct CircleException {
  std::string_view file;
  std::string_view include;
  std::string_view reason;
};
std::span<const CircleException> CircleExceptions();

}  // namespace davit
