#include "studio/layout_system.h"

#include <chrono>
#include <map>
#include <utility>

#include "drawing/diagram.h"
#include "drawing/line_router.h"
#include "drawing/place_nodes.h"
#include "framework/xml/system_loader.h"
#include "studio/check_system.h"
#include "studio/symbol_json.h"

namespace davit {
namespace {

// Beyond, drawings become plainer so that large systems open within seconds.
constexpr std::size_t kMostByDot = 1'000;        // components that hang together
constexpr std::size_t kMostVisited = 6'000'000;  // by all searches for lines

Json ToJson(const DiagramBox& box) {
  return {{"left", box.left}, {"top", box.top}, {"right", box.right}, {"bottom", box.bottom}};
}

/// Where something stands in the files of the folder.
Json PlaceOf(const SourceLocation& location, const Folder& folder) {
  const std::string file = location.file == nullptr ? std::string() : *location.file;
  return {{"file", folder.Find(file).value_or(file)}, {"line", location.line}};
}

/// The symbols of a drawing, each look once.
class SymbolList {
 public:
  std::size_t Add(const Symbol& symbol) {
    Json json = SymbolToJson(symbol);
    const auto [found, is_new] = numbers_.try_emplace(DumpJson(json), symbols_.size());
    if (is_new) symbols_.push_back(std::move(json));
    return found->second;
  }
  Json Take() { return std::move(symbols_); }

 private:
  Json symbols_ = Json::array();
  std::map<std::string, std::size_t> numbers_;
};

Json NodesToJson(const System& system, const Diagram& diagram, const Folder& folder, SymbolList& symbols) {
  Json nodes = Json::array();
  for (const DiagramNode& node : diagram.nodes) {
    Json json{{"path", node.path},
              {"name", node.component->name()},
              {"model", node.component->model().name},
              {"frame", diagram.frames[node.frame].path},
              {"x", node.place.x},
              {"y", node.place.y},
              {"rotation", node.place.rotation},
              {"mirror", node.place.is_mirrored},
              {"is_placed", system.FindDrawingPlace(*node.component) != nullptr},
              {"symbol", symbols.Add(node.symbol)},
              {"label", {{"x", node.label.x}, {"y", node.label.y}, {"begins", node.label_begins_there}}},
              {"level", nullptr},
              {"at", PlaceOf(node.component->location(), folder)}};
    if (node.component->level() && !node.component->model().levels.is_empty())
      json["level"] = node.component->LevelName(*node.component->level());
    nodes.push_back(std::move(json));
  }
  return nodes;
}

Json FramesToJson(const System& system, const Diagram& diagram, const Folder& folder) {
  Json frames = Json::array();
  for (std::size_t f = 1; f < diagram.frames.size(); ++f) {
    const DiagramFrame& frame = diagram.frames[f];
    Json json{{"path", frame.path},
              {"name", frame.component->name()},
              {"frame", diagram.frames[frame.parent].path},
              {"box", ToJson(frame.box)},
              {"place", nullptr},
              {"at", PlaceOf(frame.component->location(), folder)}};
    if (const DrawingPlace* place = system.FindDrawingPlace(*frame.component))
      json["place"] = {{"x", place->x}, {"y", place->y}};
    frames.push_back(std::move(json));
  }
  return frames;
}

/// Lines tell which element of the file a note is.
Json NotesToJson(const Diagram& diagram, const Folder& folder) {
  Json notes = Json::array();
  for (const DiagramNote& note : diagram.notes) {
    Json json{{"frame", diagram.frames[note.frame].path},
              {"line", note.note->location.line},
              {"box", ToJson(note.box)},
              {"lines", note.lines},
              {"height", note.note->height},
              {"picture", nullptr}};
    if (note.note->picture != nullptr && note.note->location.file != nullptr) {
      const std::filesystem::path file = std::filesystem::path(*note.note->location.file).parent_path();
      if (auto path = folder.Find(file / note.note->file)) json["picture"] = std::move(*path);
    }
    notes.push_back(std::move(json));
  }
  return notes;
}

std::string PathOfEnd(const Diagram& diagram, const DiagramEnd& end) {
  return diagram.nodes[end.node].path + '.' + end.name;
}

Json LinesToJson(const Diagram& diagram, const Folder& folder) {
  Json lines = Json::array();
  for (const DiagramLine& line : diagram.lines) {
    Json points = Json::array();
    for (const DiagramPoint& point : line.points) points.push_back({point.x, point.y});
    // The end that is not drawn: a small symbol is, where the line ends.
    const std::string mark = line.mark == DiagramLine::Mark::kNone   ? ""
                             : line.mark == DiagramLine::Mark::kFrom ? "from"
                                                                     : "to";
    Json json{{"from", PathOfEnd(diagram, line.from)},
              {"to", PathOfEnd(diagram, line.to)},
              {"points", std::move(points)},
              {"mark", mark},
              {"net", line.net}};
    if (line.connection != nullptr) {
      json["kind"] = "connection";
      json["domain"] = line.connection->c.port->domain->name;
      json["at"] = PlaceOf(line.connection->location, folder);
    } else {
      json["kind"] = "route";
      json["at"] = PlaceOf(line.route->location, folder);
    }
    lines.push_back(std::move(json));
  }
  return lines;
}

}  // namespace

std::string LayOutSystem(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                         const std::string& path, Texts unsaved) {
  const auto begin = std::chrono::steady_clock::now();
  Diagnostics diagnostics;
  const EditedSystem edited(folder, models, path, std::move(unsaved), diagnostics);
  std::unique_ptr<System> system;
  if (edited.is_readable())
    system =
        LoadSystemText(edited.text(), edited.file(), edited.registry(), edited.load_options(), diagnostics);
  Json json{{"is_drawn", system != nullptr}};
  if (system != nullptr) {
    Diagram diagram = Diagram::Of(*system);
    PlaceNodes(*system, diagram, kMostByDot);
    RouteLines(diagram, kMostVisited);
    SymbolList symbols;
    json["box"] = ToJson(diagram.box);
    json["places"] = NodesToJson(*system, diagram, *folder, symbols);
    json["frames"] = FramesToJson(*system, diagram, *folder);
    json["notes"] = NotesToJson(diagram, *folder);
    json["lines"] = LinesToJson(diagram, *folder);
    json["symbols"] = symbols.Take();
  } else {
    json["faults"] = FaultsToJson(diagnostics, *folder);
  }
  json["wall_ms"] =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return DumpJson(json);
}

}  // namespace davit
