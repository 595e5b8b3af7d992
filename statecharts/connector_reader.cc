#include "statecharts/connector_reader.h"

#include <fmt/format.h>

#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::size_t kMostConnectors = 16;  // in a row
constexpr std::size_t kMostPaths = 20'000;   // of a transition
constexpr std::size_t kMostPathText = std::size_t{16} << 20;

}  // namespace

void ConnectorReader::Add(const tinyxml2::XMLElement& element, StateId parent) {
  const bool is_selection = build_.source.DavitNameOf(element) == "select";
  const std::string id = build_.source.PartOf(element).scopes().front() + ChartSource::Get(element, "id");
  chart_.connectors.push_back({id, is_selection, parent});
  connectors_.push_back({&element, build_.source.ChildrenOf(element)});
  if (is_selection) {
    build_.CheckAttributes(element, parent, {"id", "expr"});
  } else {
    build_.CheckAttributes(element, parent, {"id"});
  }
}

void ConnectorReader::Check() {
  for (Index i = 0; i < connectors_.size(); ++i) CheckId(i);
  for (Index i = 0; i < connectors_.size(); ++i) {
    const std::size_t errors = build_.diagnostics.error_count();
    ReadBranches(i);
    connectors_[i].is_broken = build_.diagnostics.error_count() > errors;
  }
}

void ConnectorReader::CheckId(Index connector) {
  const tinyxml2::XMLElement& element = *connectors_[connector].element;
  const auto& [id, is_selection, parent] = chart_.connectors[connector];
  const std::string own = ChartSource::Get(element, "id");
  if (own.empty() || own.find_first_of(" \t\r\n") != std::string::npos) {
    build_.Error(element, parent, "a connector needs an id for transitions to lead to; write id=\"...\"");
    return;
  }
  const bool is_new = connector_of_id_.emplace(id, connector).second;
  if (is_new && !chart_.state_of_id.contains(id)) return;
  build_.Error(element, parent,
               fmt::format("the id {} is already taken; give each state and connector its own", Quoted(id)));
}

bool ConnectorReader::IsOtherwise(Index connector, const tinyxml2::XMLElement& branch) const {
  return chart_.connectors[connector].is_selection ? build_.source.FindDavit(branch, "is") == nullptr
                                                   : !ChartSource::Has(branch, "cond");
}

void ConnectorReader::ReadBranches(Index connector) {
  const tinyxml2::XMLElement& element = *connectors_[connector].element;
  const auto& [id, is_selection, parent] = chart_.connectors[connector];
  if (is_selection && ChartSource::Get(element, "expr").empty()) {
    build_.Error(element, parent,
                 "<davit:select> has no expr; write what is compared, as in expr=\"_event.data.mode\"");
  }
  bool has_otherwise = false;
  for (const tinyxml2::XMLElement* branch : connectors_[connector].branches) {
    ReadBranch(connector, *branch, has_otherwise);
    has_otherwise |= IsOtherwise(connector, *branch);
  }
  if (connectors_[connector].branches.empty()) {
    build_.Error(element, parent,
                 "a connector leads nowhere without a <transition target=\"...\"/>; add two");
  } else if (!has_otherwise) {
    build_.Warning(element, parent,
                   fmt::format("if no branch of {} fits, the transition that leads to it is not taken; "
                               "end with a <transition target=\"...\"/> without {}",
                               Quoted(id), is_selection ? "davit:is" : "cond"));
  }
}

