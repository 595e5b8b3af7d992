#include "framework/option_condition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "components/register.h"
#include "framework/aspect.h"
#include "framework/parameter.h"
#include "framework/xml/system_loader.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Choosy final : public Component {
 public:
  enum class Law : std::uint8_t { kTube, kGap, kHole };
  static constexpr std::array<std::string_view, 3> kLawNames{"Tube", "Gap", "Hole"};
  static constexpr ModelInfo kInfo{
      .name = "test.Choosy", .text = "", .levels = {Level::kIdeal, Level::kAdvanced}};

  Property<Law> law{this, "law", "", Law::kTube, kLawNames};
  Property<Law> other{this, "other", "", kLawNames,
                      Choice{.value = Law::kHole, .tunability = Tunability::kLive}};
  Aspect<Law> aspect{this, "aspect", "", kLawNames, Presets{.ideal = Law::kTube, .advanced = Law::kGap}};
  Parameter a{this, "a", "", "", Number{.value = 1, .when = law.Is(Law::kGap)}};
  Parameter b{this, "b", "", "", Number{.value = 2, .when = law.Is(Law::kGap) || aspect.Is(Law::kGap)}};
};

TEST(OptionConditionTest, HoldsWhileOneOfItsChoicesIsSo) {
  Choosy component;
  EXPECT_TRUE(OptionCondition().holds());
  EXPECT_TRUE(OptionCondition().is_always());
  const OptionCondition gap = component.law.Is(Choosy::Law::kGap);
  const OptionCondition either = gap || component.other.Is(Choosy::Law::kTube);
  EXPECT_FALSE(gap.holds());
  EXPECT_FALSE(either.holds());
  component.other.SetFromNumber(0);
  EXPECT_TRUE(either.holds());
  component.law.SetFromNumber(1);
  EXPECT_TRUE(gap.holds());
  EXPECT_TRUE((gap || OptionCondition()).is_always());
}

TEST(OptionConditionTest, IsRuledOutByStructureOnly) {
  Choosy component;
  EXPECT_TRUE(component.law.Is(Choosy::Law::kGap).is_ruled_out());
  EXPECT_FALSE(component.law.Is(Choosy::Law::kTube).is_ruled_out());
  EXPECT_FALSE(component.other.Is(Choosy::Law::kTube).is_ruled_out());
  EXPECT_FALSE((component.law.Is(Choosy::Law::kGap) || component.other.Is(Choosy::Law::kGap)).is_ruled_out());
}

TEST(OptionConditionTest, SaysWhatItIs) {
  Choosy component;
  const OptionCondition condition =
      component.law.Is(Choosy::Law::kTube, Choosy::Law::kGap) || component.other.Is(Choosy::Law::kHole);
  EXPECT_EQ(condition.ToText(), "law = Tube or Gap, or other = Hole");
  EXPECT_EQ(condition.PresentText(), "law is Tube, other is Hole");
  EXPECT_EQ(OptionCondition().ToText(), "");
  const OptionCondition three = condition || component.aspect.Is(Choosy::Law::kGap);
  EXPECT_THROW(static_cast<void>(three || condition), std::length_error);
}

std::vector<std::string> WarningsOf(const std::string& content) {
  Registry registry = AllModels();
  registry.Add<Choosy>();
  Diagnostics diagnostics;
  LoadSystemText("<System>" + content + "</System>", "s.xml", registry, {}, diagnostics);
  std::vector<std::string> texts;
  for (const Diagnostic& diagnostic : diagnostics.all()) texts.push_back(ToText(diagnostic));
  return texts;
}

TEST(OptionConditionTest, ASettingInVainIsWarnedOf) {
  EXPECT_THAT(WarningsOf("<test.Choosy name='x' a='3'/>"),
              ElementsAre("s.xml:1: warning: /x: a has no effect: it is used only with law = Gap, but law is "
                          "Tube; leave it out, or choose that option"));
  EXPECT_THAT(WarningsOf("<test.Choosy name='x' a='3' law='Gap'/>"), IsEmpty());
  EXPECT_THAT(WarningsOf("<test.Choosy name='x'/>"), IsEmpty());
}

TEST(OptionConditionTest, NoWarningWhereAnotherLevelMayUseIt) {
  EXPECT_THAT(WarningsOf("<test.Choosy name='x' b='3'/>"), IsEmpty());
  EXPECT_THAT(WarningsOf("<test.Choosy name='x' level='Advanced' b='3'/>"), IsEmpty());
}

TEST(OptionConditionTest, AFormerNameIsTakenWithAWarning) {
  EXPECT_THAT(WarningsOf("<mechanical.Spring name='spring' rate='5 N/m'/>"
                         "<mechanical.Fixed name='w'/><mechanical.Mass name='m'/>"
                         "<Connect from='spring.a' to='w.port'/><Connect from='spring.b' to='m.a'/>"),
              ElementsAre("s.xml:1: warning: /spring: 'rate' has a new name; write stiffness"));
}

}  // namespace
}  // namespace davit
