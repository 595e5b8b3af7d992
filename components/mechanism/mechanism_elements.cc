#include "components/mechanism/mechanism_elements.h"

#include <utility>
#include <vector>

#include "components/mechanism/dynamics/joint.h"
#include "components/mechanism/load_numbers.h"

namespace davit {
namespace {

using enum AttributeKind::Form;

AttributeKind Name() { return {"name", "Unique name in the mechanism", kGivenName, true}; }
AttributeKind On() { return {"on", "The body that carries it; default: base", kPath}; }
AttributeKind At() { return {"at", "Place in the frame of that body, such as 0 0 2 m"}; }
AttributeKind Turned() {
  return {"turned", "Turned about x, then y, then z of that body, such as 0 0 90 deg"};
}
AttributeKind DeckOn() {
  return {"deck_on",
          "What the deck is fixed to; default: earth",
          kChoice,
          false,
          {kDeckCarrierNames.begin(), kDeckCarrierNames.end()}};
}
AttributeKind OwnText() { return {"text", "What it is, for people"}; }

AttributeKind JointOf(std::string_view text) {
  return {
      "joint", text, kChoice, false, {multibody::kJointKindNames.begin(), multibody::kJointKindNames.end()}};
}
AttributeKind Axis() { return {"axis", "Direction of the joint, such as 0 -1 0"}; }
AttributeKind SecondAxis() {
  return {"second_axis", "Second axis of a universal joint, or first direction of a planar one"};
}

std::vector<ElementKind> AllMechanismElements() {
  constexpr auto kInside = ElementKind::Place::kComponent;
  return {
      {.name = "Body",
       .text = "A body and the joint that carries it",
       .place = kInside,
       .attributes = {Name(),
                      On(),
                      At(),
                      Turned(),
                      JointOf("How it moves on its carrier; default: fixed"),
                      Axis(),
                      SecondAxis(),
                      {"mass", "Mass, such as 500 kg", kQuantity},
                      {"centre", "Centre of mass in the frame of the body, such as 2 0 0 m"},
                      {"inertia", "Moments about the centre of mass: xx yy zz, or xx yy zz xy xz yz"},
                      {"friction", "Torque per angular speed, or force per speed", kQuantity},
                      {"start", "Position at which the search for the start begins", kQuantity},
                      {"lower", "Lower limit of the position", kQuantity},
                      {"upper", "Upper limit of the position", kQuantity},
                      OwnText()}},
      {.name = "Urdf",
       .text = "All bodies of a URDF file",
       .place = kInside,
       .attributes = {{"src", "The file, relative to the system file", kText, true}, On(), At(), Turned()}},
      {.name = "Frame",
       .text = "A frame that is shown by outputs",
       .place = kInside,
       .attributes = {Name(),
                      On(),
                      At(),
                      Turned(),
                      {"path",
                       "Whether the path of its point is drawn; default: shown",
                       kChoice,
                       false,
                       {kPathNames.begin(), kPathNames.end()}},
                      OwnText()}},
      {.name = "Mount",
       .text = "A port for a cylinder, spring or damper between two points",
       .place = kInside,
       .attributes = {Name(),
                      {"a", "The body at its first end; default: base", kPath},
                      {"a_at", "Place of the first end in the frame of that body"},
                      {"via", "Frames over which a wire runs, in their order"},
                      {"b", "The body at its last end; default: base", kPath},
                      {"b_at", "Place of the last end in the frame of that body"},
                      {"shortest", "Distance of the ends when the cylinder is retracted", kQuantity},
                      OwnText()}},
      {.name = "Loop",
       .text = "What closes a loop: a joint, or a rod of constant length",
       .place = kInside,
       .attributes = {Name(),
                      {"a", "The body on one side; default: base", kPath},
                      {"a_at", "Place in the frame of that body"},
                      {"a_turned", "Turned about x, then y, then z of that body"},
                      {"b", "The body on the other side; default: base", kPath},
                      {"b_at", "Place in the frame of that body"},
                      {"b_turned", "Turned about x, then y, then z of that body"},
                      JointOf("How the sides move against each other; default: fixed"),
                      Axis(),
                      SecondAxis(),
                      {"distance", "Length of a rod in place of a joint", kQuantity},
                      OwnText()}},
      {.name = "Contact",
       .text = "A point that the ground or a deck pushes",
       .place = kInside,
       .attributes = {Name(),
                      On(),
                      At(),
                      {"stiffness", "Force per depth", kQuantity, true},
                      {"damping", "Share of the force per speed of approach", kQuantity},
                      {"friction", "Coefficient of friction along the ground", kQuantity},
                      {"deck_height", "Height of the deck that pushes it; default: the ground", kQuantity},
                      DeckOn(),
                      OwnText()}},
      {.name = "Holding",
       .text = "Torque or force along a joint that holds it still, as an output",
       .place = kInside,
       .attributes = {Name(), {"of", "A body with a joint of one speed", kPath, true}, OwnText()}},
      {.name = "Rename",
       .text = "Gives an item of the mechanism another name",
       .place = kInside,
       .attributes = {{"name", "The new name", kGivenName, true},
                      {"of", "The item: a state, parameter, output or port", kPath, true}}},
      {.name = "Reaction",
       .text = "Force and moment through a joint or a loop, as outputs",
       .place = kInside,
       .attributes = {Name(), {"of", "A body, a loop, or base", kPath, true}, OwnText()}},
  };
}

std::vector<ElementKind> AllCraneElements() {
  std::vector<ElementKind> all = AllMechanismElements();
  std::vector<AttributeKind> attributes{
      Name(),
      {"on", "The body that carries it", kPath, true},
      At(),
      {"about", "The body from whose z axis its radius is measured; default: base", kPath},
      {"length", "Length of wire under the weight of the load at the start", kQuantity}};
  for (const LoadNumberKind& kind : kLoadNumbers)
    attributes.push_back({kind.name, kind.text, kQuantity, kind.name == std::string_view("mass")});
  attributes.push_back(DeckOn());
  attributes.push_back(OwnText());
  all.push_back({.name = "Load",
                 .text = "A load at a point, or on a wire below it",
                 .place = ElementKind::Place::kComponent,
                 .attributes = std::move(attributes)});
  return all;
}

}  // namespace

std::span<const ElementKind> MechanismElements() {
  static const std::vector<ElementKind> kElements = AllMechanismElements();
  return kElements;
}

std::span<const ElementKind> CraneElements() {
  static const std::vector<ElementKind> kElements = AllCraneElements();
  return kElements;
}

}  // namespace davit
