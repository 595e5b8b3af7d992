#pragma once

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/support/test_system.h"

namespace davit {

/// The crane of systems/knuckle_boom_crane.xml, with other attributes and another `<Start>`. Unless the
/// attributes say otherwise, its joints have no friction, and its wire damps bouncing with 2 % and no swing.
inline std::string CraneOfTheFile(const std::string& attributes, const std::string& start) {
  std::ifstream stream(DAVIT_SOURCE_DIR "/systems/knuckle_boom_crane.xml");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t begin = text.find("<Body", text.find("<mechanism.Crane "));
  const std::string items = text.substr(begin, text.find("<Start", begin) - begin);
  constexpr std::array<std::string_view, 5> kCalm{
      "king_friction='0 N.m.s/rad'", "main_friction='0 N.m.s/rad'", "outer_friction='0 N.m.s/rad'",
      "wire_damping_ratio='0.02'", "swing_damping_ratio='0'"};
  std::string all = attributes;
  for (const std::string_view calm : kCalm) {
    if (all.find(calm.substr(0, calm.find('='))) == std::string::npos) all += fmt::format(" {}", calm);
  }
  return fmt::format("<mechanism.Crane name='crane' {}>{}{}</mechanism.Crane>", all, items, start);
}

/// Attribute of a crane for differences of a straight one: its knuckle cylinder is 1 um before its stop.
inline constexpr const char* kWithoutStops = " stop_stiffness='1e-6 N/m'";

/// That crane with its two cylinders. `a` and `b` are what is connected to each chamber:
/// `<VOLUME>` text with {} for the name, whose port is `port`. The stroke of the knuckle cylinder is 1 um
/// longer than the textbook's, so that the straight crane is not in its stop.
struct CraneWithCylinders {
  std::string crane = "level='Ideal'";                   ///< attributes
  std::string start = "<Start q1='0 deg' q2='0 deg'/>";  ///< within the crane
  std::string boom = "";                                 ///< attributes of the cylinders
  std::string knuckle = "";
  std::string boom_start = "";
  std::string knuckle_start = "";
  std::string a = "<hydraulic.Volume name='{}' volume='10 l'/>";
  std::string b = "<hydraulic.Tank name='{}'/>";
  std::string more = "";

  std::string Content() const {
    const auto named = [](const std::string& text, std::string_view name) {
      return fmt::format(fmt::runtime(text), name);
    };
    return fmt::format(
        "{}{}{}{}{}"
        "<hydraulic.Cylinder name='boom_cylinder' bore='320 mm' rod='200 mm' stroke='2.8598466 m' "
        "rod_mass='0 kg' "
        "outer_diameter='400 mm' {}>{}</hydraulic.Cylinder>"
        "<hydraulic.Cylinder name='knuckle_cylinder' bore='260 mm' rod='160 mm' stroke='2.247077 m' "
        "rod_mass='0 kg' "
        "outer_diameter='330 mm' {}>{}</hydraulic.Cylinder>"
        "<Connect from='boom_cylinder.rod' to='crane.boom'/><Connect from='knuckle_cylinder.rod' "
        "to='crane.knuckle'/>"
        "<Connect from='boom_cylinder.a' to='a1.port'/><Connect from='boom_cylinder.b' to='b1.port'/>"
        "<Connect from='knuckle_cylinder.a' to='a2.port'/><Connect from='knuckle_cylinder.b' "
        "to='b2.port'/>{}",
        CraneOfTheFile(crane, start), named(a, "a1"), named(a, "a2"), named(b, "b1"), named(b, "b2"), boom,
        boom_start, knuckle, knuckle_start, more);
  }
};

}  // namespace davit
