#include "components/mechanism/mechanism_description.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "components/mechanism/mechanism_elements.h"
#include "components/mechanism/urdf.h"
#include "components/signal/number_list.h"
#include "framework/component.h"
#include "framework/nearest_name.h"
#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_reader.h"

namespace davit {
namespace {

using multibody::Anchor;
using multibody::BodyTree;
using multibody::Joint;
using multibody::JointKind;
using multibody::Matrix3;
using multibody::Pose;
using multibody::Vector3;
using Attribute = ItemElement::Attribute;

constexpr std::string_view kBaseName = "base";

/// Reads the elements; each fault once.
class Reader {
 public:
  Reader(const UnitSystem& units, const Component& component, Diagnostics& diagnostics)
      : units_(units), component_(component), diagnostics_(diagnostics) {}

  MechanismDescription Read(const std::vector<ItemElement>& given) {
    for (const ItemElement& item : given) {
      if (item.kind == "Urdf") CheckAttributes(item);
    }
    const std::size_t errors = diagnostics_.error_count();
    const std::vector<ItemElement> items = WithUrdfBodies(given, component_.DisplayPath(), diagnostics_);
    result_.is_urdf_refused = diagnostics_.error_count() > errors;
    for (const ItemElement& item : items) {
      CheckAttributes(item);
      TakeName(item);
    }
    for (const ItemElement& item : items) {
      if (item.kind == "Body") AddBody(item);
    }
    for (const ItemElement& item : items) {
      if (item.kind == "Frame") AddFrame(item);
      if (item.kind == "Loop") AddLoop(item);
      if (item.kind == "Contact") AddContact(item);
      if (item.kind == "Load") AddLoad(item);
    }
    for (const ItemElement& item : items) {  // these name frames and loops
      if (item.kind == "Mount") AddMount(item);
      if (item.kind == "Reaction") AddReaction(item);
      if (item.kind == "Holding") AddHolding(item);
      if (item.kind == "Rename") AddRenaming(item);
    }
    for (const ItemElement& item : items) {
      const Attribute* const name = item.Find("name");
      if (name != nullptr && faulty_.contains(&item)) result_.refused.push_back(name->value);
    }
    return std::move(result_);
  }

 private:
  void Error(const SourceLocation& place, std::string_view text) {
    diagnostics_.Error(place, component_.DisplayPath(), text);
  }

  void CheckAttributes(const ItemElement& item) {
    const std::vector<std::string> allowed = AttributesOf(item.kind);
    for (const Attribute& attribute : item.attributes) {
      if (std::ranges::find(allowed, attribute.name) != allowed.end()) continue;
      Error(attribute.location, fmt::format("no attribute {} in {}; {}", Quoted(attribute.name), item.kind,
                                            SuggestName("it has", attribute.name, allowed)));
    }
  }

  void TakeName(const ItemElement& item) {
    const Attribute* const name = Require(item, "name");
    if (name == nullptr) return;
    if (!IsName(name->value)) {
      Error(name->location,
            Quoted(name->value) + " is not a name; use letters, digits and _, no digit first");
      misnamed_.insert(name->value);
    } else if (name->value == kBaseName) {
      Error(name->location, "'base' is what carries the first body; choose another name");
    } else if (item.kind == "Rename") {
      return;  // it names an item, which may have the name of an element
    } else if (!names_.insert(name->value).second) {
      Error(name->location,
            fmt::format("a second item {}; each item needs a unique name{}", Quoted(name->value),
                        item.kind == "Body" ? ", and a second carrier of a body is a <Loop>" : ""));
    } else {
      if (item.kind == "Body") body_items_.emplace(name->value, &item);
      if (item.kind == "Loop") loop_items_.emplace(name->value, &item);
      if (item.kind == "Frame") frame_items_.push_back(&item);
      return;
    }
    faulty_.insert(&item);
  }

  const Attribute* Require(const ItemElement& item, std::string_view name) {
    const Attribute* const attribute = item.Find(name);
    if (attribute == nullptr) {
      faulty_.insert(&item);
      Error(item.location,
            fmt::format("{} needs the attribute '{}'; write {}=\"...\"", item.kind, name, name));
    }
    return attribute;
  }

