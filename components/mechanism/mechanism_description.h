#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/path.h"
#include "components/mechanism/load_numbers.h"
#include "framework/diagnostics.h"
#include "framework/text.h"
#include "framework/tree/item_element.h"
#include "framework/units/unit_system.h"

namespace davit {

class Component;

/// What the elements of a mechanism say, checked, with bodies after those that carry them.
struct MechanismDescription {
  struct Body {
    std::string name;
    std::string text;
    std::size_t carrier = multibody::BodyTree::kBase;
    multibody::Pose at;
    multibody::Joint joint{multibody::JointKind::kFixed};
    multibody::RigidBody body;
    double friction = 0;          ///< of a revolute [N.m.s/rad] or a prismatic joint [N.s/m]
    std::optional<double> start;  ///< of its position: where the search for the start begins
    double lower = -std::numeric_limits<double>::infinity();  ///< limits of its position
    double upper = std::numeric_limits<double>::infinity();
  };
  struct Frame {
    std::string name;
    std::string text;
    multibody::Anchor at;
    bool has_path = true;  ///< whether the path of its point is shown
  };
  struct Contact {
    std::string name;
    std::string text;
    multibody::Anchor at;
    double stiffness = 0;               ///< [N/m]
    double damping = 0;                 ///< per speed of approach [s/m]
    double friction = 0;                ///< coefficient
    std::optional<double> deck_height;  ///< [m]; nothing: the ground pushes it
    bool is_deck_on_base = false;
  };
  /// Where a cylinder, spring, damper or wire acts.
  struct Mount {
    std::string name;
    std::string text;
    multibody::Path path;
    double shortest = 0;  ///< distance at x = 0 [m]
    bool is_shortest_given = false;
    SourceLocation location;
  };
  struct Closure {
    std::string name;
    multibody::Loop loop;
    SourceLocation location;
  };
  /// What goes through the joint of a body, or through a loop.
  struct Reaction {
    std::string name;
    std::string text;
    bool is_of_loop = false;
    std::size_t of = 0;  ///< the number of the body or loop; BodyTree::kBase: of all that stands on the base
  };

  /// What hangs on a wire at a point, or is fixed there.
  struct Load {
    std::string name;
    std::string text;
    multibody::Anchor at;
    std::size_t about = multibody::BodyTree::kBase;  ///< body that radius and height are seen from
    double length = 5;                               ///< of wire at the start [m]
    bool is_deck_on_base = false;
    std::array<double, kLoadNumbers.size()> numbers{};
  };

  /// The force or torque along a joint of one speed that holds it still.
  struct Holding {
    std::string name;
    std::string text;
    std::size_t of = 0;
  };
  /// Another name for an item.
  struct Renaming {
    std::string name;
    std::string of;
    SourceLocation location;  ///< of `of`
  };

  std::vector<Body> bodies;
  std::vector<Frame> frames;
  std::vector<Mount> mounts;
  std::vector<Closure> loops;
  std::vector<Contact> contacts;
  std::vector<Reaction> reactions;
  std::vector<Load> loads;
  std::vector<Holding> holdings;
  std::vector<Renaming> renamings;
  /// Names of elements that are left out, because they or what they need are faulty.
  std::vector<std::string> refused;
  bool is_urdf_refused = false;  ///< so nobody knows which bodies are missing

  std::vector<multibody::Loop> Loops() const;
};

/// The elements of `component`. What is faulty goes to `diagnostics` and is
/// left out, with what it carries.
MechanismDescription ReadMechanism(const std::vector<ItemElement>& items, const UnitSystem& units,
                                   const Component& component, Diagnostics& diagnostics);

/// The attributes that an element may have. Pre: `kind` is one of these elements.
std::vector<std::string> AttributesOf(std::string_view kind);

/// The name of a position or speed of a joint, behind that of the body: `boom_angle`.
struct CoordinateName {
  std::string_view name;
  Text unit;
  std::string_view text;
};
/// In the order of multibody::Joint.
struct CoordinateNames {
  std::vector<CoordinateName> positions, speeds;
};
CoordinateNames NamesOf(multibody::JointKind kind);

}  // namespace davit
