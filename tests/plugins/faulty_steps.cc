// Models that fail in many ways, each when the time reaches its parameter `time`.

#include <array>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "framework/mode.h"
#include "simulator/plugin_entry.h"

namespace {

using davit::DynamicSimComponent;
using davit::Guard;
using davit::ModelInfo;
using davit::Output;
using davit::Parameter;
using davit::StateVariable;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

class Faulty : public DynamicSimComponent {
 protected:
  Parameter time{this, "time", "s", "When it fails", 0.5};
};

/// x' = 1 until it throws.
class ThrowsInEvaluation final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.ThrowsInEvaluation",
                                   .text = "Throws in EvaluateDiffEquations"};
  void EvaluateDiffEquations(double t) override {
    if (t >= time) throw std::runtime_error("out of oil");
    x.ddt = 1;
  }

 private:
  StateVariable x{this, "x", "m", "Displacement"};
};

class ThrowsInPreIntegrate final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.ThrowsInPreIntegrate", .text = "Throws in PreIntegrate"};
  void EvaluateDiffEquations(double t) override {
    now = t;
    x.ddt = 1;
  }
  void PreIntegrate() override {
    if (now >= time) throw std::out_of_range("row 12 of a table with 5");
  }

 private:
  Output now{this, "now", "s", "Time"};
  StateVariable x{this, "x", "m", "Displacement"};
};

class ThrowsInPostIntegrate final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.ThrowsInPostIntegrate",
                                   .text = "Throws in PostIntegrate, no std::exception"};
  void EvaluateDiffEquations(double t) override {
    now = t;
    x.ddt = 1;
  }
  void PostIntegrate() override {
    if (now >= time) throw 42;  // NOLINT(hicpp-exception-baseclass): what a careless model may do
  }

 private:
  Output now{this, "now", "s", "Time"};
  StateVariable x{this, "x", "m", "Displacement"};
};

class ThrowsInReaction final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.ThrowsInReaction",
                                   .text = "Throws in the reaction of a guard"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }

 private:
  StateVariable x{this, "x", "s", "Time"};
  Guard limit{this,
              "limit",
              "The time has come",
              Guard::Direction::kRising,
              [this] { return x - time; },
              [](double) { throw std::runtime_error("no reaction"); }};
};

class NanDerivative final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.NanDerivative", .text = "Its derivative becomes NaN"};
  void EvaluateDiffEquations(double t) override { x.ddt = t >= time ? kNotANumber : 1; }

 private:
  StateVariable x{this, "x", "m", "Displacement"};
};

class NanOutput final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.NanOutput", .text = "Its output becomes NaN"};
  void EvaluateDiffEquations(double t) override { y = t >= time ? kNotANumber : 1; }

 private:
  Output y{this, "y", "", "Value"};
};

/// Sets its aspect to an option that is not there.
class UnknownAspect final : public Faulty {
 public:
  enum class Law { kPlain, kFancy };
  static constexpr std::array<std::string_view, 2> kLawNames{"Plain", "Fancy"};
  static constexpr ModelInfo kInfo{.name = "plugin.UnknownAspect",
                                   .text = "Asks for an unknown option",
                                   .levels = {davit::Level::kIdeal, davit::Level::kAdvanced}};
  void EvaluateDiffEquations(double t) override { now = t; }
  void PreIntegrate() override {
    if (now >= time) SetAspect(law, 7);
  }

 private:
  davit::Aspect<Law> law{this, "law", "Law", kLawNames, Law::kPlain, Law::kPlain, Law::kFancy};
  Output now{this, "now", "s", "Time"};
};

class ThrowsInConfigure final : public Faulty {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.ThrowsInConfigure",
                                   .text = "Throws while the system is loaded"};
  void Configure(davit::Diagnostics& /*diagnostics*/) override { throw std::runtime_error("no such table"); }
};

}  // namespace

const davit::PluginEntry davit_plugin = davit::MakePlugin([](davit::Registry& registry) {
  registry.Add<ThrowsInEvaluation, ThrowsInPreIntegrate, ThrowsInPostIntegrate, ThrowsInReaction,
               NanDerivative, NanOutput, UnknownAspect, ThrowsInConfigure>();
});