  static std::vector<std::string> Words(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t begin = text.find_first_not_of(" \t\n,", at);
      if (begin == std::string::npos) break;
      at = std::min(text.find_first_of(" \t\n,", begin), text.size());
      words.push_back(text.substr(begin, at - begin));
    }
    return words;
  }

  /// The numbers of `1 2 3 mm`: as many as one of `counts`, in the SI unit `unit`; without a unit they are in
  /// SI.
  std::optional<std::vector<double>> Numbers(const ItemElement& item, std::string_view name,
                                             std::string_view unit, std::initializer_list<std::size_t> counts,
                                             std::string_view example) {
    const Attribute* const attribute = item.Find(name);
    if (attribute == nullptr) return std::nullopt;
    NumberListResult list = ParseNumberList(attribute->value, units_);
    const Dimension wanted = unit.empty() ? Dimension{} : units_.Find(unit)->dimension;
    std::string fault = list.fault;
    if (fault.empty() && list.dimension.value_or(wanted) != wanted) {
      fault = fmt::format("{} is {}, but {} is needed; write for example {}", Quoted(attribute->value),
                          ToText(*list.dimension), unit.empty() ? "no unit" : unit, example);
    } else if (fault.empty() && std::ranges::find(counts, list.numbers.size()) == counts.end()) {
      fault = fmt::format("{} has {} numbers in place of {}; write for example {}", Quoted(attribute->value),
                          list.numbers.size(), *counts.begin(), example);
    }
    if (fault.empty()) return std::move(list.numbers);
    Error(attribute->location, fmt::format("{}: {}", name, fault));
    faulty_.insert(&item);
    return std::nullopt;
  }

  Vector3 Vector(const ItemElement& item, std::string_view name, std::string_view unit,
                 const Vector3& otherwise, std::string_view example) {
    const auto numbers = Numbers(item, name, unit, {3}, example);
    return numbers ? Vector3((*numbers)[0], (*numbers)[1], (*numbers)[2]) : otherwise;
  }

  std::optional<double> Number(const ItemElement& item, std::string_view name, std::string_view unit) {
    const Attribute* const attribute = item.Find(name);
    if (attribute == nullptr) return std::nullopt;
    const QuantityResult result = ParseQuantity(attribute->value, unit, units_);
    if (result.value) return result.value->si;
    Error(attribute->location, fmt::format("{}: {}", name, result.fault.ToText()));
    faulty_.insert(&item);
    return std::nullopt;
  }

  Pose ReadPose(const ItemElement& item, std::string_view at, std::string_view turned) {
    const Vector3 angles = Vector(item, turned, "rad", Vector3::Zero(), "0 0 90 deg");
    return {multibody::TurnedAboutAxes(angles), Vector(item, at, "m", Vector3::Zero(), "0.6 0 4 m")};
  }

  std::optional<Joint> ReadJoint(const ItemElement& item, JointKind otherwise) {
    JointKind kind = otherwise;
    if (const Attribute* const joint = item.Find("joint")) {
      const auto found = std::ranges::find(multibody::kJointKindNames, joint->value);
      if (found == multibody::kJointKindNames.end()) {
        const std::vector<std::string> names(multibody::kJointKindNames.begin(),
                                             multibody::kJointKindNames.end());
        Error(joint->location, fmt::format("joint: {} is none; {}", Quoted(joint->value),
                                           SuggestName("use one of", joint->value, names)));
        faulty_.insert(&item);
        return std::nullopt;
      }
      kind = static_cast<JointKind>(found - multibody::kJointKindNames.begin());
    }
    const bool has_axis =
        kind != JointKind::kFixed && kind != JointKind::kSpherical && kind != JointKind::kFree;
    if (has_axis && Require(item, "axis") == nullptr) return std::nullopt;
    if (kind == JointKind::kUniversal && Require(item, "second_axis") == nullptr) return std::nullopt;
    const Vector3 axis = Vector(item, "axis", "", Vector3::UnitZ(), "0 1 0");
    const Vector3 second = Vector(item, "second_axis", "", Vector3::UnitX(), "1 0 0");
    if (faulty_.contains(&item)) return std::nullopt;
    if (has_axis && !(axis.norm() > 0)) {
      Error(item.Find("axis")->location, "axis: '0 0 0' has no direction; write for example 0 1 0");
    } else if (kind == JointKind::kUniversal &&
               !(axis.cross(second).norm() > 1e-9 * axis.norm() * second.norm())) {
      Error(item.Find("second_axis")->location,
            "second_axis: it lies along the axis; give one that is normal to it");
    } else {
      return Joint(kind, axis, second);
    }
    faulty_.insert(&item);
    return std::nullopt;
  }

