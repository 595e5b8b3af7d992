#include "app/drawing/draw_mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <unordered_map>
#include <vector>

#include "drawing/draw_scene.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"

namespace davit {
namespace {

constexpr double kStep = 1.0 / 500;  // between two points of a path, of the size of all points so far

/// Follows the scene while the simulation runs.
class Watch {
 public:
  Watch(Simulation& simulation, const std::vector<ShownItem>& scene)
      : simulation_(simulation), scene_(scene), paths_(SignalsOf(scene)), items_(simulation.Items(paths_)) {
    for (std::size_t i = 0; i < paths_.size(); ++i) places_.emplace(paths_[i], i);
    values_.resize(paths_.size());
    state_.value = [this](const std::string& path) { return values_[places_.at(path)]; };
    state_.paths.resize(scene.size());
  }

  void Look() {
    simulation_.Read(items_, values_);
    state_.time = simulation_.time();
    for (std::size_t i = 0; i < scene_.size(); ++i) {
      const SceneItem& item = scene_[i].item;
      if (!item.force.path().empty())
        state_.most_force = std::max(state_.most_force, std::abs(state_.value(item.force.path())));
      if (item.kind == SceneItem::Kind::kTrace) Trace(item.points.front(), state_.paths[i]);
    }
  }
  const SceneState& state() const { return state_; }

 private:
  double Of(const SceneCoordinate& one) const {
    return one.path().empty() ? one.number() : values_[places_.at(one.path())];
  }

  void Trace(const ScenePoint& point, std::vector<std::array<double, 3>>& path) {
    const std::array<double, 3> now{Of(point.x), Of(point.y), Of(point.z)};
    for (const double one : now) reach_ = std::max(reach_, std::abs(one));
    if (!path.empty()) {
      const auto& last = path.back();
      if (std::hypot(now[0] - last[0], now[1] - last[1], now[2] - last[2]) < kStep * reach_) return;
    }
    path.push_back(now);
  }

  Simulation& simulation_;
  const std::vector<ShownItem>& scene_;
  std::vector<std::string> paths_;
  ItemList items_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<double> values_;
  double reach_ = 0;
  SceneState state_;
};

}  // namespace

std::string DrawMechanism(Simulation& simulation, const std::string& components, const std::string& view,
                          std::optional<double> time, Diagnostics& diagnostics) {
  std::vector<std::string> views;
  for (const SceneView& one : SceneViews()) views.emplace_back(one.name);
  const auto from = std::ranges::find(SceneViews(), view, &SceneView::name);
  if (from == SceneViews().end())
    diagnostics.Error({std::make_shared<const std::string>("--view " + view)}, "",
                      fmt::format("no view {}; {}", Quoted(view), SuggestName("use one of", view, views)));
  std::vector<ShownItem> scene;
  std::vector<std::string> known;
  for (ShownItem& one : CollectScene(simulation.system())) {
    const std::string path = one.component->path();
    const bool is_water = one.item.kind == SceneItem::Kind::kSurface;
    if (!is_water && std::ranges::find(known, path) == known.end()) known.push_back(path);
    if (is_water || MatchesGlob(path, components)) scene.push_back(std::move(one));
  }
  if (std::ranges::none_of(
          scene, [&](const ShownItem& one) { return MatchesGlob(one.component->path(), components); }))
    diagnostics.Error({std::make_shared<const std::string>("--scene " + components)}, "",
                      fmt::format("no component {} shows a mechanism; {}", Quoted(components),
                                  SuggestName("those that do:", components, known)));
  if (time && !(*time >= simulation.start_time() && *time <= simulation.stop_time()))
    diagnostics.Error({std::make_shared<const std::string>("--time")}, "",
                      fmt::format("{:.9g} s is not within the run, {:.9g} s to {:.9g} s; choose a time in it",
                                  *time, simulation.start_time(), simulation.stop_time()));
  if (diagnostics.has_errors()) return {};
  simulation.Initialize();
  Watch watch(simulation, scene);
  watch.Look();
  while (time && simulation.time() < *time && !simulation.is_finished()) {
    simulation.Step();
    watch.Look();
  }
  return DrawScene(scene, watch.state(), *from,
                   fmt::format("{}, {:.9g} s", simulation.system().root().name(), simulation.time()));
}

}  // namespace davit
