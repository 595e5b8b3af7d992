#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace davit {

/// A fenced block of a page of the documentation.
struct Block {
  int line;              ///< of the fence
  std::string language;  ///< the word behind the fence
  std::string text;
  std::string file;    ///< name without folder that the paragraph above ends with: the reader writes it
  std::string source;  ///< file that the block quotes: of the repository, or of this page
};

/// A page of the documentation, as its reader meets it.
struct Page {
  std::vector<Block> blocks;
  std::vector<std::string> links;  ///< targets without `#...` that are no addresses of the web
  std::vector<int> indented;       ///< lines of code without a fence, which no test would see
};

/// Reads Markdown. A block belongs to the file that the last paragraph above it names last: `name.cc` is
/// written by the reader, `folder/name.cc` is quoted. A line `<!-- from: folder/name.cc -->` above the fence
/// names a source that the text does not.
Page ReadPage(const std::filesystem::path& file);

/// The first part of `quote` that `source` does not have after the parts before it; empty if it has all.
/// Parts are separated by lines of nothing but `...`; blanks, line breaks and comments behind code do not
/// count.
std::string FindMisquotation(const std::string& quote, const std::string& source);

}  // namespace davit