  /// The number of the body that the attribute names; that of the base where there is no attribute.
  std::optional<std::size_t> BodyOf(const ItemElement& item, std::string_view attribute_name) {
    const Attribute* const attribute = item.Find(attribute_name);
    if (attribute == nullptr || attribute->value == kBaseName) return BodyTree::kBase;
    if (const auto found = numbers_.find(attribute->value); found != numbers_.end()) return found->second;
    if (!body_items_.contains(attribute->value) && !IsExcused(attribute->value)) {
      std::vector<std::string> known{std::string(kBaseName)};
      for (const auto& [name, body] : body_items_) known.push_back(name);
      Error(attribute->location, fmt::format("{}: no body {}; {}", attribute_name, Quoted(attribute->value),
                                             SuggestName("there is", attribute->value, known)));
    }  // else it is faulty itself, and was reported
    faulty_.insert(&item);
    return std::nullopt;
  }

  /// Whether an element of this name may exist, but for a fault that was reported.
  bool IsExcused(const std::string& name) const {
    return misnamed_.contains(name) || result_.is_urdf_refused;
  }

  Anchor ReadAnchor(const ItemElement& item, std::string_view body, std::string_view at,
                    std::string_view turned) {
    return {.body = BodyOf(item, body).value_or(BodyTree::kBase), .at = ReadPose(item, at, turned)};
  }

  /// Adds it after what carries it. A chain of carriers is followed without recursion: it may be long.
  void AddBody(const ItemElement& item) {
    std::vector<const ItemElement*> chain;
    const ItemElement* next = &item;
    while (next != nullptr && !done_.contains(next)) {
      chain.push_back(next);
      done_.insert(next);
      const Attribute* const on = next->Find("on");
      const auto carrier = on == nullptr ? body_items_.end() : body_items_.find(on->value);
      next = carrier == body_items_.end() ? nullptr : carrier->second;
      if (next != nullptr && std::ranges::find(chain, next) != chain.end()) {
        Error(on->location,
              fmt::format("on: {} is carried by this body itself; a body is carried by one that "
                          "the base carries in the end, and <Loop> closes a circle",
                          Quoted(on->value)));
        faulty_.insert(chain.begin(), chain.end());
        return;
      }
    }
    for (std::size_t i = chain.size(); i-- > 0;) AddOne(*chain[i]);
  }

  void AddOne(const ItemElement& item) {
    MechanismDescription::Body body;
    body.carrier = BodyOf(item, "on").value_or(BodyTree::kBase);
    body.at = ReadPose(item, "at", "turned");
    const std::optional<Joint> joint = ReadJoint(item, JointKind::kFixed);
    if (joint) body.joint = *joint;
    ReadMass(item, body.body);
    ReadOneSpeed(item, body);
    if (faulty_.contains(&item)) return;
    body.name = item.Find("name")->value;
    body.text = TextOf(item);
    numbers_.emplace(body.name, result_.bodies.size());
    result_.bodies.push_back(std::move(body));
  }

