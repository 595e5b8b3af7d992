#include "simulator/passes/partition.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// Elements of a system file: components, then connections and routes.
struct Elements {
  std::vector<std::string> components;
  std::vector<std::string> wires;
  std::string Text() const {
    std::string text;
    for (const std::string& component : components) text += component;
    for (const std::string& wire : wires) text += wire;
    return text;
  }
};

/// Volumes of both kinds and tanks, with orifices between any two of them.
struct Hydraulics {
  std::vector<std::string> models;                               ///< of node `v0`, `v1`, ...
  std::vector<std::pair<std::size_t, std::size_t>> connections;  ///< of orifice `o0`, `o1`, ...

  static Hydraulics Random() {
    static const std::vector<std::string> kModels{"hydraulic.Volume", "hydraulic.VolumeC", "hydraulic.Tank"};
    Hydraulics random;
    const auto nodes = *rc::gen::inRange<std::size_t>(1, 10);
    random.models = *rc::gen::container<std::vector<std::string>>(nodes, rc::gen::elementOf(kModels));
    const auto node = rc::gen::inRange<std::size_t>(0, nodes);
    random.connections =
        *rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(rc::gen::pair(node, node));
    return random;
  }
  Elements ToElements() const {
    Elements elements;
    for (std::size_t i = 0; i < models.size(); ++i) {
      elements.components.push_back(fmt::format("<{} name='v{}'/>", models[i], i));
    }
    for (std::size_t i = 0; i < connections.size(); ++i) {
      const auto [a, b] = connections[i];
      elements.components.push_back(fmt::format("<hydraulic.Orifice name='o{}'/>", i));
      elements.wires.push_back(fmt::format("<Connect from='o{}.a' to='v{}.port'/>", i, a));
      elements.wires.push_back(fmt::format("<Connect from='o{}.b' to='v{}.port'/>", i, b));
    }
    // Volumes without a connection would be a fault of the system.
    for (std::size_t i = 0; i < models.size(); ++i) {
      elements.components.push_back(fmt::format("<hydraulic.Orifice name='end{}'/>", i));
      elements.components.push_back(fmt::format("<hydraulic.Tank name='tank{}'/>", i));
      elements.wires.push_back(fmt::format("<Connect from='end{0}.a' to='v{0}.port'/>", i));
      elements.wires.push_back(fmt::format("<Connect from='end{0}.b' to='tank{0}.port'/>", i));
    }
    return elements;
  }
};

// Orifices are in one set exactly where a path of volumes and orifices leads from one to the other.
RC_GTEST_PROP(MakePartitionTest, AVolumeJoinsAndATankOrADelaySeparates, ()) {
  const Hydraulics hydraulics = Hydraulics::Random();
  LoadedSystem loaded(hydraulics.ToElements().Text());
  const SystemPasses passes(loaded.index());
  RC_ASSERT(TextOf(passes.diagnostics).empty());
  const auto set = [&](const std::string& path) { return passes.partition.set[loaded[path]]; };

  std::vector<std::size_t> label(hydraulics.models.size());  // of volumes joined by orifices
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = i;
  const auto joins = [&](std::size_t v) { return hydraulics.models[v] == "hydraulic.Volume"; };
  for (std::size_t round = 0; round < label.size(); ++round) {
    for (const auto& [a, b] : hydraulics.connections) {
      if (joins(a) && joins(b)) label[a] = label[b] = std::min(label[a], label[b]);
    }
  }
  for (std::size_t v = 0; v < label.size(); ++v) {
    for (std::size_t w = 0; w < label.size(); ++w) {
      if (!joins(v) || !joins(w)) continue;
      RC_ASSERT((set(fmt::format("v{}", v)) == set(fmt::format("v{}", w))) == (label[v] == label[w]));
    }
  }
  for (std::size_t o = 0; o < hydraulics.connections.size(); ++o) {
    for (const std::size_t v : {hydraulics.connections[o].first, hydraulics.connections[o].second}) {
      if (joins(v)) RC_ASSERT(set(fmt::format("o{}", o)) == set(fmt::format("v{}", v)));
    }
  }
}

