// What may stand inside the element of a component: elements of its own, and other components.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "davit/component.h"
#include "framework/units/quantity.h"
#include "tests/support/test_models.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// y = sum a_i sin(w_i t).
class Curve final : public DynamicSimComponent, public ItemTaker {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Curve", .text = "Sum of waves"};

  std::vector<std::string> ItemKinds() const override { return {"Wave"}; }
  std::string_view ExampleItems() const override { return "<Wave amplitude=\"2\" frequency=\"3 rad/s\"/>\n"; }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& /*registry*/,
                 Diagnostics& diagnostics) override {
    items_ = std::move(items);
    for (const ItemElement& item : items_) {
      const auto read = [&](const char* name, const char* unit) {
        const ItemElement::Attribute* const attribute = item.Find(name);
        if (attribute == nullptr) {
          diagnostics.Error(item.location, DisplayPath(),
                            std::string("Wave has no attribute '") + name + "'; give it one");
          return 0.0;
        }
        const QuantityResult result = ParseQuantity(attribute->value, unit, units);
        if (!result.value) diagnostics.Error(attribute->location, DisplayPath(), result.fault.ToText());
        return result.value ? result.value->si : 0.0;
      };
      waves_.push_back({read("amplitude", ""), read("frequency", "rad/s")});
    }
  }
  const std::vector<ItemElement>& items() const override { return items_; }
  void EvaluateDiffEquations(double t) override {
    double sum = 0;
    for (const Wave& wave : waves_) sum += wave.amplitude * std::sin(wave.frequency * t);
    y = sum;
  }

 private:
  struct Wave {
    double amplitude, frequency;
  };

  Output y{this, "y", "", "Sum"};
  std::vector<ItemElement> items_;
  std::vector<Wave> waves_;
};

class Rack final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Rack",
                                   .text = "Contains oscillators and adds up where they are"};

  bool AcceptsChild(std::string_view model) const override {
    return model == "test.Oscillator" || DynamicSimComponent::AcceptsChild(model);
  }
  void Configure(Diagnostics& /*diagnostics*/) override {
    for (Component* child : children()) {
      auto* const inside = dynamic_cast<DynamicSimComponent*>(child);
      if (inside != nullptr) places_.push_back(inside->GetStateVariableWithMatchingFullName("x"));
    }
  }
  void PostIntegrate() override {
    sum = 0;
    for (const StateVariable* place : places_) sum = sum + *place;
  }

 private:
  Output sum{this, "sum", "m", "Of all places"};
  std::vector<StateVariable*> places_;
};

void AddModels(Registry& registry) {
  RegisterTestModels(registry);
  registry.Add<Curve, Rack>();
}

std::string SystemWith(std::string_view content) {
  return SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'", content);
}

TEST(InnerElementsTest, AComponentReadsElementsOfItsOwn) {
  SystemHarness test(SystemWith(R"(<test.Curve name="c"><Wave amplitude="2" frequency="30 rpm"/>
      <For name="i" from="1" to="3"><Wave amplitude="{1/i}" frequency="{i} rad/s"/></For></test.Curve>
      <Record signals="c.y"/>)"),
                     AddModels);
  for (const RecordedRow& row : test.RunAndRecord()) {
    const double t = row.t;
    EXPECT_NEAR(row.values[0],
                2 * std::sin(M_PI * t) + std::sin(t) + std::sin(2 * t) / 2 + std::sin(3 * t) / 3, 1e-14);
  }
}

TEST(InnerElementsTest, ItsFaultsHaveTheirPlace) {
  EXPECT_THAT(SystemHarness::FaultsOf(
                  SystemWith("<test.Curve name='c'>\n<Wave amplitude='2'/>\n"
                             "<Wave amplitude='2 m' frequency='3 rad/s'/>\n<Waves/></test.Curve>"),
                  AddModels),
              ElementsAre(HasSubstr("test.xml:4: error: /c: Wave has no attribute 'frequency'; give it one"),
                          HasSubstr("test.xml:5: error: /c: '2 m' is m, but a number without unit is needed"),
                          HasSubstr("test.xml:6: error: /c: no element 'Waves' inside test.Curve")));
}

constexpr const char* kRack = R"(<test.Rack name="rack">
    <test.Oscillator name="left" frequency="3 rad/s"/>
    <test.Oscillator name="right" frequency="5 rad/s"><Start x="2"/></test.Oscillator></test.Rack>
    <test.Oscillator name="alone" frequency="5 rad/s"><Start x="2"/></test.Oscillator>
    <test.Body name="follower"/><Route from="rack.right.x" to="follower.u"/>
    <At time="0.5 s" set="rack.left.x" value="7"/><At time="0.5 s" set="alone.x" value="1"/>
    <At time="0.5 s" set="rack.right.x" value="1"/>
    <Record signals="rack.left.x rack.right.x alone.x rack.sum"/>)";

/// The manager runs them as those outside: the same bits.
TEST(InnerElementsTest, ComponentsInsideAComponentAreSimulated) {
  SystemHarness test(SystemWith(kRack), AddModels);
  const std::vector<RecordedRow> rows = test.RunAndRecord();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n].values[1], rows[n].values[2]) << n;
    if (n > 0) {
      EXPECT_EQ(rows[n].values[3], rows[n].values[0] + rows[n].values[1]) << n;
    }
  }
  EXPECT_NEAR(rows[50].values[0], std::cos(1.5), 1e-7);
  EXPECT_NE(rows[51].values[0], rows[50].values[0]);
  EXPECT_EQ(test.manager().statistics().components, 5U);
}

TEST(InnerElementsTest, OthersAreRefused) {
  EXPECT_THAT(
      SystemHarness::FaultsOf(SystemWith("<test.Rack name='r'><test.Body name='b'/></test.Rack>"), AddModels),
      ElementsAre(HasSubstr("no element 'test.Body' inside test.Rack")));
}

}  // namespace
}  // namespace davit