  void ReadMass(const ItemElement& item, multibody::RigidBody& body) {
    const auto place = [&](const char* name) { return item.Find(name)->location; };
    body.mass = Number(item, "mass", "kg").value_or(0);
    if (body.mass < 0) {
      Error(place("mass"), "mass: it is negative; give 0 or more");
      faulty_.insert(&item);
    }
    body.centre = Vector(item, "centre", "m", Vector3::Zero(), "4.5 0 0 m");
    const auto inertia = Numbers(item, "inertia", "kg.m2", {3, 6}, "0 41667 41667 kg.m2");
    if (!inertia) return;
    const std::vector<double>& I = *inertia;
    body.inertia = Vector3(I[0], I[1], I[2]).asDiagonal();
    if (I.size() == 6) {
      body.inertia(0, 1) = body.inertia(1, 0) = I[3];
      body.inertia(0, 2) = body.inertia(2, 0) = I[4];
      body.inertia(1, 2) = body.inertia(2, 1) = I[5];
    }
    const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia).eigenvalues();  // ascending
    const double rounding = 1e-6 * std::max(moments.z(), 0.0);
    if (moments.x() < -rounding || moments.x() + moments.y() < moments.z() - rounding) {
      Error(
          place("inertia"),
          fmt::format("inertia: its principal moments {:.6g}, {:.6g} and {:.6g} kg.m2 are those of no body; "
                      "none is negative, and no one is larger than the sum of the two others",
                      moments.x(), moments.y(), moments.z()));
      faulty_.insert(&item);
    }
  }

  /// What joints of one speed may have besides.
  void ReadOneSpeed(const ItemElement& item, MechanismDescription::Body& body) {
    const JointKind kind = body.joint.kind();
    const bool is_prismatic = kind == JointKind::kPrismatic;
    if (is_prismatic || kind == JointKind::kRevolute) {
      body.friction = Number(item, "friction", is_prismatic ? "N.s/m" : "N.m.s/rad").value_or(0);
      const std::string_view unit = is_prismatic ? "m" : "rad";
      body.start = Number(item, "start", unit);
      body.lower = Number(item, "lower", unit).value_or(body.lower);
      body.upper = Number(item, "upper", unit).value_or(body.upper);
      if (body.friction < 0) {
        Error(item.Find("friction")->location, "friction: it is negative; give 0 or more");
        faulty_.insert(&item);
      }
      if (body.lower > body.upper) {
        Error(item.Find("lower")->location, "lower: it is above upper; exchange them");
        faulty_.insert(&item);
      } else if (body.start && (*body.start < body.lower || *body.start > body.upper)) {
        Error(item.Find("start")->location,
              "start: it is beyond the limits; choose one between lower and upper");
        faulty_.insert(&item);
      }
      return;
    }
    for (const char* name : {"friction", "start", "lower", "upper"}) {
      if (item.Find(name) == nullptr || faulty_.contains(&item)) continue;
      Error(item.Find(name)->location,
            fmt::format("{}: only revolute and prismatic joints have it; remove it", name));
      faulty_.insert(&item);
    }
  }

  void AddFrame(const ItemElement& item) {
    const Anchor at = ReadAnchor(item, "on", "at", "turned");
    const bool has_path = IsFirst(item, "path", kPathNames);
    if (faulty_.contains(&item)) return;
    result_.frames.push_back({item.Find("name")->value, TextOf(item), at, has_path});
  }

  /// Whether an attribute has the first of two values, or is absent.
  bool IsFirst(const ItemElement& item, std::string_view name,
               const std::array<std::string_view, 2>& values) {
    const Attribute* const attribute = item.Find(name);
    if (attribute == nullptr || attribute->value == values.front()) return true;
    if (attribute->value == values.back()) return false;
    const std::vector<std::string> known(values.begin(), values.end());
    Error(attribute->location, fmt::format("{}: {} is none; {}", name, Quoted(attribute->value),
                                           SuggestName("use one of", attribute->value, known)));
    faulty_.insert(&item);
    return true;
  }

  bool IsDeckOnBase(const ItemElement& item) {
    return !IsFirst(item, "deck_on", kDeckCarrierNames) && Require(item, "deck_height") != nullptr;
  }

