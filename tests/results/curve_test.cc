#include "results/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace davit {
namespace {

TEST(CurveTest, EachSignalIsFollowedByItselfInTheNextResults) {
  const ResultTable a{.names = {"p", "x"}, .units = {"Pa", ""}, .time = {0}, .columns = {{1}, {2}}};
  const ResultTable b{
      .names = {"y", "x", "p"}, .units = {"", "m", ""}, .time = {0, 1}, .columns = {{3, 3}, {4, 4}, {5, 5}}};
  const std::array<NamedResult, 2> results{NamedResult{&a, "first"}, NamedResult{&b, "second"}};
  const std::vector<Curve> curves = MakeCurves(results);
  std::vector<std::string> labels;
  std::vector<std::string> units;
  for (const Curve& curve : curves) {
    labels.push_back(curve.label);
    units.emplace_back(curve.unit);
    EXPECT_EQ(curve.time->size(), curve.values->size());
  }
  EXPECT_THAT(labels, testing::ElementsAre("first: p", "second: p", "first: x", "second: x", "second: y"));
  EXPECT_THAT(units, testing::ElementsAre("Pa", "Pa", "m", "m", ""));
  EXPECT_EQ(curves[0].signal, curves[1].signal);
  EXPECT_NE(curves[1].signal, curves[2].signal);
  EXPECT_EQ(curves[1].result, 1U);
  EXPECT_EQ(curves[1].values, &b.columns[2]);
}

TEST(CurveTest, IsDrawnOverASignalOfItsOwnResult) {
  const ResultTable a{.names = {"p", "x"}, .units = {"Pa", "m"}, .time = {0}, .columns = {{1e5}, {2}}};
  const ResultTable b{
      .names = {"x", "p"}, .units = {"m", "Pa"}, .time = {0, 1}, .columns = {{4, 4}, {5e5, 6e5}}};
  const std::array<NamedResult, 2> results{NamedResult{&a, "first"}, NamedResult{&b, "second"}};
  std::vector<Curve> curves = MakeCurves(results);
  EXPECT_EQ(curves[0].x, &a.time);
  const XAxis axis = DrawOver("p", curves);
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].x, &a.columns[0]);
  EXPECT_EQ(curves[1].x, &b.columns[1]);
  EXPECT_EQ(axis.label, "p [bar]");
  EXPECT_EQ(axis.factor, 1e-5);
}

TEST(CurveTest, OneResultNeedsNoName) {
  const ResultTable a{.names = {"p"}, .units = {"Pa"}, .time = {0}, .columns = {{1}}};
  const NamedResult result{&a, "only"};
  EXPECT_EQ(MakeCurves({&result, 1})[0].label, "p");
}

}  // namespace
}  // namespace davit
