#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"
#include "framework/parameter.h"
#include "framework/port.h"
#include "framework/signal.h"

namespace davit {

class StateVariable;

/// A coordinate of a mechanism [m]: a number, or an item of the component that moves, in metres. The same for
/// a force [N].
class SceneCoordinate {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a point is written {x, 0, height}
  SceneCoordinate(double number = 0) : number_(number) {}
  SceneCoordinate(const Parameter& parameter) : number_(parameter) {}
  SceneCoordinate(const Output& output) : id_(output.id()) {}
  SceneCoordinate(const Input& input) : id_(input.id()) {}
  SceneCoordinate(const StateVariable& state) : id_(&state) {}
  // NOLINTEND(google-explicit-constructor)
  static SceneCoordinate OfSignal(std::string path) {
    SceneCoordinate coordinate;
    coordinate.path_ = std::move(path);
    return coordinate;
  }

  double number() const { return number_; }
  /// What it refers to inside of its component; null of a number and of a path.
  const void* id() const { return id_; }
  /// The path of a signal; empty of a number.
  const std::string& path() const { return path_; }

 private:
  double number_ = 0;
  const void* id_ = nullptr;
  std::string path_;
};

/// A place in the frame of the earth, z upwards.
struct ScenePoint {
  SceneCoordinate x, y, z;
};

/// A harmonic wave of the surface of water, z = a cos(w t - k (x cos b + y sin b) + phase).
struct SceneWave {
  double amplitude = 0;  ///< a [m]
  double frequency = 1;  ///< w [rad/s]
  double number = 0;     ///< k [rad/m]
  double direction = 0;  ///< b [rad]
  double phase = 0;      ///< [rad]
};

/// One thing that a component shows of itself.
struct SceneItem {
  enum class Kind : std::uint8_t {
    kSegment,   ///< a straight part between two points
    kPolyline,  ///< a line through points, such as a wire
    kBody,      ///< a closed shape
    kCircle,    ///< round about one point
    kLimit,     ///< a line that something cannot pass: the reach of a boom
    kHull,      ///< a rigid body that reaches around its points, in any order
    kTrace,     ///< a point whose path is shown
    kSurface,   ///< water without an end: its waves, and no points
  };
  /// Where it is shown: from the side (x to the right, z up), from above (x to the right, y up), or both.
  enum class View : std::uint8_t { kAll, kSide, kTop };

  std::string name;  ///< unique in its component
  Kind kind = Kind::kSegment;
  std::string text;  ///< what it is
  std::vector<ScenePoint> points;
  double width = 0;   ///< [m]; 0: a thin line
  double radius = 0;  ///< of a circle [m]
  double depth = 0;   ///< of a hull or body, across the plane of its points [m]; 0: as it looks well
  double barrel = 0;  ///< of a segment, from its first point [m]: what the rest of it slides out of
  /// Of a segment [N]: what pushes its ends apart.
  SceneCoordinate force = {};
  View view = View::kAll;
  std::vector<SceneWave> waves = {};  ///< of a surface; their sum is its height
};

/// Takes what a component shows of itself. Not for use during a run.
class SceneBuilder {
 public:
  /// Places that ports have, by what is at the other end of their connection.
  using PortPlaces = std::map<const PortBase*, ScenePoint>;

  /// `neighbours`: what SceneBuilder::places() of the neighbours of `owner` said, by the ports of `owner`.
  SceneBuilder(const Component& owner, const PortPlaces& neighbours)
      : owner_(owner), neighbours_(neighbours) {}

  /// Adds an item. Its coordinates are numbers, or items of the component itself.
  void Add(SceneItem item);
  /// Says where a port is, so that what is connected to it can be shown there.
  void Place(const PortBase& port, const ScenePoint& point) { places_[&port] = Resolve(point); }
  /// The same, as the component at the other end of the connection says it; nothing where it says none.
  std::optional<ScenePoint> FindPlace(const PortBase& port) const;

  const std::vector<SceneItem>& items() const { return items_; }
  const PortPlaces& places() const { return places_; }

 private:
  SceneCoordinate Resolve(const SceneCoordinate& coordinate) const;
  ScenePoint Resolve(const ScenePoint& point) const {
    return {Resolve(point.x), Resolve(point.y), Resolve(point.z)};
  }

  const Component& owner_;
  const PortPlaces& neighbours_;
  std::vector<SceneItem> items_;
  PortPlaces places_;
};

/// A component that shows how it moves: what a live view draws to scale. A model derives from this beside
/// its base class. What moves are outputs, inputs and states of the model in m, so a model that shows itself
/// usually has outputs for its joints; declare them as OutputUse::kDrawing, then results do not grow.
class MechanismPart {
 public:
  /// Called once a system is loaded and its values are set, twice: first all components say where their
  /// ports are.
  virtual void DescribeScene(SceneBuilder& scene) const = 0;

 protected:
  MechanismPart() = default;
  MechanismPart(const MechanismPart&) = default;
  MechanismPart& operator=(const MechanismPart&) = default;
  ~MechanismPart() = default;
};

}  // namespace davit
