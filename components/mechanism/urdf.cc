#include "components/mechanism/urdf.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "components/mechanism/dynamics/spatial.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using tinyxml2::XMLElement;

std::string TextOf(const Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

/// One robot.
class UrdfReader {
 public:
  UrdfReader(const ItemElement& urdf, std::string_view path, Diagnostics& diagnostics)
      : urdf_(urdf), path_(path), diagnostics_(diagnostics) {
    const std::filesystem::path system(urdf.location.file ? *urdf.location.file : std::string());
    file_ = std::make_shared<const std::string>((system.parent_path() / urdf.Find("src")->value).string());
  }

  std::vector<ItemElement> Read() {
    const XmlResult xml =
        ParseXml(*urdf_.file_text,
                 {.noun = "URDF file", .root = "robot", .remedy = "a URDF file needs about five levels"});
    if (xml.document == nullptr) {
      diagnostics_.Error({file_, xml.line}, path_, xml.fault);
      return {};
    }
    const XMLElement& robot = *xml.document->RootElement();
    if (std::string_view(robot.Name()) != "robot") {
      Error(robot, fmt::format("the root element is '{}'; a URDF file has the root <robot>", robot.Name()));
      return {};
    }
    for (const XMLElement* link = robot.FirstChildElement("link"); link != nullptr;
         link = link->NextSiblingElement("link"))
      TakeLink(*link);
    for (const XMLElement* joint = robot.FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint"))
      TakeJoint(*joint);
    if (links_.empty()) Error(robot, "the robot has no link; add <link name=\"...\"/>");
    for (const XMLElement* link : links_) AddBody(*link);
    WarnOfMeshes();
    return std::move(bodies_);
  }

 private:
  SourceLocation Place(const XMLElement& at) const { return {file_, at.GetLineNum()}; }
  void Error(const XMLElement& at, std::string_view text) { diagnostics_.Error(Place(at), path_, text); }
  void Warn(const XMLElement& at, std::string_view text) { diagnostics_.Warning(Place(at), path_, text); }

  const char* Require(const XMLElement& element, const char* attribute) {
    const char* const value = element.Attribute(attribute);
    if (value == nullptr)
      Error(element, fmt::format("{} needs the attribute '{}'; add it", element.Name(), attribute));
    return value;
  }

  void TakeLink(const XMLElement& link) {
    const char* const name = Require(link, "name");
    if (name == nullptr) return;
    if (const auto [other, is_new] = names_.emplace(NameOf(name), name); !is_new) {
      return Error(link, fmt::format("the links '{}' and '{}' make bodies of the same name; rename one",
                                     other->second, name));
    }
    links_.push_back(&link);
  }

  void TakeJoint(const XMLElement& joint) {
    const XMLElement* const child = joint.FirstChildElement("child");
    if (child == nullptr || joint.FirstChildElement("parent") == nullptr)
      return Error(joint, "joint needs <parent link=\"...\"/> and <child link=\"...\"/>; add them");
    const char* const name = Require(*child, "link");
    if (name == nullptr) return;
    if (!names_.contains(NameOf(name)))
      return Error(*child, fmt::format("no link '{}' in the robot; add it or correct the name", name));
    if (!carried_by_.emplace(name, &joint).second)
      Error(joint,
            fmt::format("link '{}' has two parents; URDF describes trees, so close this loop by <Loop> "
                        "in the system file",
                        name));
  }

  /// One warning for all: most robots have a mesh in each link.
  void WarnOfMeshes() {
    const XMLElement* first = nullptr;
    std::size_t count = 0;
    for (const XMLElement* link : links_) {
      for (const XMLElement* shape = link->FirstChildElement(); shape != nullptr;
           shape = shape->NextSiblingElement()) {
        const XMLElement* const geometry = shape->FirstChildElement("geometry");
        const XMLElement* const mesh = geometry == nullptr ? nullptr : geometry->FirstChildElement("mesh");
        if (mesh == nullptr) continue;
        if (count++ == 0) first = mesh;
      }
    }
    if (first == nullptr) return;
    Warn(*first, fmt::format("mesh: {} not shown, and the file says no unit of length; give a body another "
                             "outline by a <Frame> at each corner",
                             count == 1 ? "the mesh is" : fmt::format("{} meshes are", count)));
  }

  /// A name for a body.
  static std::string NameOf(std::string_view link) {
    std::string name(link);
    for (char& c : name) {
      const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!is_kept) c = '_';
    }
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(0, "_");
    return name;
  }

  /// As many numbers as `count`; nothing where they are faulty, which is reported.
  std::optional<std::vector<double>> Numbers(const XMLElement& element, const char* attribute,
                                             std::size_t count) {
    const char* const text = element.Attribute(attribute);
    if (text == nullptr) return std::nullopt;
    std::vector<double> numbers;
    bool is_good = true;
    const std::string_view all = text;
    for (std::size_t at = all.find_first_not_of(kXmlSpaces); at != std::string_view::npos;) {
      const std::size_t end = std::min(all.find_first_of(kXmlSpaces, at), all.size());
      double number = 0;
      const auto [rest, error] = std::from_chars(all.data() + at, all.data() + end, number);
      is_good = is_good && error == std::errc() && rest == all.data() + end && std::isfinite(number);
      numbers.push_back(number);
      at = all.find_first_not_of(kXmlSpaces, end);
    }
    if (is_good && numbers.size() == count) return numbers;
    Error(element,
          fmt::format("{}: '{}' is not {}; write it in SI units without a unit", attribute, all.substr(0, 60),
                      count == 1 ? "a number" : fmt::format("{} numbers", count)));
    return std::nullopt;
  }
  double Number(const XMLElement& element, const char* attribute) {
    const auto numbers = Numbers(element, attribute, 1);
    return numbers ? numbers->front() : 0;
  }
  Vector3d Vector(const XMLElement* element, const char* attribute, const Vector3d& otherwise) {
    const auto numbers = element == nullptr ? std::nullopt : Numbers(*element, attribute, 3);
    return numbers ? Vector3d(numbers->data()) : otherwise;
  }

  void AddBody(const XMLElement& link) {
    body_ = {"Body", Place(link), {}, {}, {}};
    const char* const name = link.Attribute("name");
    Set(link, "name", NameOf(name));
    Set(link, "text", name);
    if (const auto joint = carried_by_.find(name); joint != carried_by_.end()) {
      SetJoint(*joint->second);
    } else if (const XMLElement* const other = root_; other != nullptr) {
      Error(link, fmt::format("neither link '{}' nor link '{}' has a parent; a robot has one root link",
                              other->Attribute("name"), name));
    } else {
      root_ = &link;
      for (const ItemElement::Attribute& attribute : urdf_.attributes) {
        const bool is_place = attribute.name == "on" || attribute.name == "at" || attribute.name == "turned";
        if (is_place) body_.attributes.push_back(attribute);
      }
    }
    if (const XMLElement* const inertial = link.FirstChildElement("inertial")) {
      SetMass(*inertial);
    } else if (root_ != &link) {
      Warn(link, fmt::format("link '{}' has no <inertial>; its body is without mass", name));
    }
    bodies_.push_back(std::move(body_));
  }

  void Set(const XMLElement& from, std::string_view name, std::string value) {
    body_.attributes.push_back({std::string(name), std::move(value), Place(from)});
  }

  void SetJoint(const XMLElement& joint) {
    static const std::map<std::string, std::string, std::less<>> kKinds{
        {"fixed", "fixed"},         {"revolute", "revolute"}, {"continuous", "revolute"},
        {"prismatic", "prismatic"}, {"planar", "planar"},     {"floating", "free"}};
    const char* const type = Require(joint, "type");
    if (type == nullptr) return;
    const auto kind = kKinds.find(type);
    if (kind == kKinds.end()) {
      return Error(joint, fmt::format("type: '{}' is not a joint of URDF; use fixed, revolute, continuous, "
                                      "prismatic, planar or floating",
                                      type));
    }
    const XMLElement& parent = *joint.FirstChildElement("parent");
    if (const char* const carrier = Require(parent, "link")) Set(parent, "on", NameOf(carrier));
    const XMLElement* const origin = joint.FirstChildElement("origin");
    const XMLElement& place = origin == nullptr ? joint : *origin;
    Set(place, "at", TextOf(Vector(origin, "xyz", Vector3d::Zero())) + " m");
    Set(place, "turned", TextOf(Vector(origin, "rpy", Vector3d::Zero())) + " rad");
    Set(joint, "joint", kind->second);
    if (kind->second != "fixed" && kind->second != "free")
      Set(joint, "axis", TextOf(Vector(joint.FirstChildElement("axis"), "xyz", Vector3d::UnitX())));
    const bool has_one_speed = kind->second == "revolute" || kind->second == "prismatic";
    if (const XMLElement* const dynamics = joint.FirstChildElement("dynamics"); dynamics != nullptr) {
      const double damping = Number(*dynamics, "damping");
      if (has_one_speed && damping != 0) {
        Set(*dynamics, "friction",
            fmt::format("{} {}", damping, kind->second == "revolute" ? "N.m.s/rad" : "N.s/m"));
      }
      if (Number(*dynamics, "friction") != 0)
        Warn(*dynamics, "friction: the joint has none; connect a mechanical.LuGreFriction to its port");
    }
    if (const XMLElement* const limit = joint.FirstChildElement("limit");
        limit != nullptr && has_one_speed && std::string_view(type) != "continuous") {
      const std::string_view unit = kind->second == "revolute" ? "rad" : "m";
      for (const char* name : {"lower", "upper"})
        Set(*limit, name, fmt::format("{} {}", Number(*limit, name), unit));
    }
    if (const XMLElement* const mimic = joint.FirstChildElement("mimic"))
      Warn(*mimic, "mimic: the joint moves freely; couple both joints at their ports, or by <Loop>");
  }

  void SetMass(const XMLElement& inertial) {
    const XMLElement* const origin = inertial.FirstChildElement("origin");
    const Vector3d rpy = Vector(origin, "rpy", Vector3d::Zero());
    Set(inertial, "centre", TextOf(Vector(origin, "xyz", Vector3d::Zero())) + " m");
    if (const XMLElement* const mass = inertial.FirstChildElement("mass"))
      Set(*mass, "mass", fmt::format("{} kg", Number(*mass, "value")));
    const XMLElement* const inertia = inertial.FirstChildElement("inertia");
    if (inertia == nullptr) return;
    const auto of = [&](const char* name) { return Number(*inertia, name); };
    Matrix3d I;
    I << of("ixx"), of("ixy"), of("ixz"), of("ixy"), of("iyy"), of("iyz"), of("ixz"), of("iyz"), of("izz");
    const Matrix3d R = multibody::TurnedAboutAxes(rpy);
    I = R * I * R.transpose();
    Set(*inertia, "inertia",
        fmt::format("{} {} {} {} {} {} kg.m2", I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)));
  }

  const ItemElement& urdf_;
  std::string path_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const std::string> file_;
  std::map<std::string, std::string, std::less<>> names_;  ///< of a body: that of its link
  std::vector<const XMLElement*> links_;
  std::map<std::string, const XMLElement*, std::less<>> carried_by_;  ///< the joint of a link
  const XMLElement* root_ = nullptr;
  ItemElement body_;
  std::vector<ItemElement> bodies_;
};

}  // namespace

std::vector<ItemElement> WithUrdfBodies(const std::vector<ItemElement>& items, std::string_view path,
                                        Diagnostics& diagnostics) {
  std::vector<ItemElement> all;
  for (const ItemElement& item : items) {
    if (item.kind != "Urdf") {
      all.push_back(item);
    } else if (item.Find("src") == nullptr) {
      diagnostics.Error(item.location, path, "Urdf needs the attribute 'src'; write src=\"machine.urdf\"");
    } else if (item.file_text != nullptr) {
      std::vector<ItemElement> bodies = UrdfReader(item, path, diagnostics).Read();
      std::ranges::move(bodies, std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace davit
