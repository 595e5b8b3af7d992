// Models that allocate in a step, each in another function.

#include <cstdlib>
#include <string>
#include <vector>

#include "simulator/plugin_entry.h"
#include "simulator/tlm_component.h"

namespace {

using davit::DynamicSimComponent;
using davit::ModelInfo;
using davit::Output;
using davit::StateVariable;

/// What a model may do with memory that the compiler cannot leave out.
double SumOfNew(std::size_t count) {
  std::vector<double> numbers(count, 1.0);
  asm volatile("" : : "r"(numbers.data()) : "memory");
  return numbers.front();
}

/// x' = 1, with a vector in each evaluation.
class VectorInEvaluation final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.VectorInEvaluation",
                                   .text = "Takes 80 bytes in each evaluation"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = SumOfNew(10); }

 private:
  StateVariable x{this, "x", "m", "Displacement"};
};

/// The same with the functions of C, before the evaluations of each step and in the hooks around it.
class MallocInHooks final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.MallocInHooks", .text = "Allocates in each hook"};
  void EvaluateEfforts(double /*t*/) override { y = Take(1); }
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }
  void PreIntegrate() override { Take(100); }
  void PostIntegrate() override { Take(200); }
  void Process() override { Take(300); }

 private:
  static double Take(std::size_t bytes) {
    void* const place = std::malloc(bytes);
    asm volatile("" : : "r"(place) : "memory");
    std::free(place);
    return 1;
  }
  StateVariable x{this, "x", "m", "Displacement"};
  Output y{this, "y", "", "One", davit::WrittenBy::kEfforts};
};

/// Allocates once, at 0.5 s, where its guard reacts.
class StringInReaction final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.StringInReaction",
                                   .text = "Allocates in the reaction of a guard"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }

 private:
  std::string text_;
  StateVariable x{this, "x", "s", "Time"};
  davit::Guard half{this,
                    "half",
                    "Half a second has passed",
                    davit::Guard::Direction::kRising,
                    [this] { return x - 0.5; },
                    [this](double) { text_ = std::string(1000, 'a'); }};
};

/// As it should be: what it needs is there before the first step.
class VectorAsMember final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "plugin.VectorAsMember", .text = "Allocates nothing in a step"};
  void Configure(davit::Diagnostics& /*diagnostics*/) override { numbers_.resize(10); }
  void EvaluateDiffEquations(double t) override {
    numbers_.assign(10, t);
    x.ddt = numbers_.front();
  }

 private:
  std::vector<double> numbers_;
  StateVariable x{this, "x", "m", "Displacement"};
};

}  // namespace

const davit::PluginEntry davit_plugin = davit::MakePlugin([](davit::Registry& registry) {
  registry.Add<VectorInEvaluation, MallocInHooks, StringInReaction, VectorAsMember>();
});
