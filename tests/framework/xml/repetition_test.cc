// <For>: a repetition is what its elements mean when they are written out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct RepeatedSystem {
  explicit RepeatedSystem(const std::string& content) {
    RegisterSimulator(registry);
    RegisterComponents(registry);
    system = LoadSystemText("<System>" + content + "</System>", "test.xml", registry, {}, diagnostics);
  }
  std::vector<std::string> Faults() const {
    std::vector<std::string> faults;
    for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) faults.push_back(ToText(diagnostic));
    return faults;
  }
  /// Paths and values of everything that can be recorded.
  std::vector<std::string> All() const {
    std::vector<std::string> all = Faults();
    for (const Item& column : system->record_plan().columns) {
      all.push_back(column.path() + " = " + std::to_string(column.Read()));
    }
    for (const Component* component : system->components()) all.push_back(component->path());
    return all;
  }

  Registry registry;
  Diagnostics diagnostics;
  std::unique_ptr<System> system;
};

TEST(RepetitionTest, EqualsTheElementsWrittenOut) {
  const RepeatedSystem repeated(R"(
    <signal.Constant name="c" value="2"/>
    <For name="i" from="1" to="3">
      <signal.LowPass name="f{i}" time_constant="{0.5*i} s"><Start y="{i*i}"/></signal.LowPass>
    </For>
    <Route from="c.y" to="f1.u"/>
    <For name="i" from="2" to="3"><Route from="f{i-1}.y" to="f{i}.u"/></For>)");
  const RepeatedSystem written(R"(
    <signal.Constant name="c" value="2"/>
    <signal.LowPass name="f1" time_constant="0.5 s"><Start y="1"/></signal.LowPass>
    <signal.LowPass name="f2" time_constant="1 s"><Start y="4"/></signal.LowPass>
    <signal.LowPass name="f3" time_constant="1.5 s"><Start y="9"/></signal.LowPass>
    <Route from="c.y" to="f1.u"/><Route from="f1.y" to="f2.u"/><Route from="f2.y" to="f3.u"/>)");
  EXPECT_EQ(repeated.All(), written.All());
  EXPECT_THAT(repeated.Faults(), SizeIs(0));
  EXPECT_EQ(repeated.system->routes().size(), 3U);
}

TEST(RepetitionTest, RepetitionsMayBeInsideEachOtherAndInsideComponents) {
  const RepeatedSystem repeated(R"(
    <For name="i" from="0" to="1"><For name="k" from="i" to="1">
      <user.Equation name="e{i}_{k}">
        <For name="m" from="1" to="2"><State name="x{m}" start="{10*i+k}" der="-{m}*x{m}"/></For>
        <Start x2="{100*m_free}"/>
      </user.Equation></For></For>)");
  // m_free is no name here; it stands at one line, so it is said three times at most.
  EXPECT_THAT(repeated.Faults(), SizeIs(3));
  EXPECT_THAT(repeated.Faults()[0],
              HasSubstr("test.xml:5: error: /e0_0: x2: {100*m_free}: nothing is named 'm_free'"));
  std::vector<std::string> paths;
  for (const Item& column : repeated.system->record_plan().columns) paths.push_back(column.path());
  EXPECT_THAT(paths, ElementsAre("e0_0.x1", "e0_0.x2", "e0_1.x1", "e0_1.x2", "e1_1.x1", "e1_1.x2"));
}

TEST(RepetitionTest, ARepetitionWithoutNumbersIsEmpty) {
  const RepeatedSystem repeated(R"(
    <signal.Constant name="c" value="2"/>
    <For name="i" from="2" to="1"><Route from="nothing{i}.y" to="no.u"/></For>)");
  EXPECT_THAT(repeated.Faults(), SizeIs(0));
  EXPECT_EQ(repeated.system->routes().size(), 0U);
}

TEST(RepetitionTest, BoundsMayBeMadeOfParameters) {
  const RepeatedSystem repeated(R"(
    <Parameter name="cells" value="4"/>
    <For name="i" from="${cells}-1" to="2*${cells}-3"><signal.Constant name="c{i}" value="{i+${cells}}"/></For>)");
  EXPECT_THAT(repeated.Faults(), SizeIs(0));
  EXPECT_NE(repeated.system->Find("c3"), nullptr);
  EXPECT_NE(repeated.system->Find("c5"), nullptr);
  EXPECT_EQ(repeated.system->Find("c6"), nullptr);
}

TEST(RepetitionTest, FaultsOfEachRepetitionAreSaidThreeTimesAtMost) {
  const RepeatedSystem repeated(R"(
    <For name="i" from="1" to="10000"><signal.LowPass name="f{i}" time_constant="{i} m"/></For>)");
  EXPECT_THAT(repeated.Faults(), SizeIs(3));
  EXPECT_THAT(repeated.Faults()[2], HasSubstr("test.xml:2: error: /f3: time_constant: '3 m' is m"));
}

TEST(RepetitionTest, TheNumberOfElementsIsBounded) {
  const RepeatedSystem repeated(R"(
    <For name="i" from="1" to="1e9"><For name="k" from="1" to="1e9"></For></For>)");
  ASSERT_THAT(repeated.Faults(), SizeIs(1));
  EXPECT_THAT(repeated.Faults()[0], HasSubstr("the system has more than 4000000 elements"));
}

}  // namespace
}  // namespace davit