  void AddContact(const ItemElement& item) {
    MechanismDescription::Contact contact;
    contact.at = ReadAnchor(item, "on", "at", "");
    Require(item, "stiffness");
    contact.stiffness = Number(item, "stiffness", "N/m").value_or(1);
    contact.damping = Number(item, "damping", "s/m").value_or(0);
    contact.friction = Number(item, "friction", "").value_or(0);
    contact.deck_height = Number(item, "deck_height", "m");
    contact.is_deck_on_base = IsDeckOnBase(item);
    if (!(contact.stiffness > 0)) {
      Error(item.Find("stiffness")->location, "stiffness: it must be above 0; try 1e7 N/m");
      faulty_.insert(&item);
    }
    for (const char* name : {"damping", "friction"}) {
      if ((name == std::string_view("damping") ? contact.damping : contact.friction) >= 0) continue;
      Error(item.Find(name)->location, fmt::format("{}: it is negative; give 0 or more", name));
      faulty_.insert(&item);
    }
    if (!faulty_.contains(&item) && contact.at.body == BodyTree::kBase) {
      Error(item.location, "Contact: the base cannot be pushed; put the point on a body with on=\"...\"");
      faulty_.insert(&item);
    }
    if (faulty_.contains(&item)) return;
    contact.name = item.Find("name")->value;
    contact.text = TextOf(item);
    result_.contacts.push_back(std::move(contact));
  }

  void AddLoad(const ItemElement& item) {
    MechanismDescription::Load load;
    load.at = ReadAnchor(item, "on", "at", "");
    load.about = BodyOf(item, "about").value_or(BodyTree::kBase);
    load.length = Number(item, "length", "m").value_or(load.length);
    load.is_deck_on_base = IsDeckOnBase(item);
    Require(item, "mass");
    for (std::size_t i = 0; i < kLoadNumbers.size(); ++i) {
      const LoadNumberKind& kind = kLoadNumbers[i];
      load.numbers[i] = Number(item, kind.name, kind.unit).value_or(kind.value);
      if (kind.range.Contains(load.numbers[i])) continue;
      Error(item.Find(kind.name)->location,
            fmt::format("{}: it must be {}", std::string_view(kind.name), ToText(kind.range, kind.unit)));
      faulty_.insert(&item);
    }
    if (!(load.length > 0)) {
      Error(item.Find("length")->location, "length: it must be above 0; give the wire that is paid out");
      faulty_.insert(&item);
    }
    if (!faulty_.contains(&item) && load.at.body == BodyTree::kBase) {
      Error(item.location, "Load: the base cannot carry it; put it on a body with on=\"...\"");
      faulty_.insert(&item);
    }
    if (faulty_.contains(&item)) return;
    load.name = item.Find("name")->value;
    load.text = TextOf(item);
    result_.loads.push_back(std::move(load));
  }

  void AddReaction(const ItemElement& item) {
    const Attribute* const of = Require(item, "of");
    if (of == nullptr || faulty_.contains(&item)) return;
    MechanismDescription::Reaction reaction{item.Find("name")->value, TextOf(item)};
    if (of->value == "base") {
      reaction.of = BodyTree::kBase;
    } else if (const auto body = numbers_.find(of->value); body != numbers_.end()) {
      reaction.of = body->second;
    } else if (const auto loop =
                   std::ranges::find(result_.loops, of->value, &MechanismDescription::Closure::name);
               loop != result_.loops.end()) {
      reaction.is_of_loop = true;
      reaction.of = static_cast<std::size_t>(loop - result_.loops.begin());
    } else {
      std::vector<std::string> known;
      for (const auto* items : {&body_items_, &loop_items_}) {
        for (const auto& [name, element] : *items) known.push_back(name);
      }
      if (std::ranges::find(known, of->value) == known.end() && !IsExcused(of->value)) {
        Error(of->location, fmt::format("of: no body or loop {}; {}", Quoted(of->value),
                                        SuggestName("there is", of->value, known)));
      }  // else it is faulty itself, and was reported
      faulty_.insert(&item);
      return;
    }
    result_.reactions.push_back(std::move(reaction));
  }

  void AddHolding(const ItemElement& item) {
    if (Require(item, "of") == nullptr) return;
    const std::optional<std::size_t> body = BodyOf(item, "of");
    if (!body || faulty_.contains(&item)) return;
    if (*body == BodyTree::kBase || result_.bodies[*body].joint.speeds() != 1) {
      Error(item.Find("of")->location,
            "of: only a body with a revolute or prismatic joint has a force that holds it; name one");
      faulty_.insert(&item);
      return;
    }
    result_.holdings.push_back({item.Find("name")->value, TextOf(item), *body});
  }

