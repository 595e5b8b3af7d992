#include "framework/item.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "components/register.h"
#include "framework/system.h"
#include "simulator/simulator_manager.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// One component of each model of davit, configured where it needs no text.
class ItemTest : public testing::Test {
 protected:
  ItemTest() : system_(Models()) {
    int number = 0;
    for (const ModelEntry* entry : Models().entries()) {
      Component& component =
          system_.Create(*entry, "c" + std::to_string(++number), system_.root(), SourceLocation{});
      Diagnostics ignored;  // a text without default, such as the points of a table, may be missing
      component.Configure(ignored);
    }
  }

  static const Registry& Models() {
    static const Registry registry = [] {
      Registry all;
      RegisterSimulator(all);
      RegisterComponents(all);
      return all;
    }();
    return registry;
  }

  template <class Check>
  void ForEachItem(Check check) {
    for (Component* component : system_.components()) {
      for (const Item& item : system_.ItemsOf(*component)) {
        SCOPED_TRACE(std::string(component->model().name) + ' ' + item.path());
        check(item);
      }
    }
  }

  static bool IsSetting(const Item& item) {
    return item.causality() == Item::Causality::kParameter || item.causality() == Item::Causality::kInput;
  }

  System system_;
};

TEST_F(ItemTest, HasAPathBelowItsOwnerATextAndAUnitThatIsKnown) {
  std::set<std::string> signals;
  ForEachItem([&](const Item& item) {
    EXPECT_EQ(item.owner().path() + '.' + std::string(item.name()), item.path());
    EXPECT_FALSE(item.text().empty());
    EXPECT_TRUE(item.unit() == kAnyUnit || system_.units().Find(item.unit())) << item.unit();
    if (item.is_signal()) {
      EXPECT_TRUE(signals.insert(item.path()).second) << "two signals of one name";
    }
  });
}

TEST_F(ItemTest, DerivativesHaveTheUnitOfTheirStatePerSecond) {
  const Dimension per_second = system_.units().Find("1/s")->dimension;
  std::size_t derivatives = 0;
  ForEachItem([&](const Item& item) {
    if (item.kind() != Item::Kind::kDerivative || item.unit() == kAnyUnit) return;
    ++derivatives;
    Dimension expected = system_.units().Find(item.state()->label.unit)->dimension;
    for (std::size_t i = 0; i < expected.exponents.size(); ++i)
      expected.exponents[i] += per_second.exponents[i];
    EXPECT_EQ(system_.units().Find(item.unit())->dimension, expected) << item.unit();
  });
  EXPECT_GT(derivatives, 20u);
}

TEST_F(ItemTest, WhatItReadsAsTextIsTheNumberThatItReads) {
  ForEachItem([&](const Item& item) {
    if (!IsSetting(item) || !std::isfinite(item.Read())) return;  // a text, or a limit that is not set
    Fault fault;
    const auto number = item.Parse(item.ReadText(), system_.units(), &fault);
    ASSERT_TRUE(number) << item.ReadText() << ": " << fault.ToText();
    EXPECT_EQ(*number, item.Read()) << item.ReadText();
    EXPECT_TRUE(item.IsValid(*number));
  });
}

TEST_F(ItemTest, TheDefaultIsATextThatCanBeWritten) {
  ForEachItem([&](const Item& item) {
    if (!IsSetting(item) || item.kind() == Item::Kind::kLevel || item.value_kind() == ValueKind::kText)
      return;
    if (std::isinf(item.Read())) {  // no limit
      EXPECT_EQ(item.default_text(), "");
      return;
    }
    Fault fault;
    const auto number = item.Parse(item.default_text(), system_.units(), &fault);
    ASSERT_TRUE(number) << item.default_text() << ": " << fault.ToText();
    EXPECT_EQ(*number, item.Read()) << "nothing was written yet";
  });
}

TEST_F(ItemTest, WhatIsStoredIsRead) {
  ForEachItem([&](const Item& item) {
    if (!IsSetting(item)) return;
    for (const double number : {0.0, 1.0, 2.0, 0.25}) {
      const double before = item.Read();
      if (!item.IsValid(number)) {
        EXPECT_TRUE(item.Check(number));
        continue;
      }
      EXPECT_FALSE(item.Check(number));
      item.Store(number);
      EXPECT_EQ(item.Read(), number);
      if (item.IsValid(before)) item.Store(before);
    }
    EXPECT_FALSE(item.IsValid(std::numeric_limits<double>::quiet_NaN()));
  });
}

TEST_F(ItemTest, NamesOfOptionsStandForTheirPositions) {
  ForEachItem([&](const Item& item) {
    const std::vector<std::string_view> options = item.options();
    EXPECT_EQ(options.empty(), item.value_kind() != ValueKind::kOption);
    if (!IsSetting(item)) return;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (!item.IsValid(static_cast<double>(i))) continue;  // a level that the model lacks
      Fault fault;
      EXPECT_EQ(item.Parse(options[i], system_.units(), &fault), static_cast<double>(i)) << fault.ToText();
    }
  });
}

TEST(ItemOfASystem, KnowsWhetherARouteFeedsIt) {
  SystemHarness system(R"(<System name="s">
    <signal.Constant name="one" value="1"/><signal.Gain name="routed"/><signal.Gain name="free"/>
    <Route from="one.y" to="routed.u"/></System>)");
  Fault fault;
  const Item routed = *system.system().FindSetting(system.system().root(), "routed.u", &fault);
  const Item free = *system.system().FindSetting(system.system().root(), "free.u", &fault);
  EXPECT_EQ(routed.causality(), Item::Causality::kLocal);
  EXPECT_FALSE(routed.is_writable());
  EXPECT_EQ(free.causality(), Item::Causality::kInput);
  EXPECT_TRUE(free.is_writable());
}

TEST(ItemOfASystem, StaysValidWhenItsOwnerDeclaresMore) {
  SystemHarness system(R"(<System name="s"><signal.Constant name="one" value="1"/></System>)");
  const Item y = system.Find("one.y");
  for (int i = 0; i < 100; ++i) {
    OutputDeclaration more;
    more.label = {y.owner().Keep("more" + std::to_string(i)), "", "One more"};
    more.value = y.output()->value;
    y.owner().mutable_declarations().outputs.push_back(more);
  }
  EXPECT_EQ(y.text(), "Output");
  EXPECT_EQ(system.Find("one.more99").text(), "One more");
}

}  // namespace
}  // namespace davit
