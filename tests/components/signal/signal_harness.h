#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/property.h"
#include "framework/units/unit_system.h"
#include "simulator/dynamic_sim_component.h"
#include "tests/support/special_values.h"

namespace davit {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline double JustBefore(double t) { return std::nextafter(t, -kInf); }
inline double JustAfter(double t) { return std::nextafter(t, kInf); }

/// One signal block alone: set its items by name, Start it, evaluate it.
template <class Model>
class Block {
 public:
  Block() { model_.Place("block", nullptr, {}); }

  Block& Set(std::string_view name, double value) {
    for (ParameterDeclaration& p : model_.mutable_declarations().parameters) {
      if (p.label.name != name) continue;
      EXPECT_TRUE(p.range.Contains(value)) << name;
      *p.value = value;
      return *this;
    }
    for (InputDeclaration& u : model_.mutable_declarations().inputs) {
      if (u.label.name != name) continue;
      *u.own_value = value;
      return *this;
    }
    ADD_FAILURE() << "no parameter or input " << name;
    return *this;
  }
  Block& SetText(std::string_view name, std::string_view text) {
    const UnitSystem units;
    for (PropertyBase* p : model_.mutable_declarations().properties) {
      if (p->label().name != name) continue;
      EXPECT_EQ(p->CheckText(text, units).ToText(), "");
      p->SetFromText(text, units);
      return *this;
    }
    ADD_FAILURE() << "no property " << name;
    return *this;
  }
  /// Routes one more signal to the input array `u`; Feed sets its value.
  Block& AddRoute() {
    routed_.push_back(0);
    model_.mutable_declarations().inputs.front().sources->push_back(&routed_.back());
    return *this;
  }
  void Feed(std::size_t route, double value) { routed_[route] = value; }

  /// What the loader calls, in its order; the messages of all diagnostics.
  std::vector<std::string> Start() {
    Diagnostics diagnostics;
    model_.Configure(diagnostics);
    model_.ParametersChanged();
    model_.CheckConnections(diagnostics);
    model_.Reset();
    std::vector<std::string> messages;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      EXPECT_EQ(diagnostic.path, "/");
      messages.push_back(diagnostic.message());
    }
    return messages;
  }

  /// The output y at t.
  double At(double t) {
    model_.EvaluateDiffEquations(t);
    return *model_.declarations().outputs.front().value;
  }
  /// The output y of a block without time, for the input u.
  double Of(double u) {
    Set("u", u);
    return At(0);
  }
  double Next(double t) const { return model_.NextBreakTime(t); }

  double State(std::string_view name) const {
    const StateSlot& slot = Slot(name);
    return slot.memory->y[slot.offset];
  }
  void SetState(std::string_view name, double value) {
    const StateSlot& slot = Slot(name);
    slot.memory->y[slot.offset] = value;
  }
  void SetStart(std::string_view name, double value) {
    for (StateDeclaration& state : model_.mutable_declarations().states) {
      if (state.label.name == name) state.start = {value};
    }
  }
  double Ddt(std::string_view name) {
    model_.EvaluateDiffEquations(0);
    const StateSlot& slot = Slot(name);
    return slot.memory->ddt[slot.offset];
  }
  /// One step of the classic Runge-Kutta method with constant inputs.
  void Advance(double h) {
    const std::vector<double> y0 = Values();
    std::vector<double> sum(y0.size(), 0.0);
    std::vector<double> k(y0.size(), 0.0);
    const double nodes[] = {0, h / 2, h / 2, h};
    const double weights[] = {h / 6, h / 3, h / 3, h / 6};
    for (int stage = 0; stage < 4; ++stage) {
      for (std::size_t i = 0; i < y0.size(); ++i) Write(i, y0[i] + nodes[stage] * k[i]);
      model_.EvaluateDiffEquations(0);
      for (std::size_t i = 0; i < y0.size(); ++i) {
        const StateSlot& slot = *model_.declarations().states[i].slots;
        k[i] = slot.memory->ddt[slot.offset];
        sum[i] += weights[stage] * k[i];
      }
    }
    for (std::size_t i = 0; i < y0.size(); ++i) Write(i, y0[i] + sum[i]);
    model_.PostIntegrate();
  }

  Model& model() { return model_; }

 private:
  const StateSlot& Slot(std::string_view name) const {
    const auto& states = model_.declarations().states;
    for (const StateDeclaration& state : states) {
      if (state.label.name == name) return *state.slots;
    }
    ADD_FAILURE() << "no state " << name;
    return *states.front().slots;
  }
  std::vector<double> Values() const {
    std::vector<double> values;
    for (const StateDeclaration& state : model_.declarations().states) {
      values.push_back(state.slots->memory->y[state.slots->offset]);
    }
    return values;
  }
  void Write(std::size_t i, double value) {
    const StateSlot& slot = *model_.declarations().states[i].slots;
    slot.memory->y[slot.offset] = value;
  }

  Model model_;
  std::deque<double> routed_;
};

/// All break times in (begin, end], each checked to be the next one of every time before it down to the last.
template <class Model>
std::vector<double> BreakTimes(const Block<Model>& block, double begin, double end) {
  std::vector<double> breaks;
  for (double t = begin; breaks.size() < 1'000'000;) {
    const double next = block.Next(t);
    EXPECT_GT(next, t);
    if (!(next > t) || next > end) break;
    EXPECT_EQ(block.Next(JustBefore(next)), next);
    breaks.push_back(t = next);
  }
  return breaks;
}

/// The single message of a faulty block: it names `fault` and, after a semicolon, a remedy.
inline void ExpectFault(const std::vector<std::string>& messages, std::string_view fault) {
  ASSERT_EQ(messages.size(), 1U) << fault;
  EXPECT_NE(messages[0].find(fault), std::string::npos) << messages[0];
  const std::size_t semicolon = messages[0].find("; ");
  EXPECT_NE(semicolon, std::string::npos) << messages[0];
}

}  // namespace davit
