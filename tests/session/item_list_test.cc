// Items: read and written together, by handle and as text.

#include "session/item_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/heap/allocation_counter.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPump =
    "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
    "<hydraulic.Tank name=\"tank\"/>"
    "<hydraulic.AxialPistonPump name=\"pump\" level=\"Ideal\" displacement=\"100 cm3/rev\" speed=\"1500 "
    "rpm\"/>"
    "<hydraulic.Volume name=\"volume\" volume=\"10 l\"><Start p=\"10 bar\"/></hydraulic.Volume>"
    "<hydraulic.Orifice name=\"orifice\" area=\"30 mm2\"/>"
    "<Connect from=\"tank.port\" to=\"pump.in\"/><Connect from=\"tank.port\" to=\"pump.drain\"/>"
    "<Connect from=\"pump.out\" to=\"volume.port\"/><Connect from=\"volume.port\" to=\"orifice.a\"/>"
    "<Connect from=\"orifice.b\" to=\"tank.port\"/>"
    "<signal.Constant name=\"constant\" value=\"2\"/><signal.Gain name=\"gain\" gain=\"3\"/>"
    "<Route from=\"constant.y\" to=\"gain.u\"/>"
    "<signal.Integrator name=\"sum\"><Start y=\"1\"/></signal.Integrator><Route from=\"gain.y\" "
    "to=\"sum.u\"/>"
    "</System>";

TEST(ItemListTest, ReadsWhatPathsRead) {
  const auto s = LoadText(kPump);
  s->Initialize();
  s->RunUntil(0.3);
  const std::vector<std::string> paths{"volume.p", "pump.speed", "orifice.q",
                                       "gain.u",   "pump.level", "volume.port[0].p"};
  const ItemList items = s->Items(paths);
  std::vector<double> values(items.size());
  s->Read(items, values);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(items.path(i), paths[i]);
    EXPECT_EQ(values[i], s->Read(paths[i])) << paths[i];
  }
  EXPECT_EQ(items.unit(0), "Pa");
  EXPECT_EQ(items.unit(1), "rad/s");
  EXPECT_TRUE(items.is_writable(1));
  EXPECT_TRUE(items.is_writable(4));
  EXPECT_FALSE(items.is_writable(2));
  EXPECT_FALSE(items.is_writable(3));  // reads a route
}

/// A text that was read is a text that can be written, and means the same number.
TEST(ItemListTest, TextsReadBack) {
  const auto s = LoadText(kPump);
  s->Initialize();
  EXPECT_EQ(s->ReadText("pump.level"), "Ideal");
  EXPECT_EQ(s->ReadText("volume.p"), "1000000 Pa");
  EXPECT_EQ(s->ReadText("gain.gain"), "3");
  EXPECT_EQ(s->ReadText("SimulatorManager.Autostart"), "true");
  EXPECT_EQ(s->ReadText("volume.formulation"), "pressure");  // structural
  for (const std::string path : {"pump.speed", "pump.displacement", "orifice.area", "gain.gain"}) {
    const double value = s->Read(path);
    const std::string text = s->ReadText(path);
    s->Write(path, value * 1.7);
    s->WriteText(path, text);
    EXPECT_EQ(s->Read(path), value) << text;
  }
  s->WriteText("pump.speed", "30 rpm");
  EXPECT_NEAR(s->Read("pump.speed"), M_PI, 1e-12);
}

/// Numbers by handle do what texts do, bit for bit: parameters, inputs, states, levels, aspects.
TEST(ItemListTest, HandlesDoWhatTextsDo) {
  const std::vector<std::string> paths{"pump.speed", "orifice.area", "constant.value", "sum.y", "pump.level"};
  const std::vector<double> values{100, 2e-5, 7, 3, 1};
  const std::vector<std::string> texts{"100 rad/s", "20 mm2", "7", "3", "Standard"};
  const auto by_handle = LoadText(kPump);
  const auto by_text = LoadText(kPump);
  for (Simulation* s : {by_handle.get(), by_text.get()}) {
    s->Initialize();
    s->RunUntil(0.4);
  }
  by_handle->Write(by_handle->Items(paths), values);
  for (std::size_t i = 0; i < paths.size(); ++i) by_text->WriteText(paths[i], texts[i]);
  EXPECT_EQ(by_handle->Read("sum.y"), 3);
  EXPECT_EQ(by_handle->ReadText("pump.level"), "Ideal") << "levels change with the next step";
  for (Simulation* s : {by_handle.get(), by_text.get()}) s->Step();
  EXPECT_EQ(by_handle->ReadText("pump.level"), "Standard");
  for (Simulation* s : {by_handle.get(), by_text.get()}) s->Run();
  EXPECT_TRUE(by_handle->TakeSnapshot() == by_text->TakeSnapshot());
}

