// The outputs of sources have the unit of the values given.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Source(const std::string& content) {
  return SystemText("TimeStep='10 ms' StopTime='1 s'", "method='rosenbrock4'", content);
}

std::string UnitOf(const std::string& source, const std::string& output = "s.y") {
  return TestSystem(Source(source)).Find(output).unit();
}

TEST(UnitOfValuesTest, IsThatOfAnyValueWithAUnit) {
  EXPECT_EQ(UnitOf("<signal.Sine name='s' amplitude='15 cm'/>"), "m");
  EXPECT_EQ(UnitOf("<signal.Sine name='s' offset='3 bar' amplitude='2'/>"), "Pa");
  EXPECT_EQ(UnitOf("<signal.Step name='s' after='20 l/min'/>"), "m3/s");
  EXPECT_EQ(UnitOf("<signal.Ramp name='s' to='1776 rpm'/>"), "rad/s");
  EXPECT_EQ(UnitOf("<signal.Constant name='s' value='24 V'/>"), "V");
  EXPECT_EQ(UnitOf("<signal.Pulse name='s' high='4 mA' low='0 A'/>"), "A");
  EXPECT_EQ(UnitOf("<signal.Table name='s' times='0 1000 ms' values='0 10 mm'/>"), "m");
  const std::string sea = "<signal.Jonswap name='s' response='2 deg/m'/>";
  EXPECT_EQ(UnitOf(sea), "rad");
  EXPECT_EQ(UnitOf(sea, "s.rate"), "rad/s");
  EXPECT_EQ(UnitOf(sea, "s.acceleration"), "rad/s2");
}

TEST(UnitOfValuesTest, BareNumbersStayNumbers) {
  for (const char* source :
       {"<signal.Sine name='s' amplitude='0.15'/>", "<signal.Step name='s' start_time='1 s'/>",
        "<signal.Table name='s' times='0 1 s' values='0 1'/>", "<signal.Jonswap name='s' response='0.5'/>"})
    EXPECT_EQ(UnitOf(source), kAnyUnit) << source;
}

TEST(UnitOfValuesTest, TheTableIsInSi) {
  TestSystem system(Source("<signal.Table name='s' times='0 500 ms' values='0 10 mm'/>"));
  system.RunTo(0.25);
  EXPECT_NEAR(system.Read("s.y"), 0.005, 1e-17);
}

TEST(UnitOfValuesTest, TwoDimensionsAreRefused) {
  EXPECT_THAT(
      FaultsOf(Source("<signal.Step name='s' before='1 m' after='3 s'/>")),
      ElementsAre(HasSubstr("/s: after: '3 s' is s, but before = '1 m' is m; write all values of one source "
                            "in units of one dimension")));
  EXPECT_THAT(FaultsOf(Source("<signal.Table name='s' times='0 1 m' values='0 1'/>")),
              ElementsAre(HasSubstr("times: '0 1 m' is m, but s is needed")));
}

TEST(UnitOfValuesTest, RoutesAndWritesAreChecked) {
  EXPECT_THAT(FaultsOf(Source("<mechanical.MassSpringDamper name='m'/><signal.Sine name='s' amplitude='3 m'/>"
                              "<Route from='s.y' to='m.force'/>")),
              ElementsAre(HasSubstr("cannot route s.y [m] to m.force [N]: different dimensions")));
  EXPECT_THAT(FaultsOf(Source("<signal.Sine name='s' amplitude='3 m'/><At time='1 s' set='s.amplitude' "
                              "value='2 bar'/>")),
              ElementsAre(HasSubstr("'2 bar' is Pa, but m is needed")));
  EXPECT_THAT(FaultsOf(Source("<signal.Sine name='s' amplitude='3 m'><Operators signal='y'>"
                              "<operator.Offset offset='1 bar'/></Operators></signal.Sine>")),
              ElementsAre(HasSubstr("'1 bar' is Pa, but m is needed")));
  EXPECT_THAT(FaultsOf(Source("<signal.Sine name='s' amplitude='3 m'/>")), IsEmpty());
}

}  // namespace
}  // namespace davit
