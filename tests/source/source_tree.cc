#include "tests/source/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t";

/// What follows `word` and blanks; empty where the text does not begin with it.
std::string_view After(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return {};
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text;
}

/// davit/component.h is the public header include/davit/component.h.
std::string FromRoot(std::string_view path) {
  return (path.starts_with("davit/") ? "include/" : "") + std::string(path);
}

}  // namespace

SourceFile ParseSource(std::string path, std::string_view text) {
  SourceFile file{std::move(path), {}};
  for (int line = 1; !text.empty(); ++line) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    rest = After(After(rest, "#"), "include");
    if (rest.empty() || (rest.front() != '"' && rest.front() != '<')) continue;
    const bool is_quoted = rest.front() == '"';
    const std::string_view name = rest.substr(1, rest.find(is_quoted ? '"' : '>', 1) - 1);
    file.includes.push_back({line, is_quoted ? FromRoot(name) : std::string(name), is_quoted});
  }
  return file;
}

SourceTree ReadSourceTree(const fs::path& root) {
  SourceTree tree;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    const bool is_build = entry.depth() == 0 && name.starts_with("build");
    if (entry->is_directory() && (is_build || name.starts_with('.'))) entry.disable_recursion_pending();
    if (entry->path().extension() != ".h" && entry->path().extension() != ".cc") continue;
    std::ifstream file(entry->path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    tree.push_back(ParseSource(fs::relative(entry->path(), root).generic_string(), text));
  }
  std::ranges::sort(tree, {}, &SourceFile::path);
  return tree;
}

}  // namespace davit