TEST(ItemListTest, AllOrNothingIsWritten) {
  const auto s = LoadText(kPump);
  s->Initialize();
  s->RunUntil(0.4);
  const std::string before = s->TakeSnapshot();
  const ItemList items =
      s->Items({"pump.speed", "orifice.area", "orifice.q", "gain.u", "pump.level", "constant.value"});
  const std::string fault = WhatOf<std::invalid_argument>([&] {
    s->Write(items, std::vector<double>{100, -1e-5, 0, 0, 9, std::nan("")});
  });
  EXPECT_THAT(fault, HasSubstr("orifice.area: -1e-05 is out of range; it must be >"));
  EXPECT_THAT(fault, HasSubstr("'q' of hydraulic.Orifice is an output"));
  EXPECT_THAT(
      fault,
      HasSubstr("gain.u is driven by a <Route>, so setting it has no effect; set the source of the route"));
  EXPECT_THAT(fault, HasSubstr("pump.level: 9 is not an option; write the number of one: 0 Ideal"));
  EXPECT_THAT(fault, HasSubstr("constant.value: nan is not a finite number"));
  EXPECT_TRUE(s->TakeSnapshot() == before);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->WriteText("pump.speed", "3 bar"); }),
              HasSubstr("/pump: speed: '3 bar' is"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->WriteText("pump.sped", "3 rpm"); }),
              HasSubstr("/pump: no parameter 'sped' on hydraulic.AxialPistonPump; did you mean 'speed'?"));
  EXPECT_TRUE(s->TakeSnapshot() == before);
}

TEST(ItemListTest, WrongNamesAreToldTogether) {
  const auto s = LoadText(kPump);
  const std::string fault = WhatOf<std::invalid_argument>([&] {
    s->Items({"pump.speed", "pum.speed", "volume.x"});
  });
  EXPECT_THAT(fault, HasSubstr("no component 'pum' in /; did you mean 'pump'?"));
  EXPECT_THAT(fault, HasSubstr("/volume: "));
}

TEST(ItemListTest, ListsBelongToTheirSimulation) {
  const auto one = LoadText(kPump);
  const auto other = LoadText(kPump);
  const ItemList items = one->Items({"pump.speed"});
  std::vector<double> values(1);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { other->Read(items, values); }),
              HasSubstr("belong to another simulation"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { other->Write(items, values); }),
              HasSubstr("belong to another simulation"));
  values.resize(2);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { one->Read(items, values); }),
              HasSubstr("2 values for 1 item"));
}

/// What is written before the run begins is what it begins with, each time.
TEST(ItemListTest, WritesBeforeTheRunAreItsStart) {
  const auto s = LoadText(kPump);
  s->Write(s->Items({"sum.y", "pump.speed", "pump.level"}), std::vector<double>{5, 90, 1});
  EXPECT_EQ(s->Read("sum.y"), 5);
  std::string file = kPump;
  for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{
           {"y=\"1\"", "y=\"5\""}, {"\"1500 rpm\"", "\"90 rad/s\""}, {"\"Ideal\"", "\"Standard\""}}) {
    file.replace(file.find(from), std::string(from).size(), to);
  }
  const auto wanted = LoadText(file);
  for (int run = 0; run < 2; ++run) {
    for (Simulation* one : {s.get(), wanted.get()}) {
      one->Initialize();
      EXPECT_EQ(one->Read("sum.y"), 5);
      EXPECT_EQ(one->ReadText("pump.level"), "Standard");
      one->Run();
    }
    EXPECT_TRUE(s->TakeSnapshot() == wanted->TakeSnapshot()) << run;
    s->WriteText("pump.level", "Advanced");  // of this run only
  }
}

/// A host that writes the same value again and again disturbs nobody; none of it allocates.
TEST(ItemListTest, WritingWhatHoldsChangesNothing) {
  const auto s = LoadBody();
  const auto untouched = LoadBody();
  const ItemList items = s->Items({"body.force", "body.mass", "body.x"});
  std::vector<double> values(items.size());
  s->Initialize();
  untouched->Initialize();
  untouched->Run();
  s->Step();
  const AllocationCounter allocations;
  while (!s->is_finished()) {
    s->Read(items, values);
    s->Write(items, values);
    s->Step();
  }
  EXPECT_EQ(AllocationCounter::is_counting() ? allocations.count() : 0U, 0U);
  EXPECT_TRUE(s->TakeSnapshot() == untouched->TakeSnapshot());
}

/// Nor does a host allocate that writes new values in each step.
TEST(ItemListTest, WritingAllocatesNothing) {
  const auto s = LoadBody();
  const ItemList force = s->Items({"body.force"});
  s->Initialize();
  double value = 0;
  s->Write(force, std::span(&value, 1));
  s->Step();
  const AllocationCounter allocations;
  while (!s->is_finished()) {
    value = std::sin(30 * s->time());
    s->Write(force, std::span(&value, 1));
    s->Step();
  }
  EXPECT_EQ(AllocationCounter::is_counting() ? allocations.count() : 0U, 0U);
}

}  // namespace
}  // namespace davit
