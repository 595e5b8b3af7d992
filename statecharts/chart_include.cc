#include "statecharts/chart_include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostParts = 1000;
constexpr std::size_t kMostLevels = 8;
constexpr std::size_t kMostText = std::size_t{4} << 20;

std::string_view NameOfModel(DataModelKind kind) {
  switch (kind) {
    case DataModelKind::kDavit: return "davit";
    case DataModelKind::kNull: return "null";
    case DataModelKind::kEcmascript: return "ecmascript";
  }
  return {};
}

class IncludeReader {
 public:
  IncludeReader(ChartSource& source, DataModelKind data_model, const FileSource* files,
                Diagnostics& diagnostics)
      : source_(source), data_model_(data_model), files_(files), diagnostics_(diagnostics) {}

  void Run() {
    open_.push_back(fs::weakly_canonical(source_.file()));
    ReadStates(source_.root());
  }

 private:
  void Error(const tinyxml2::XMLElement& element, std::string_view message) {
    diagnostics_.Error(source_.At(element), "/", message);
  }

  /// The <davit:include>s of a state, or of the root of a part, and of the states in it.
  void ReadStates(const tinyxml2::XMLElement& state) {
    const tinyxml2::XMLElement* include = nullptr;
    for (const auto* child = state.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const std::string_view name = source_.NameOf(*child);
      if (name == "state" || name == "parallel") ReadStates(*child);
      if (source_.DavitNameOf(*child) != "include") continue;
      if (include != nullptr) {
        Error(*child, "a second <davit:include> of a state; keep one, and put states around the others");
        continue;
      }
      include = child;
      ReadInclude(*child, state);
    }
  }

  void CheckAttributes(const tinyxml2::XMLElement& include) {
    for (const auto* attribute = include.FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next()) {
      const std::string_view name = attribute->Name();
      if (name == "src" || name == "prefix" || name.find(':') != std::string_view::npos) continue;
      Error(include, fmt::format("no attribute {} on <davit:include>; it has src and prefix", Quoted(name)));
    }
    if (include.FirstChildElement() != nullptr) {
      Error(include, "<davit:include> can contain no elements; write them next to it, or into the file");
    }
  }

  /// The prefix of the ids of the included part; of the parts around it after that.
  std::vector<std::string> ScopesOf(const tinyxml2::XMLElement& include) {
    std::vector<std::string> scopes = source_.PartOf(include).scopes();
    const std::string prefix = ChartSource::Get(include, "prefix");
    if (prefix.empty()) return scopes;
    if (prefix.find_first_of(" \t\r\n'\"") != std::string::npos) {
      Error(include, fmt::format("{} is not a prefix of ids; write letters, digits, '_', '-' and '.'",
                                 Quoted(prefix)));
    } else if (data_model_ == DataModelKind::kEcmascript) {
      Error(include,
            "the names in ECMAScript cannot be given a prefix; leave it out, and give each state its own id");
    } else {
      scopes.insert(scopes.begin(), scopes.front() + prefix);
    }
    return scopes;
  }

  void ReadInclude(const tinyxml2::XMLElement& include, const tinyxml2::XMLElement& state) {
    CheckAttributes(include);
    if (!ChartSource::Has(include, "src")) {
      Error(include, "<davit:include> has no src; write <davit:include src=\"file.scxml\"/>");
      return;
    }
    const fs::path file = ResolveSource(source_.PartOf(include).file(), ChartSource::Get(include, "src"));
    const fs::path key = fs::weakly_canonical(file);
    if (std::ranges::find(open_, key) != open_.end()) {
      Error(include,
            fmt::format("{} includes itself; write the repetition as a transition", Quoted(file.string())));
      return;
    }
    if (open_.size() > kMostLevels) {
      Error(include,
            fmt::format("files include each other more than {} deep; put some into one file", kMostLevels));
      return;
    }
    if (is_full_) return;
    TextResult text = ReadTextFrom(files_, file, "chart");
    if (!text.fault.empty()) {
      Error(include, text.fault);
      return;
    }
    size_ += text.text.size();
    is_full_ = source_.parts().size() >= kMostParts || size_ > kMostText;
    if (is_full_) {
      Error(include, fmt::format("the chart includes more than {} files or {} MiB; split it", kMostParts,
                                 kMostText >> 20U));
      return;
    }
    const ChartSource* part =
        source_.AddPart(include, std::move(text.text), file, ScopesOf(include), diagnostics_);
    if (part == nullptr) return;
    CheckRoot(part->root(), state);
    open_.push_back(key);
    ReadStates(part->root());
    open_.pop_back();
  }

  void CheckRoot(const tinyxml2::XMLElement& root, const tinyxml2::XMLElement& state) {
    const std::string model = ChartSource::Get(root, "datamodel");
    if (!model.empty() && model != NameOfModel(data_model_)) {
      Error(root, fmt::format("the data model is {}, that of the chart around it {}; write the same",
                              Quoted(model), NameOfModel(data_model_)));
    }
    if (!ChartSource::Has(root, "initial")) return;
    if (source_.NameOf(state) == "parallel") {
      Error(root, "the file is included by a <parallel>, all of whose states are entered; remove initial");
    } else if (ChartSource::Has(state, "initial")) {
      Error(state, "both the state and the file it includes have an attribute initial; keep one");
    }
  }

  ChartSource& source_;
  DataModelKind data_model_;
  const FileSource* files_;
  Diagnostics& diagnostics_;
  std::vector<fs::path> open_;  ///< files being read, from the chart itself
  std::size_t size_ = 0;
  bool is_full_ = false;
};

}  // namespace

void ReadIncludes(ChartSource& source, DataModelKind data_model, const FileSource* files,
                  Diagnostics& diagnostics) {
  IncludeReader(source, data_model, files, diagnostics).Run();
}

}  // namespace davit