RC_GTEST_PROP(MakePartitionTest, TheOrderOfConnectionsAndRoutesDoesNotMatter, ()) {
  Elements elements = Hydraulics::Random().ToElements();
  const auto signals = *rc::gen::inRange<std::size_t>(1, 10);
  for (std::size_t i = 0; i < signals; ++i) {
    elements.components.push_back(fmt::format("<signal.LowPass name='s{}'/><signal.Gain name='g{}'/>", i, i));
    const auto from = *rc::gen::inRange<std::size_t>(0, signals);
    const std::string hold = *rc::gen::element<std::string>("", "hold='none'", "hold='step'");
    elements.wires.push_back(fmt::format("<Route from='s{}.y' to='g{}.u' {}/>", from, i, hold));
    if (*rc::gen::arbitrary<bool>()) {
      elements.wires.push_back(fmt::format("<Route from='end0.q' to='s{}.u'/>", i));
    }
  }
  LoadedSystem loaded(elements.Text());
  const SystemPasses passes(loaded.index());
  for (std::size_t i = elements.wires.size(); i > 1; --i) {
    std::swap(elements.wires[i - 1], elements.wires[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  LoadedSystem shuffled(elements.Text());
  const SystemPasses after(shuffled.index());
  RC_ASSERT(after.partition.set == passes.partition.set);
  RC_ASSERT(after.partition.solvers == passes.partition.solvers);
}

/// Two volumes with a tank each, which are islands of their own.
const std::string kTwoIslands =
    "<hydraulic.Volume name='v0'/><hydraulic.Orifice name='o0'/><hydraulic.Tank name='t0'/>"
    "<hydraulic.Volume name='v1'/><hydraulic.Orifice name='o1'/><hydraulic.Tank name='t1'/>"
    "<Connect from='v0.port' to='o0.a'/><Connect from='o0.b' to='t0.port'/>"
    "<Connect from='v1.port' to='o1.a'/><Connect from='o1.b' to='t1.port'/>";

/// A delay with an orifice beside it, both Tlm.
const std::string kDelay =
    "<hydraulic.VolumeC name='c'/><hydraulic.Orifice name='oc'/><hydraulic.Tank name='tc'/>"
    "<Connect from='c.port' to='oc.a'/><Connect from='oc.b' to='tc.port'/>";

/// Two signal components in a row, fed by `source`.
std::string Signals(const std::string& source) {
  return "<signal.LowPass name='first'/><signal.LowPass name='second'/><Route from='" + source +
         "' to='first.u'/><Route from='first.y' to='second.u'/>";
}

TEST(MakePartitionTest, SignalsJoinTheOneIslandTheyHaveRoutesWith) {
  LoadedSystem loaded(kTwoIslands + Signals("v0.p"));
  const Partition partition = SystemPasses(loaded.index()).partition;
  for (const char* path : {"o0", "first", "second"}) {
    EXPECT_EQ(partition.set[loaded[path]], partition.set[loaded["v0"]]) << path;
  }
  EXPECT_NE(partition.set[loaded["v0"]], partition.set[loaded["v1"]]);
}

TEST(MakePartitionTest, SignalsBetweenTwoIslandsAreAnIslandOfTheirOwn) {
  LoadedSystem loaded(kTwoIslands + Signals("v0.p") +
                      "<signal.Sum name='both'/><Route from='second.y' to='both.u'/>"
                      "<Route from='v1.p' to='both.u'/>");
  const Partition partition = SystemPasses(loaded.index()).partition;
  EXPECT_EQ(partition.set[loaded["first"]], partition.set[loaded["both"]]);
  EXPECT_NE(partition.set[loaded["first"]], partition.set[loaded["v0"]]);
  EXPECT_NE(partition.set[loaded["first"]], partition.set[loaded["v1"]]);
  EXPECT_NE(partition.set[loaded["v0"]], partition.set[loaded["v1"]]);
}

TEST(MakePartitionTest, AContinuousRouteMergesTwoIslands) {
  const std::string route =
      "<hydraulic.PressureSource name='s'/><hydraulic.Orifice name='os'/>"
      "<Connect from='s.port' to='os.a'/><Connect from='os.b' to='v1.port'/>"
      "<Route from='v0.p' to='s.pressure' ";
  LoadedSystem merged(kTwoIslands + route + "hold='none'/>");
  const Partition partition = SystemPasses(merged.index()).partition;
  EXPECT_EQ(partition.set[merged["v0"]], partition.set[merged["v1"]]);
  LoadedSystem held(kTwoIslands + route + "/>");
  const Partition apart = SystemPasses(held.index()).partition;
  EXPECT_NE(apart.set[held["v0"]], apart.set[held["v1"]]);
}

TEST(MakePartitionTest, SignalsAtTlmComponentsOnlyAreTlmUnlessTheyFormALoop) {
  LoadedSystem open(kDelay + Signals("oc.q"));
  const Partition partition = SystemPasses(open.index()).partition;
  EXPECT_TRUE(partition.IsTlm(open["first"]));
  EXPECT_TRUE(partition.IsTlm(open["second"]));

  LoadedSystem loop(kDelay +
                    "<signal.Sum name='sum'/><signal.LowPass name='lag'/>"
                    "<Route from='oc.q' to='sum.u'/><Route from='lag.y' to='sum.u'/>"
                    "<Route from='sum.y' to='lag.u'/>");
  const Partition with_loop = SystemPasses(loop.index()).partition;
  EXPECT_FALSE(with_loop.IsTlm(loop["sum"]));
  EXPECT_EQ(with_loop.set[loop["sum"]], with_loop.set[loop["lag"]]);

  LoadedSystem asked(kDelay +
                     "<signal.LowPass name='first'/><signal.LowPass name='second' solver='Differential'/>"
                     "<Route from='oc.q' to='first.u'/><Route from='first.y' to='second.u'/>");
  const Partition with_request = SystemPasses(asked.index()).partition;
  EXPECT_TRUE(with_request.IsTlm(asked["first"]));
  EXPECT_FALSE(with_request.IsTlm(asked["second"]));  // the attribute wins
}

TEST(MakePartitionTest, RefusesAPressureWithoutDelayBesideATlmComponent) {
  LoadedSystem loaded(
      "<hydraulic.VolumeC name='c'/><hydraulic.Orifice name='o' solver='Tlm'/><hydraulic.Volume name='v'/>"
      "<Connect from='c.port' to='o.a'/><Connect from='o.b' to='v.port'/>");
  EXPECT_THAT(TextOf(SystemPasses(loaded.index()).diagnostics),
              HasSubstr("/o: hydraulic.Orifice supports fixed-step (TLM) integration only, but v.port "
                        "has no transmission delay (Zc = 0)"));
}

TEST(MakePartitionTest, RefusesDifferentTimeStepsInOneSet) {
  LoadedSystem loaded(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='o' TimeStep='2 ms'/><hydraulic.Tank name='t'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>");
  EXPECT_THAT(TextOf(SystemPasses(loaded.index()).diagnostics),
              HasSubstr("/o: is in the same island as /v, which has another TimeStep"));
}

}  // namespace
}  // namespace davit