  void AddRenaming(const ItemElement& item) {
    const Attribute* const of = Require(item, "of");
    if (of != nullptr && !faulty_.contains(&item))
      result_.renamings.push_back({item.Find("name")->value, of->value, of->location});
  }

  /// Of the frames that `via` names.
  void AddSheaves(const ItemElement& item, multibody::Path& path) {
    const Attribute* const via = item.Find("via");
    if (via == nullptr) return;
    for (const std::string& name : Words(via->value)) {
      const auto frame = std::ranges::find(result_.frames, name, &MechanismDescription::Frame::name);
      if (frame != result_.frames.end()) {
        path.push_back(frame->at);
        continue;
      }
      faulty_.insert(&item);
      const auto is_named = [&](const ItemElement* one) { return one->Find("name")->value == name; };
      if (std::ranges::any_of(frame_items_, is_named) || IsExcused(name))
        continue;  // it is faulty itself, and was reported
      std::vector<std::string> known;
      known.reserve(frame_items_.size());
      for (const ItemElement* const one : frame_items_) known.push_back(one->Find("name")->value);
      Error(via->location,
            fmt::format("via: no frame {}; {}", Quoted(name), SuggestName("there is", name, known)));
    }
  }

  void AddMount(const ItemElement& item) {
    const Anchor a = ReadAnchor(item, "a", "a_at", ""), b = ReadAnchor(item, "b", "b_at", "");
    const double shortest = Number(item, "shortest", "m").value_or(0);
    if (!faulty_.contains(&item) && a.body == b.body && item.Find("via") == nullptr) {
      Error(item.location, "Mount: both ends are on one body, so its length cannot change; put them on two");
      faulty_.insert(&item);
    }
    if (!faulty_.contains(&item) && shortest < 0) {
      Error(item.Find("shortest")->location, "shortest: it is negative; give 0 or more");
      faulty_.insert(&item);
    }
    multibody::Path path{a};
    AddSheaves(item, path);
    if (faulty_.contains(&item)) return;
    path.push_back(b);
    result_.mounts.push_back({.name = item.Find("name")->value,
                              .text = TextOf(item),
                              .path = std::move(path),
                              .shortest = shortest,
                              .is_shortest_given = item.Find("shortest") != nullptr,
                              .location = item.location});
  }

  /// Whether two bodies cannot move against each other. A body comes after what carries it.
  bool IsRigid(std::size_t a, std::size_t b) const {
    const auto order = [](std::size_t body) { return body == BodyTree::kBase ? 0 : body + 1; };
    while (a != b) {
      std::size_t& outer = order(a) > order(b) ? a : b;
      if (result_.bodies[outer].joint.speeds() > 0) return false;
      outer = result_.bodies[outer].carrier;
    }
    return true;
  }

  void AddLoop(const ItemElement& item) {
    const Anchor a = ReadAnchor(item, "a", "a_at", "a_turned"), b = ReadAnchor(item, "b", "b_at", "b_turned");
    const Attribute* const distance = item.Find("distance");
    if ((distance == nullptr) == (item.Find("joint") == nullptr)) {
      Error(item.location, "Loop: give either joint, which closes it, or the distance that its ends keep");
      faulty_.insert(&item);
    }
    if (!faulty_.contains(&item) && a.body == b.body) {
      Error(item.location, "Loop: both ends are on one body; put them on two");
      faulty_.insert(&item);
    } else if (!faulty_.contains(&item) && IsRigid(a.body, b.body)) {
      Error(item.location,
            "Loop: only fixed joints are between its ends, so it binds nothing; remove it, or "
            "let one of its bodies move");
      faulty_.insert(&item);
    }
    if (distance != nullptr) {
      const double length = Number(item, "distance", "m").value_or(1);
      if (!(length > 0)) {
        Error(distance->location, "distance: it must be above 0; ends that meet are a spherical joint");
        faulty_.insert(&item);
      }
      if (!faulty_.contains(&item))
        result_.loops.push_back(
            {item.Find("name")->value, multibody::Loop::OfDistance(a, b, length), item.location});
      return;
    }
    const std::optional<Joint> joint = ReadJoint(item, JointKind::kFixed);
    if (!joint || faulty_.contains(&item)) return;
    result_.loops.push_back(
        {item.Find("name")->value, multibody::Loop::OfJoint(a, b, *joint), item.location});
  }

