#include "fmi/system_files.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The attributes in which system files and charts name other files.
constexpr std::array<std::string_view, 5> kFileAttributes{"src", "chart", "href", "file", "picture"};

bool HasEcmascript(const tinyxml2::XMLElement& element) {
  const char* const data_model = element.Attribute("datamodel");
  if (data_model != nullptr && std::string_view(data_model) == "ecmascript") return true;
  for (const auto* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (HasEcmascript(*e)) return true;
  }
  return false;
}

class FileCollector {
 public:
  FileCollector(const fs::path& system, Diagnostics& diagnostics)
      : root_(fs::absolute(system).parent_path().lexically_normal()), diagnostics_(diagnostics) {
    Add(fs::absolute(system).lexically_normal());
  }

  std::vector<SystemFile> Take() && { return std::move(files_); }

 private:
  void Add(const fs::path& file) {
    const fs::path below = file.lexically_relative(root_);
    if (!known_.insert(below.generic_string()).second) return;
    TextResult text = ReadTextFile(file);
    const SourceLocation place{std::make_shared<const std::string>(file.string()), 0};
    if (!text.fault.empty()) return diagnostics_.Error(place, {}, text.fault);
    files_.push_back({below, std::move(text.text), false});
    // What is no XML, such as a script, names no other files.
    const std::string content = files_.back().text;
    const XmlResult xml = ParseXml(content, {.root = "", .most_levels = 98});
    if (xml.document == nullptr) return;
    files_.back().has_ecmascript = HasEcmascript(*xml.document->RootElement());
    Visit(*xml.document->RootElement(), file);
  }

  void Visit(const tinyxml2::XMLElement& element, const fs::path& file) {
    for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
      if (std::ranges::find(kFileAttributes, std::string_view(a->Name())) != kFileAttributes.end())
        Follow(element, *a, file);
    }
    for (const auto* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      Visit(*e, file);
  }

  void Follow(const tinyxml2::XMLElement& element, const tinyxml2::XMLAttribute& attribute,
              const fs::path& file) {
    const SourceLocation place{std::make_shared<const std::string>(file.string()), attribute.GetLineNum()};
    if (std::string_view(element.Name()) == "Plugin") return;  // goes along by another way: fmu_plugins.h
    constexpr std::string_view kScheme = "file:";
    std::string_view name = attribute.Value();
    if (name.starts_with(kScheme)) name.remove_prefix(kScheme.size());
    const fs::path target = (file.parent_path() / name).lexically_normal();
    std::error_code fault;
    if (!fs::is_regular_file(target, fault)) return;  // no file is meant: the system has been checked
    const fs::path below = target.lexically_relative(root_);
    if (below.empty() || *below.begin() == ".." || fs::path(name).is_absolute()) {
      return diagnostics_.Error(
          place, {},
          fmt::format(
              "'{}' lies outside of {}, the folder of the system file, and an FMU has no such place; copy it "
              "into that folder and name it from there",
              name, root_.string()));
    }
    Add(target);
  }

  fs::path root_;
  Diagnostics& diagnostics_;
  std::set<std::string> known_;
  std::vector<SystemFile> files_;
};

}  // namespace

std::vector<SystemFile> CollectSystemFiles(const fs::path& system, Diagnostics& diagnostics) {
  return FileCollector(system, diagnostics).Take();
}

}  // namespace davit
