#include "simulator/passes/signal_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_graph.h"
#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using Source = SignalBinding::Source;

struct Bound {
  explicit Bound(std::string_view content) : loaded(content), passes(loaded.index()) {
    for (std::uint32_t c = 0; c < passes.contexts.size(); ++c) {
      bindings.push_back(BindSignals(loaded.index(), passes.contexts, c));
    }
  }
  /// How the input at the end of route `r` reads.
  const SignalBinding::BoundInput& InputOf(std::uint32_t r) const {
    const std::uint32_t context = passes.ContextOf(loaded.index().To(r));
    const auto& routes = passes.contexts.routes_into[context];
    const auto position = std::find(routes.begin(), routes.end(), r) - routes.begin();
    return bindings[context].inputs.at(static_cast<std::size_t>(position));
  }
  std::vector<Source> Sources() const {
    std::vector<Source> sources;
    for (std::uint32_t r = 0; r < loaded.index().route_count(); ++r) sources.push_back(InputOf(r).source);
    return sources;
  }

  LoadedSystem loaded;
  SystemPasses passes;
  std::vector<SignalBinding> bindings;  ///< by context
};

/// Two islands, a schedule with two orifices, and signals on all sides.
const char* const kAllKinds =
    "<test.Oscillator name='m'/><test.Sum name='s'/><signal.LowPass name='f'/><signal.Gain name='g'/>"
    "<hydraulic.VolumeC name='v'/><hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
    "<signal.LowPass name='sensor'/><signal.Gain name='after'/>"
    "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>"
    "<Route from='m.x' to='s.a'/><Route from='m.v.ddt' to='s.b'/><Route from='s.sum' to='f.u'/>"
    "<Route from='m.frequency' to='g.u'/><Route from='v.p' to='sensor.u'/>"
    "<Route from='sensor.y' to='after.u'/>";

TEST(BindSignalsTest, EveryRouteBindsItsInputOnce) {
  const Bound bound(kAllKinds);
  std::set<const double**> slots;
  std::size_t inputs = 0;
  for (const SignalBinding& binding : bound.bindings) {
    inputs += binding.inputs.size();
    for (const SignalBinding::BoundInput& input : binding.inputs) slots.insert(input.slot);
  }
  EXPECT_EQ(inputs, bound.loaded.index().route_count());
  EXPECT_EQ(slots.size(), inputs);
  for (std::uint32_t r = 0; r < bound.loaded.index().route_count(); ++r) {
    EXPECT_EQ(bound.InputOf(r).slot, bound.loaded.index().route(r).slot()) << r;
  }
}

TEST(BindSignalsTest, NumbersLeadIntoTheListOfTheirSource) {
  const Bound bound(kAllKinds);
  for (const SignalBinding& binding : bound.bindings) {
    for (const SignalBinding::BoundInput& input : binding.inputs) {
      const std::size_t sizes[] = {binding.values.size(), binding.held.size(), binding.states.size(),
                                   binding.derivatives.size(), binding.extrapolated.size()};
      EXPECT_LT(input.number, sizes[static_cast<std::size_t>(input.source)]);
    }
    EXPECT_EQ(binding.derivative_owners.size(), binding.derivatives.size());
  }
}

TEST(BindSignalsTest, AnIslandReadsItsMembersInsideTheStep) {
  const Bound bound(
      "<test.Oscillator name='m'/><test.Sum name='s'/><signal.Gain name='g'/><signal.Gain name='h'/>"
      "<Route from='m.x' to='s.a'/><Route from='m.v.ddt' to='s.b'/><Route from='s.sum' to='g.u'/>"
      "<Route from='s.sum' to='h.u' hold='step'/>");
  EXPECT_EQ(bound.Sources(),
            (std::vector<Source>{Source::kState, Source::kDerivative, Source::kValue, Source::kHeld}));
  const SignalBinding& island = bound.bindings[bound.passes.ContextOf(bound.loaded["m"])];
  EXPECT_EQ(island.values[bound.InputOf(2).number], bound.loaded.index().route(2).from.place());
  EXPECT_EQ(island.states[bound.InputOf(0).number], bound.loaded.index().route(0).from.slot());
}

