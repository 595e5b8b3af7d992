#pragma once

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {

/// What the tests of the session run with: all of davit's models.
inline const Registry& SessionModels() {
  static const Registry kModels = AllModels();
  return kModels;
}

inline std::filesystem::path SystemFile(const std::string& name) {
  return std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / (name + ".xml");
}

/// A system of systems/, with another StopTime.
inline std::unique_ptr<Simulation> LoadExample(const std::string& name, const std::string& stop,
                                               SimulationOptions options = {}) {
  options.load.set.push_back("SimulatorManager.StopTime=" + stop);
  return Simulation::Load(SystemFile(name), SessionModels(), options).Take();
}

inline std::unique_ptr<Simulation> LoadText(const std::string& text, const SimulationOptions& options = {}) {
  return Simulation::LoadText(text, "test.xml", SessionModels(), options).Take();
}

/// A body on a spring that an input pushes, and its displacement doubled: one island.
///   m x'' = F - c x' - k x,  y = 2 x
inline SystemBuilder BodyOnSpring() {
  SystemBuilder builder("body_on_spring");
  builder.Manager({{"TimeStep", "10 ms"}, {"StopTime", "1 s"}})
      .Integration({{"solver", "ODE"}, {"method", "runge_kutta_dopri5"}, {"rtol", 1e-8}, {"atol", 1e-10}})
      .Add("mechanical.MassSpringDamper", "body",
           {{"mass", "2 kg"}, {"stiffness", "50 N/m"}, {"damping", "3 N.s/m"}})
      .Inside("body", "Start", {{"x", "100 mm"}})
      .Add("signal.Gain", "double", {{"gain", 2}})
      .Route("body.x", "double.u")
      .Record("body.x body.v double.y", {{"interval", "50 ms"}});
  return builder;
}

inline std::unique_ptr<Simulation> LoadBody(const SimulationOptions& options = {}) {
  return Simulation::Load(BodyOnSpring(), SessionModels(), options).Take();
}

/// All rows of a recording, times and values one after the other.
struct Rows {
  std::vector<double> Take() const { return std::exchange(*all, {}); }
  std::shared_ptr<std::vector<double>> all = std::make_shared<std::vector<double>>();
};

inline Rows RowsOf(Simulation& simulation, RecordingOptions options = {}) {
  Rows rows;
  options.on_row = [all = rows.all](double t, std::span<const double> values) {
    all->push_back(t);
    all->insert(all->end(), values.begin(), values.end());
  };
  simulation.StartRecording(options);
  return rows;
}

/// Whether two lists have the same bits; a NaN is equal to itself.
inline bool HaveSameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

/// Where two snapshots differ: the name of the block; empty if they do not.
inline std::string DifferenceOf(const std::string& a, const std::string& b) {
  if (a == b) return {};
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  std::string name, last;
  for (auto c = a.begin(); c != at; ++c) {
    const bool is_text = *c >= ' ' && *c <= '~';
    if (is_text) name += *c;
    if (!is_text && name.size() > 4) last = name;
    if (!is_text) name.clear();
  }
  return "byte " + std::to_string(at - a.begin()) + " of " + std::to_string(a.size()) + ", after '" + last +
         "'";
}

/// What `call` throws, as text; empty if nothing of this type.
template <class Exception, class Call>
std::string WhatOf(Call call) {
  try {
    call();
  } catch (const Exception& exception) {
    return exception.what();
  }
  return {};
}

}  // namespace davit
