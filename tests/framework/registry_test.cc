#include "framework/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "framework/tree/component_pool.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

class Plain final : public Component {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Plain", .text = "Nothing"};
};

class Flows final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Flows", .text = "Evaluates flows"};
  void EvaluateDiffEquations(double t) override { seen = t; }
  double seen = 0;
};

class Everything final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Everything", .text = "Overrides every hook"};
  void EvaluateEfforts(double /*t*/) override {}
  void EvaluateDiffEquations(double /*t*/) override {}
  void EvaluateAlgebraicEquations(double /*t*/) override {}
  void PreIntegrate() override {}
  void PostIntegrate() override {}
  void Process() override {}
  double NextBreakTime(double /*t*/) const override { return 1; }
};

TEST(RegistryTest, FindsWhatWasAddedAndNothingElse) {
  Registry registry;
  registry.Add<Plain, Flows>();
  ASSERT_NE(registry.Find("test.Plain"), nullptr);
  EXPECT_EQ(registry.Find("test.Plain")->info, &Plain::kInfo);
  EXPECT_EQ(registry.Find("test.plain"), nullptr);
  EXPECT_EQ(registry.Find(""), nullptr);
}

TEST(RegistryTest, NamesAndEntriesAreSorted) {
  Registry registry;
  registry.Add<Plain, Flows, Everything>();
  EXPECT_EQ(registry.names(), (std::vector<std::string>{"test.Everything", "test.Flows", "test.Plain"}));
  EXPECT_EQ(registry.entries().front()->info, &Everything::kInfo);
}

TEST(RegistryTest, ANameTwiceIsALogicError) {
  Registry registry;
  registry.Add<Plain>();
  EXPECT_THROW(registry.Add<Plain>(), std::logic_error);
}

TEST(RegistryTest, TwoRegistriesDoNotKnowOfEachOther) {
  Registry one;
  const Registry other;
  one.Add<Plain>();
  EXPECT_EQ(other.Find("test.Plain"), nullptr);
}

TEST(RegistryTest, HooksThatAModelDoesNotOverrideAreNotCalled) {
  Registry registry;
  registry.Add<Plain, Flows, Everything>();
  const ModelEntry& plain = *registry.Find("test.Plain");
  EXPECT_EQ(plain.evaluate_flows, nullptr);
  EXPECT_FALSE(plain.has_process);
  const ModelEntry& flows = *registry.Find("test.Flows");
  EXPECT_EQ(flows.evaluate_efforts, nullptr);
  EXPECT_NE(flows.evaluate_flows, nullptr);
  EXPECT_FALSE(flows.has_pre_integrate || flows.has_post_integrate || flows.has_process ||
               flows.has_break_times || flows.evaluate_algebraic);
  const ModelEntry& all = *registry.Find("test.Everything");
  EXPECT_NE(all.evaluate_efforts, nullptr);
  EXPECT_TRUE(all.has_pre_integrate && all.has_post_integrate && all.has_process && all.has_break_times &&
              all.evaluate_algebraic);
}

TEST(RegistryTest, ABatchEvaluatesEachComponentOnce) {
  Registry registry;
  registry.Add<Flows>();
  ComponentPool pool;
  const ModelEntry& entry = *registry.Find("test.Flows");
  std::vector<Component*> components;
  for (int i = 0; i < 20; ++i) components.push_back(&pool.Create(entry));
  entry.evaluate_flows(components.data(), 19, 2.5);
  for (int i = 0; i < 19; ++i) EXPECT_EQ(static_cast<Flows*>(components[i])->seen, 2.5);
  EXPECT_EQ(static_cast<Flows*>(components[19])->seen, 0);
}

TEST(RegistryTest, PoolKeepsAddressesAndModels) {
  Registry registry;
  registry.Add<Plain, Flows>();
  ComponentPool pool;
  std::vector<Component*> made;
  for (int i = 0; i < 3000; ++i) {
    const ModelEntry& entry = *registry.Find(i % 3 == 0 ? "test.Plain" : "test.Flows");
    made.push_back(&pool.Create(entry));
  }
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(made[i]->model().name, i % 3 == 0 ? "test.Plain" : "test.Flows");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made[i]) % alignof(Flows), 0U);
  }
  std::sort(made.begin(), made.end());
  EXPECT_EQ(std::unique(made.begin(), made.end()), made.end());
}

}  // namespace
}  // namespace davit