void ConnectorReader::ReadBranch(Index connector, const tinyxml2::XMLElement& branch, bool has_otherwise) {
  const StateId parent = chart_.connectors[connector].parent;
  if (!build_.source.Is(branch, "transition")) {
    build_.Error(
        branch, parent,
        fmt::format("<{}> is not allowed in a connector; it has <transition>", build_.source.NameOf(branch)));
    return;
  }
  if (has_otherwise) {
    build_.Error(branch, parent, "no branch may follow the one without condition; put it last");
  }
  if (ChartSource::Get(branch, "target").find_first_not_of(" \t\r\n") == std::string::npos) {
    build_.Error(branch, parent, "a branch of a connector leads nowhere; write target=\"...\"");
  }
  for (const char* attribute : {"event", "type"}) {
    if (!ChartSource::Has(branch, attribute)) continue;
    build_.Error(branch, parent,
                 fmt::format("a branch of a connector has no {}; write it at the transition that leads to "
                             "the connector",
                             attribute));
  }
  for (const char* attribute : {"after", "holds"}) {
    if (build_.source.FindDavit(branch, attribute) == nullptr) continue;
    build_.Error(branch, parent,
                 fmt::format("a branch of a connector has no davit:{}; write it at the transition that leads "
                             "to the connector",
                             attribute));
  }
  if (chart_.connectors[connector].is_selection && ChartSource::Has(branch, "cond")) {
    build_.Error(branch, parent,
                 "a branch of <davit:select> has no cond; write a value, as in davit:is=\"'manual'\", or use "
                 "<davit:choice>");
  } else if (!chart_.connectors[connector].is_selection && build_.source.FindDavit(branch, "is") != nullptr) {
    build_.Error(branch, parent,
                 "a branch of <davit:choice> has no davit:is; write a cond, or use <davit:select>");
  }
}

std::optional<Index> ConnectorReader::Find(std::string_view id) const {
  if (connectors_.empty()) return std::nullopt;
  for (const std::string& scope : build_.scopes()) {
    const auto found = connector_of_id_.find(scope + std::string(id));
    if (found != connector_of_id_.end()) return found->second;
  }
  return std::nullopt;
}

std::string ConnectorReader::Refusal(std::string_view id) {
  return fmt::format("{} is a connector, to which only a transition of a state leads, alone; name a state",
                     Quoted(id));
}

std::vector<ConnectorReader::Path> ConnectorReader::FindPaths(const tinyxml2::XMLElement& transition,
                                                              Index connector) {
  Path path;
  std::vector<Path> paths;
  if (!Follow(connector, path, paths)) return {};
  const auto size_of = [&](const tinyxml2::XMLElement& element) {
    return build_.source.PlacesOf(element).SizeOf(element);
  };
  for (const Path& way : paths) {
    text_size_ += size_of(transition);
    for (const Step& step : way) text_size_ += size_of(*step.branch);
  }
  if (text_size_ > kMostPathText) {
    build_.Error(transition, chart_.connectors[connector].parent,
                 fmt::format("the connectors make a chart of more than {} MiB; put states between",
                             kMostPathText >> 20U));
    BreakAll();
    return {};
  }
  return paths;
}

bool ConnectorReader::Follow(Index connector, Path& path, std::vector<Path>& paths) {
  Entry& entry = connectors_[connector];
  entry.is_used = true;
  if (entry.is_broken) return false;
  const bool is_long = path.size() >= kMostConnectors;
  if (is_long || paths.size() >= kMostPaths) {
    build_.Error(
        *entry.element, chart_.connectors[connector].parent,
        is_long ? fmt::format("more than {} connectors lead to each other; do they form a "
                              "cycle? Put a state between",
                              kMostConnectors)
                : fmt::format("connectors make more than {} transitions; put states between", kMostPaths));
    BreakAll();
    return false;
  }
  for (std::size_t i = 0; i < entry.branches.size(); ++i) {
    const tinyxml2::XMLElement& branch = *entry.branches[i];
    build_.SetScope(branch);
    path.push_back({&branch, connector, static_cast<Index>(i + 1)});
    const std::vector<std::string> targets = SplitWords(ChartSource::Get(branch, "target"));
    const std::optional<Index> next = targets.size() == 1 ? Find(targets.front()) : std::nullopt;
    if (next) {
      if (!Follow(*next, path, paths)) return false;
    } else {
      paths.push_back(path);
    }
    path.pop_back();
  }
  return true;
}

void ConnectorReader::BreakAll() {
  for (Entry& entry : connectors_) entry.is_broken = true;
}

void ConnectorReader::CheckUse() {
  for (Index i = 0; i < connectors_.size(); ++i) {
    if (connectors_[i].is_used) continue;
    build_.Warning(*connectors_[i].element, chart_.connectors[i].parent,
                   "no transition leads to this connector; it is never used");
  }
}

}  // namespace davit