  static std::string TextOf(const ItemElement& item) {
    const Attribute* const text = item.Find("text");
    return text == nullptr ? item.Find("name")->value : text->value;
  }

  const UnitSystem& units_;
  const Component& component_;
  Diagnostics& diagnostics_;
  MechanismDescription result_;
  std::set<std::string, std::less<>> names_, misnamed_;
  std::map<std::string, const ItemElement*, std::less<>> body_items_, loop_items_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::vector<const ItemElement*> frame_items_;
  std::set<const ItemElement*> done_, faulty_;
};

}  // namespace

std::vector<multibody::Loop> MechanismDescription::Loops() const {
  std::vector<multibody::Loop> all;
  all.reserve(loops.size());
  for (const Closure& closure : loops) all.push_back(closure.loop);
  return all;
}

MechanismDescription ReadMechanism(const std::vector<ItemElement>& items, const UnitSystem& units,
                                   const Component& component, Diagnostics& diagnostics) {
  return Reader(units, component, diagnostics).Read(items);
}

std::vector<std::string> AttributesOf(std::string_view kind) {
  const std::span<const ElementKind> all = CraneElements();
  const auto found = std::ranges::find(all, kind, &ElementKind::name);
  std::vector<std::string> names;
  for (const AttributeKind& attribute : found->attributes) names.emplace_back(attribute.name);
  return names;
}

CoordinateNames NamesOf(JointKind kind) {
  constexpr CoordinateName kAngle{"angle", "rad", "angle of its joint"};
  constexpr CoordinateName kRate{"rate", "rad/s", "angular speed of its joint"};
  constexpr CoordinateName kX{"x", "m", "displacement of its joint"};
  constexpr CoordinateName kV{"v", "m/s", "speed of its joint"};
  CoordinateNames turning{.positions = {{"qw", "", "quaternion of its joint, w"},
                                        {"qx", "", "quaternion of its joint, x"},
                                        {"qy", "", "quaternion of its joint, y"},
                                        {"qz", "", "quaternion of its joint, z"}},
                          .speeds = {{"wx", "rad/s", "angular velocity in its own frame, x"},
                                     {"wy", "rad/s", "angular velocity in its own frame, y"},
                                     {"wz", "rad/s", "angular velocity in its own frame, z"}}};
  switch (kind) {
    case JointKind::kFixed: return {};
    case JointKind::kRevolute: return {{kAngle}, {kRate}};
    case JointKind::kPrismatic: return {{kX}, {kV}};
    case JointKind::kCylindrical: return {{kAngle, kX}, {kRate, kV}};
    case JointKind::kUniversal:
      return {{{"angle_1", "rad", "angle about the axis"}, {"angle_2", "rad", "angle about the second axis"}},
              {{"rate_1", "rad/s", "angular speed about the axis"},
               {"rate_2", "rad/s", "angular speed about the second axis"}}};
    case JointKind::kSpherical: return turning;
    case JointKind::kPlanar:
      return {{{"x_1", "m", "displacement along the second axis"},
               {"x_2", "m", "displacement normal to it in the plane"},
               kAngle},
              {{"v_1", "m/s", "speed along the second axis"},
               {"v_2", "m/s", "speed normal to it in the plane"},
               kRate}};
    case JointKind::kFree: break;
  }
  CoordinateNames names{.positions = {{"x", "m", "place of its joint, x"},
                                      {"y", "m", "place of its joint, y"},
                                      {"z", "m", "place of its joint, z"}},
                        .speeds = {{"vx", "m/s", "velocity of its joint, x"},
                                   {"vy", "m/s", "velocity of its joint, y"},
                                   {"vz", "m/s", "velocity of its joint, z"}}};
  names.positions.insert(names.positions.end(), turning.positions.begin(), turning.positions.end());
  names.speeds.insert(names.speeds.end(), turning.speeds.begin(), turning.speeds.end());
  return names;
}

}  // namespace davit
