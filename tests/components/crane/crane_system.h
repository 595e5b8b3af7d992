#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tests/support/test_system.h"

namespace davit {

/// The textbook crane with its two cylinders. `a` and `b` are what is connected to each chamber:
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
        "<crane.KnuckleBoomCrane name='crane' {}>{}</crane.KnuckleBoomCrane>{}{}{}{}"
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
        crane, start, named(a, "a1"), named(a, "a2"), named(b, "b1"), named(b, "b2"), boom, boom_start,
        knuckle, knuckle_start, more);
  }
};

}  // namespace davit
