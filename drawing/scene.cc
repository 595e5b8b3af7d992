#include "drawing/scene.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "framework/scene.h"

namespace davit {
namespace {

using Json = nlohmann::ordered_json;

std::string_view ToText(SceneItem::Kind kind) {
  switch (kind) {
    case SceneItem::Kind::kSegment: return "segment";
    case SceneItem::Kind::kPolyline: return "polyline";
    case SceneItem::Kind::kBody: return "body";
    case SceneItem::Kind::kCircle: return "circle";
    case SceneItem::Kind::kLimit: return "limit";
    case SceneItem::Kind::kHull: return "hull";
    case SceneItem::Kind::kTrace: return "trace";
    case SceneItem::Kind::kSurface: return "surface";
  }
  return {};
}

Json ToJson(const SceneCoordinate& coordinate) {
  return coordinate.path().empty() ? Json(coordinate.number()) : Json(coordinate.path());
}

Json ToJson(const Component& component, const SceneItem& item) {
  Json json{{"component", component.path()},
            {"name", item.name},
            {"kind", ToText(item.kind)},
            {"text", item.text},
            {"points", Json::array()}};
  for (const ScenePoint& point : item.points)
    json["points"].push_back({ToJson(point.x), ToJson(point.y), ToJson(point.z)});
  if (item.width > 0) json["width"] = item.width;
  if (item.radius > 0) json["radius"] = item.radius;
  if (item.depth > 0) json["depth"] = item.depth;
  if (item.barrel > 0) json["barrel"] = item.barrel;
  if (!item.force.path().empty()) json["force"] = item.force.path();
  if (item.view != SceneItem::View::kAll) json["view"] = item.view == SceneItem::View::kSide ? "side" : "top";
  for (const SceneWave& wave : item.waves)
    json["waves"].push_back({wave.amplitude, wave.frequency, wave.number, wave.direction, wave.phase});
  return json;
}

bool IsSurface(const SceneItem& item) { return item.kind == SceneItem::Kind::kSurface; }

/// Mechanisms that stand at the origin are set beside each other, where their x are numbers.
class Rows {
 public:
  void MoveAside(std::vector<SceneItem>& items) {
    double low = 0, high = 0;
    for (const SceneItem& item : items) {
      for (const ScenePoint& point : item.points) {
        if (!point.x.path().empty()) return;
        const double half = std::max(item.radius, item.width / 2);
        low = std::min(low, point.x.number() - half);
        high = std::max(high, point.x.number() + half);
      }
    }
    const double by = is_first_ ? 0 : next_ - low;
    is_first_ = false;
    next_ = by + high + kGap;
    if (by == 0) return;
    for (SceneItem& item : items) {
      for (ScenePoint& point : item.points) point.x = point.x.number() + by;
    }
  }

 private:
  static constexpr double kGap = 0.5;  // [m]
  double next_ = 0;
  bool is_first_ = true;
};

}  // namespace

std::vector<ShownItem> CollectScene(System& system) {
  std::unordered_map<const Component*, SceneBuilder::PortPlaces> places;
  const SceneBuilder::PortPlaces nothing;
  for (const Component* component : system.components()) {
    const auto* part = dynamic_cast<const MechanismPart*>(component);
    if (part == nullptr) continue;
    SceneBuilder builder(*component, nothing);
    part->DescribeScene(builder);
    places[component] = builder.places();
  }
  // By component: where the other ends of its connections are, and who says so.
  std::unordered_map<const Component*, SceneBuilder::PortPlaces> neighbours;
  std::unordered_map<const Component*, const Component*> carrier;
  for (const Connection& connection : system.connections()) {
    for (const auto& [own, other] :
         {std::pair(&connection.c, &connection.q), {&connection.q, &connection.c}}) {
      const auto said = places.find(other->owner);
      if (said == places.end()) continue;
      const auto place = said->second.find(other->port->port);
      if (place == said->second.end()) continue;
      neighbours[own->owner].try_emplace(own->port->port, place->second);
      carrier.try_emplace(own->owner, other->owner);
    }
  }
  struct Part {
    const Component* component;
    std::vector<SceneItem> items;
  };
  std::vector<Part> parts;
  for (const Component* component : system.components()) {
    const auto* part = dynamic_cast<const MechanismPart*>(component);
    if (part == nullptr) continue;
    SceneBuilder builder(*component, neighbours[component]);
    part->DescribeScene(builder);
    if (!builder.items().empty()) parts.push_back({component, builder.items()});
  }
  // Water alone is no mechanism.
  if (std::ranges::all_of(parts, [](const Part& part) { return std::ranges::all_of(part.items, IsSurface); }))
    return {};
  // What is carried moves aside with what carries it.
  Rows rows;
  std::vector<bool> is_moved(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_moved[i] || carrier.contains(parts[i].component) || std::ranges::all_of(parts[i].items, IsSurface))
      continue;
    std::vector<std::size_t> group{i};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto by = carrier.find(parts[k].component);
      if (k != i && by != carrier.end() && by->second == parts[i].component) group.push_back(k);
    }
    std::vector<SceneItem> all;
    for (const std::size_t k : group) all.insert(all.end(), parts[k].items.begin(), parts[k].items.end());
    rows.MoveAside(all);
    auto next = all.begin();
    for (const std::size_t k : group) {
      for (SceneItem& item : parts[k].items) item = *next++;
      is_moved[k] = true;
    }
  }
  std::vector<ShownItem> scene;
  for (Part& part : parts) {
    for (SceneItem& item : part.items) scene.push_back({part.component, std::move(item)});
  }
  return scene;
}

std::vector<std::string> SignalsOf(const std::vector<ShownItem>& scene) {
  std::set<std::string> paths;
  for (const auto& [component, item] : scene) {
    for (const ScenePoint& point : item.points) {
      for (const SceneCoordinate* one : {&point.x, &point.y, &point.z}) paths.insert(one->path());
    }
    paths.insert(item.force.path());
  }
  paths.erase("");
  return {paths.begin(), paths.end()};
}

std::string DescribeScene(System& system) {
  const std::vector<ShownItem> all = CollectScene(system);
  Json scene{{"views", Json::array()}, {"items", Json::array()}};
  if (!all.empty()) scene["views"] = {"side", "top"};
  for (const auto& [component, item] : all) scene["items"].push_back(ToJson(*component, item));
  return scene.dump();
}

}  // namespace davit
