// What is read after a write between two steps, and that the run does not notice who reads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/session/sessions.h"

namespace davit {
namespace {

/// Everything of a system that is a number and changes during a run.
std::vector<std::string> Signals(Simulation& simulation) {
  std::vector<std::string> paths;
  for (Component* component : simulation.system().components()) {
    for (const Item& item : simulation.system().ItemsOf(*component)) {
      if (item.is_signal()) paths.push_back(item.path());
    }
  }
  return paths;
}

std::vector<double> ReadAll(Simulation& simulation) {
  const ItemList items = simulation.Items(Signals(simulation));
  std::vector<double> values(items.size());
  simulation.Read(items, values);
  return values;
}

struct NewValue {
  std::string path;
  double value;
};

/// What is read after a write at the start is what a run shows that begins with these values.
void ExpectStartValues(const std::string& text, const std::vector<NewValue>& writes, double tolerance) {
  const auto written = LoadText(text), begun = LoadText(text);
  written->Initialize();
  for (const NewValue& write : writes) {
    written->Write(write.path, write.value);
    begun->Write(write.path, write.value);
  }
  begun->Initialize();
  const std::vector<std::string> paths = Signals(*written);
  const std::vector<double> now = ReadAll(*written), wanted = ReadAll(*begun);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool is_near = std::abs(now[i] - wanted[i]) <= tolerance * std::max(1.0, std::abs(wanted[i]));
    EXPECT_TRUE(now[i] == wanted[i] || is_near) << paths[i] << ": " << now[i] << ", not " << wanted[i];
    EXPECT_EQ(written->Read(paths[i]), now[i]) << paths[i];
  }
}

std::string Text(const std::string& name) {
  std::ifstream file(SystemFile(name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(WrittenValuesTest, OutputsAndDerivativesFollowStatesParametersAndInputs) {
  const auto body = LoadBody();
  body->Initialize();
  // m v' = F - c v - k x with m = 2, k = 50, c = 3; y = 2 x
  body->Write("body.x", 0.5);
  EXPECT_DOUBLE_EQ(body->Read("double.y"), 1);
  EXPECT_DOUBLE_EQ(body->Read("body.v.ddt"), -50 * 0.5 / 2);
  body->Write("body.force", 7);
  EXPECT_DOUBLE_EQ(body->Read("body.v.ddt"), (7 - 50 * 0.5) / 2);
  body->Write("body.v", -2);
  EXPECT_DOUBLE_EQ(body->Read("body.x.ddt"), -2);
  EXPECT_DOUBLE_EQ(body->Read("body.v.ddt"), (7 + 3 * 2 - 50 * 0.5) / 2);
  body->WriteText("body.mass", "4 kg");
  EXPECT_EQ(body->ReadText("body.v.ddt"), "-3 m/s2");
  body->Write("double.gain", 3);
  EXPECT_DOUBLE_EQ(body->Read("double.y"), 1.5);
  // Also inside of a TimeStep.
  body->AdvanceTo(0.0137);
  body->Write("body.x", 0.25);
  EXPECT_DOUBLE_EQ(body->Read("double.y"), 0.75);
}

TEST(WrittenValuesTest, WhatIsReadIsWhatARunBeginsWith) {
  ExpectStartValues(Text("mass_spring"), {{"load.x", 0.5}, {"load.v", 2}, {"spring.stiffness", 300}}, 0);
  ExpectStartValues(Text("lifting_cylinder"), {{"load.v", 0.01}, {"relief.opening_range", 7e5}}, 1e-12);
}

/// Algebraic unknowns: 0 = f(y, z) is solved for z to the tolerance of the solver of the run.
TEST(WrittenValuesTest, AlgebraicUnknownsFollow) {
  ExpectStartValues(Text("algebraic_loop"), {}, 1e-6);
  const std::string text = Text("transistor_amplifier");
  const auto simulation = LoadText(text);
  simulation->Initialize();
  std::vector<NewValue> writes;
  for (Component* component : simulation->system().components()) {
    for (const Item& item : simulation->system().ItemsOf(*component)) {
      if (item.is_differential()) writes.push_back({item.path(), item.Read() + 0.01});
    }
  }
  EXPECT_FALSE(writes.empty());
  ExpectStartValues(text, writes, 1e-6);
}

/// Writes at several times, also inside of TimeSteps where that is possible; `reads`: everything after each.
std::vector<double> RunWithWrites(const std::string& name, bool reads, std::string& snapshot) {
  const auto simulation = Simulation::Load(SystemFile(name), SessionModels()).Take();
  const Rows rows = RowsOf(*simulation);
  simulation->Initialize();
  const double h = simulation->time_step();
  int number = 0;
  std::vector<Item> states, parameters;
  for (Component* component : simulation->system().components()) {
    for (const Item& item : simulation->system().ItemsOf(*component)) {
      if (item.is_differential() && item.state()->is_in_use()) states.push_back(item);
      if (item.kind() == Item::Kind::kParameter && item.is_writable()) parameters.push_back(item);
    }
  }
  for (int i = 0; i < 12; ++i) {
    const double inside = simulation->time() + 2.4 * h;
    if (i % 3 == 2 && simulation->manager().FaultOfTime(inside).empty()) {
      simulation->AdvanceTo(inside);
    } else {
      simulation->RunUntil(simulation->time() + 2 * h);
    }
    if (reads) ReadAll(*simulation);
    for (int times = 0; times < 2; ++times) {
      if (!states.empty()) {
        const Item& state = states[static_cast<std::size_t>(number) % states.size()];
        simulation->Write(state.path(), state.Read() * (1 + 1e-4));
      }
      if (!parameters.empty()) {
        const Item& parameter = parameters[static_cast<std::size_t>(number) % parameters.size()];
        const double value = parameter.Read() * (1 + 1e-5);
        const bool is_meant =
            std::isfinite(value) && parameter.IsValid(value) && &parameter.owner() != &simulation->manager();
        if (is_meant) simulation->Write(parameter.path(), value);
      }
      ++number;
      if (reads) ReadAll(*simulation);
    }
    if (i == 6) snapshot += simulation->TakeSnapshot();
  }
  simulation->RunUntil(simulation->time() + 5 * h);
  snapshot += simulation->TakeSnapshot();
  return rows.Take();
}

TEST(WrittenValuesTest, ReadingChangesNoBitOfTheRun) {
  for (const std::string name : {"mass_spring", "mass_spring_equations", "lifting_cylinder", "position_servo",
                                 "hydrostatic_transmission", "signal_operators", "transistor_amplifier",
                                 "algebraic_loop", "oil_cooling", "electric_winch", "slider_crank"}) {
    std::string read, unread;
    const std::vector<double> with = RunWithWrites(name, true, read);
    EXPECT_TRUE(HaveSameBits(with, RunWithWrites(name, false, unread))) << name;
    EXPECT_EQ(DifferenceOf(read, unread), "") << name;
    EXPECT_FALSE(with.empty());
  }
}

/// What was written is in a snapshot, and so is that nothing has been evaluated since.
TEST(WrittenValuesTest, ASnapshotTakenAfterAWriteReadsTheSame) {
  const auto body = LoadBody();
  body->Initialize();
  body->RunUntil(0.1);
  body->Write("body.x", 0.5);
  const auto clone = body->Clone();
  EXPECT_EQ(ReadAll(*clone), ReadAll(*body));
  EXPECT_DOUBLE_EQ(clone->Read("double.y"), 1);
}

}  // namespace
}  // namespace davit
