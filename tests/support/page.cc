#include "tests/support/page.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>

namespace davit {
namespace {

/// The last name in backquotes that looks like a file.
std::string LastFileNamed(const std::string& paragraph) {
  static const std::regex kFile("`([A-Za-z0-9_./-]+\\.(h|cc|xml|scxml|ssv|ssm|hmf|txt))`");
  std::string file;
  for (std::sregex_iterator it(paragraph.begin(), paragraph.end(), kFile); it != std::sregex_iterator(); ++it)
    file = (*it)[1];
  return file;
}

void AddLinks(const std::string& line, std::vector<std::string>& links) {
  static const std::regex kLink("\\]\\(([^)#]+)[^)]*\\)");
  for (std::sregex_iterator it(line.begin(), line.end(), kLink); it != std::sregex_iterator(); ++it) {
    const std::string target = (*it)[1];
    if (target.find("://") == std::string::npos) links.push_back(target);
  }
}

/// Code without blanks, and without comments behind it.
std::string Bare(const std::string& code) {
  std::istringstream lines(code);
  std::string bare;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::size_t comment = line.find(" //");
    if (comment != std::string::npos && comment >= first) line.resize(comment);
    std::ranges::copy_if(line, std::back_inserter(bare), [](char c) { return c != ' '; });
  }
  return bare;
}

/// The parts of a quotation between lines of nothing but `...`.
std::vector<std::string> Parts(const std::string& quote) {
  std::vector<std::string> parts(1);
  std::istringstream lines(quote);
  for (std::string line; std::getline(lines, line);) {
    if (Bare(line) == "...") {
      parts.emplace_back();
    } else {
      parts.back() += line + '\n';
    }
  }
  return parts;
}

}  // namespace

Page ReadPage(const std::filesystem::path& file) {
  static const std::regex kFrom("<!-- from: (\\S+) -->");
  Page page;
  std::ifstream stream(file);
  std::string paragraph;
  std::string last_paragraph;
  std::string source;
  bool is_inside = false;
  bool is_list = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const bool is_fence = line.starts_with("```");
    if (is_inside) {
      if (!is_fence) page.blocks.back().text += line + '\n';
      is_inside = !is_fence;
      continue;
    }
    std::smatch from;
    if (is_fence) {
      Block block{number, line.substr(3), "", LastFileNamed(paragraph.empty() ? last_paragraph : paragraph),
                  ""};
      const bool is_command = block.language == "sh" || block.language == "text";
      if (is_command || !source.empty()) block.file.clear();
      if (block.file.find('/') != std::string::npos) source = std::exchange(block.file, "");
      block.source = source;
      page.blocks.push_back(std::move(block));
      source.clear();
      is_inside = true;
    } else if (std::regex_match(line, from, kFrom)) {
      source = from[1];
    } else if (line.empty()) {
      if (!paragraph.empty()) last_paragraph = std::exchange(paragraph, "");
    } else {
      is_list = line.starts_with("* ") || line.starts_with("- ") || (is_list && line.starts_with(" "));
      if (line.starts_with("    ") && !is_list) page.indented.push_back(number);
      AddLinks(line, page.links);
      paragraph += line + '\n';
    }
  }
  return page;
}

std::string FindMisquotation(const std::string& quote, const std::string& source) {
  const std::string bare = Bare(source);
  std::size_t from = 0;
  for (const std::string& part : Parts(quote)) {
    const std::string wanted = Bare(part);
    const std::size_t at = bare.find(wanted, from);
    if (at == std::string::npos) return part;
    from = at + wanted.size();
  }
  return {};
}

}  // namespace davit
