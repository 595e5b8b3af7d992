#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing/scene.h"

namespace davit {

/// From where a scene is seen, along parallel lines.
struct SceneView {
  std::string_view name;
  std::array<double, 3> from;  ///< direction to the one who looks
};
/// `all`, `side`, `front` and `top`, as on the page.
std::span<const SceneView> SceneViews();

/// Right and up [m] of a place as it is seen.
std::array<double, 2> Project(const SceneView& view, const std::array<double, 3>& place);

/// The numbers of a scene at one time.
struct SceneState {
  std::function<double(const std::string& path)> value;
  double time = 0;        ///< [s]
  double most_force = 0;  ///< [N] the largest so far, at which a colour is strongest
  /// By item of the scene: where the point of a trace has been.
  std::vector<std::vector<std::array<double, 3>>> paths = {};
};

/// The scene as SVG, in the colours of the page. Coordinates are millimetres of the projection, the vertical
/// ones downwards. What is farther away is painted first. The same numbers give the same bytes.
std::string DrawScene(const std::vector<ShownItem>& scene, const SceneState& state, const SceneView& view,
                      std::string_view title);

}  // namespace davit
