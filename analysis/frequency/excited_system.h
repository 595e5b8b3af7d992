#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/xml/system_description.h"

namespace davit {

/// One sine of an excitation: amplitude sin(2 pi frequency (t - start) + phase).
struct ExcitationSine {
  double amplitude = 0;
  double frequency = 0;  ///< [Hz]
  double phase = 0;      ///< [rad]
};

/// What drives an input: offset + the sum of the sines, from `start` on.
struct Excitation {
  std::string input;  ///< its path
  double offset = 0;
  double start = 0;  ///< [s]
  std::vector<ExcitationSine> sines = {};
};

/// The names of the sources that MakeExcitedSystem adds: `davit_excitation`, or with several sines
/// `davit_excitation_1` ...
std::string ExcitationName(std::size_t sine, std::size_t count);

/// The same system with sources that drive an input; a `<Route>` of the file itself that ends there is taken
/// out. A route inside of a sub-system stays: loading the system then tells that the input has one already.
std::shared_ptr<const SystemDescription> MakeExcitedSystem(const SystemDescription& system,
                                                           const Excitation& excitation);

}  // namespace davit
