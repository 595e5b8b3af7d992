#include "simulator/passes/pure_components.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

std::vector<bool> FindPure(const SystemIndex& index) {
  Diagnostics diagnostics;
  return FindPureComponents(index, ChooseSolvers(index, diagnostics));
}

// Sums and integrators with random routes, loops included: pure is what no integrator leads to.
RC_GTEST_PROP(FindPureComponentsTest, PureIsWhatNoStateLeadsTo, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 20);
  const auto has_state = *rc::gen::container<std::vector<bool>>(count, rc::gen::arbitrary<bool>());
  std::vector<std::vector<std::uint32_t>> readers(count);
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format("<{} name='m{}'/>", has_state[i] ? "signal.Integrator" : "signal.Gain", i);
    if (!*rc::gen::arbitrary<bool>()) continue;
    const auto from = *rc::gen::inRange<std::uint32_t>(0, count);
    text += fmt::format("<Route from='m{}.y' to='m{}.u'/>", from, i);
    readers[from].push_back(i);
  }
  LoadedSystem loaded(text);
  const std::vector<bool> is_pure = FindPure(loaded.index());

  std::vector<bool> is_reached = has_state;
  for (std::uint32_t round = 0; round < count; ++round) {
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const std::uint32_t reader : readers[i]) is_reached[reader] = is_reached[reader] || is_reached[i];
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) RC_ASSERT(is_pure[i] == !is_reached[i]);
}

TEST(FindPureComponentsTest, AParameterOfAnImpureComponentIsPure) {
  LoadedSystem loaded(
      "<signal.Integrator name='i'/><signal.Gain name='reads_parameter'/><signal.Gain name='reads_state'/>"
      "<Route from='i.gain' to='reads_parameter.u'/><Route from='i.y' to='reads_state.u'/>");
  const std::vector<bool> is_pure = FindPure(loaded.index());
  EXPECT_TRUE(is_pure[loaded["reads_parameter"]]);
  EXPECT_FALSE(is_pure[loaded["reads_state"]]);
}

TEST(FindPureComponentsTest, PortsEventsAndEquationsAreNotPure) {
  LoadedSystem loaded(
      "<mechanical.Force name='port'/><mechanical.Mass name='m'/>"
      "<Connect from='port.port' to='m.a'/><signal.Threshold name='event'/>"
      "<signal.Gain name='equation' solver='Algebraic'/><signal.Sine name='source'/>");
  const std::vector<bool> is_pure = FindPure(loaded.index());
  for (const char* path : {"port", "event", "equation"}) EXPECT_FALSE(is_pure[loaded[path]]) << path;
  EXPECT_TRUE(is_pure[loaded["source"]]);
}

}  // namespace
}  // namespace davit
