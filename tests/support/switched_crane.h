#pragma once

#include <array>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "components/register.h"
#include "framework/system.h"
#include "session/simulation.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// The least absolute pressure there is, as a gauge pressure over the standard atmosphere [Pa].
inline constexpr double kVacuum = -1.01325e5;

/// The lift of systems/knuckle_boom_crane.xml while its components change their levels at random. Equal seeds
/// give equal runs.
class SwitchedCrane {
 public:
  struct Lowest {
    double pressure = std::numeric_limits<double>::infinity();  ///< [Pa]
    std::string path;
  };

  /// `count` switches between 0 and `stop` [s].
  SwitchedCrane(unsigned seed, int count, double stop) {
    const std::string file = std::string(DAVIT_SOURCE_DIR) + "/systems/knuckle_boom_crane.xml";
    std::ifstream stream(file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    std::mt19937 random(seed);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    constexpr std::array kComponents{"boom_cylinder", "knuckle_cylinder", "boom_dcv",       "knuckle_dcv",
                                     "slew_dcv",      "boom_cbv",         "boom_cbv_b",     "knuckle_cbv",
                                     "knuckle_cbv_b", "slew_cbv_a",       "slew_cbv_b",     "boom_hose_a",
                                     "boom_hose_b",   "knuckle_hose_a",   "knuckle_hose_b", "pipe",
                                     "pump",          "accumulator",      "slew_motor",     "crane"};
    constexpr std::array kLevels{"Ideal", "Standard", "Advanced"};
    std::string switches;
    for (int i = 0; i < count; ++i) {
      const double t = 0.02 * static_cast<double>(below(static_cast<std::size_t>(stop / 0.02)));
      switches += "<At time=\"" + std::to_string(t) + "\" set=\"" + kComponents[below(kComponents.size())] +
                  ".level\" value=\"" + kLevels[below(kLevels.size())] + "\"/>\n";
    }
    // The levers are moved both ways, so that oil is drawn from each side.
    constexpr std::array kEvents{"boom.up",   "boom.down",  "knuckle.out", "knuckle.in",
                                 "slew.left", "slew.right", "stop",        "lift"};
    for (int i = 0; i < count / 5 + 1; ++i) {
      const double t = 0.02 * static_cast<double>(below(static_cast<std::size_t>(stop / 0.02)));
      switches += "<At time=\"" + std::to_string(t) + "\" event=\"" + kEvents[below(kEvents.size())] +
                  "\" to=\"operator\"/>\n";
    }
    text.insert(text.find("<At "), switches);
    simulation_ =
        Simulation::LoadText(text, file, registry_, {.log = [](RunLog::Severity, std::string_view) {}})
            .Take();
    ListPressures();
  }

  /// Steps to `stop` [s]; what was lowest at a step point.
  Lowest RunUntil(double stop) {
    Lowest lowest;
    simulation_->Initialize();
    Look(lowest);
    for (double t = 0.02; t < stop + 0.01; t += 0.02) {
      simulation_->RunUntil(t);
      Look(lowest);
    }
    return lowest;
  }
  std::uint64_t switches() const { return simulation_->statistics().level_switches; }

 private:
  struct Pressure {
    const double* value;
    std::string path;
  };

  /// The outputs that are gauge pressures: p, p_a, p_inner ...
  void ListPressures() {
    for (const Component* component : simulation_->system().components()) {
      for (const OutputDeclaration& output : component->declarations().outputs) {
        const std::string name(output.label.name);
        if (output.label.unit != "Pa" || (name != "p" && name.rfind("p_", 0) != 0)) continue;
        pressures_.push_back({output.value, component->DisplayPath() + "." + name});
      }
    }
  }
  void Look(Lowest& lowest) const {
    for (const Pressure& p : pressures_) {
      // A NaN is lower than everything.
      if (!(*p.value >= lowest.pressure)) lowest = {*p.value, p.path};
    }
  }

  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
  std::vector<Pressure> pressures_;
};

}  // namespace davit