TEST(BindSignalsTest, StatesAndDerivativesAreListedOnce) {
  const Bound bound(
      "<test.Oscillator name='m'/><test.Sum name='s'/><test.Sum name='t'/>"
      "<Route from='m.x' to='s.a'/><Route from='m.x' to='s.b'/>"
      "<Route from='m.v.ddt' to='t.a'/><Route from='m.v.ddt' to='t.b'/>");
  const SignalBinding& island = bound.bindings[bound.passes.ContextOf(bound.loaded["m"])];
  EXPECT_EQ(island.states.size(), 1U);
  ASSERT_EQ(island.derivatives.size(), 1U);
  EXPECT_EQ(island.derivative_owners[0], bound.passes.MemberOf(bound.loaded["m"]));
}

TEST(BindSignalsTest, BetweenIslandsValuesAreHeldAndParametersRead) {
  const Bound bound(
      "<test.Body name='a'/><test.Body name='b'/><test.Body name='c'/>"
      "<Route from='a.x' to='b.u'/><Route from='a.gain' to='c.u'/>");
  EXPECT_EQ(bound.Sources(), (std::vector<Source>{Source::kHeld, Source::kValue}));
}

// Signals read everybody inside the step, C and Q components read signals only.
TEST(BindSignalsTest, InAScheduleSignalsComeFirst) {
  const Bound bound(
      "<mechanical.SpringC name='c'/><mechanical.Fixed name='wall'/><mechanical.Mass name='m'/>"
      "<mechanical.Force name='f'/><signal.LowPass name='sensor'/><signal.Gain name='after'/>"
      "<mechanical.VelocitySource name='driven'/><mechanical.SpringC name='d'/>"
      "<signal.Gain name='slope'/><signal.Gain name='output'/>"
      "<Connect from='wall.port' to='c.a'/><Connect from='c.b' to='m.a'/><Connect from='m.b' to='f.port'/>"
      "<Connect from='driven.port' to='d.a'/><Connect from='d.b' to='m.b'/>"
      "<Route from='m.x' to='sensor.u'/><Route from='sensor.y' to='after.u'/>"
      "<Route from='m.x.ddt' to='slope.u'/><Route from='c.force' to='output.u'/>"
      "<Route from='after.y' to='f.force'/><Route from='m.v' to='driven.velocity'/>");
  ASSERT_TRUE(bound.passes.partition.IsTlm(bound.loaded["m"]));
  EXPECT_EQ(bound.Sources(), (std::vector<Source>{Source::kExtrapolated, Source::kState, Source::kDerivative,
                                                  Source::kValue, Source::kValue, Source::kHeld}));
}

// Whatever the order of the routes, a derivative is known after the batch of its owner.
TEST(OrderDerivativesTest, EachDerivativeIsKnownAfterTheBatchOfItsOwner) {
  const std::string components =
      "<signal.LowPass name='a'/><test.Sum name='b'/><signal.LowPass name='c'/><test.Sum name='d'/>"
      "<Route from='a.y' to='b.a'/><Route from='b.sum' to='c.u'/>";
  const std::string early = "<Route from='a.y.ddt' to='b.b'/>";
  const std::string late = "<Route from='c.y.ddt' to='d.a'/>";
  for (const std::string& routes : {early + late, late + early}) {
    const Bound bound(components + routes);
    const std::uint32_t context = bound.passes.ContextOf(bound.loaded["a"]);
    const EvaluationGraph graph = MakeEvaluationGraph(bound.loaded.index(), bound.passes.contexts, context);
    EvaluationOrder sorted = SortEvaluations(graph.types, graph.edges);
    const EvaluationBatches batches = MakeBatches(graph, std::move(sorted.order));
    const SignalBinding& binding = bound.bindings[context];
    const DerivativeOrder derivatives = OrderDerivatives(binding, graph, batches);
    ASSERT_EQ(derivatives.ends.size(), batches.batches.size());
    EXPECT_EQ(derivatives.order.size(), binding.derivatives.size());
    std::set<std::uint32_t> evaluated;  // members
    for (std::size_t b = 0; b < batches.batches.size(); ++b) {
      const EvaluationBatch& batch = batches.batches[b];
      for (std::size_t i = 0; i < batch.count; ++i) {
        evaluated.insert(graph.nodes[batches.order[batch.begin + i]].member);
      }
      const std::set<std::size_t> known(derivatives.order.begin(),
                                        derivatives.order.begin() + std::ptrdiff_t(derivatives.ends[b]));
      for (std::size_t d = 0; d < binding.derivatives.size(); ++d) {
        EXPECT_EQ(known.contains(d), evaluated.contains(binding.derivative_owners[d])) << routes;
      }
    }
  }
}

}  // namespace
}  // namespace davit
