#include "drawing/column_layout.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace davit {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

std::vector<DiagramBox> RandomBoxes(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<double> size(20, 200);
  std::vector<DiagramBox> boxes(count);
  for (DiagramBox& box : boxes) box = {0, 0, size(random), size(random)};
  return boxes;
}

void ExpectNoOverlap(const std::vector<DiagramBox>& boxes, const std::vector<DiagramPoint>& middles) {
  constexpr double kRounding = 1e-6;  // sums of some hundred sizes
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double x = std::abs(middles[i].x - middles[j].x), y = std::abs(middles[i].y - middles[j].y);
      EXPECT_TRUE(x > (boxes[i].width() + boxes[j].width()) / 2 - kRounding ||
                  y > (boxes[i].height() + boxes[j].height()) / 2 - kRounding)
          << i << ' ' << j;
    }
  }
}

TEST(ColumnLayout, BoxesOfAnyGraphDoNotOverlap) {
  std::mt19937 random(1);
  for (const std::size_t count : {1U, 2U, 30U, 300U}) {
    const std::vector<DiagramBox> boxes = RandomBoxes(count, random);
    Edges edges;  // with circles, and some that lead to where they begin
    for (std::size_t i = 0; i < 2 * count; ++i) edges.emplace_back(random() % count, random() % count);
    const std::vector<DiagramPoint> middles = PlaceInColumns(boxes, edges);
    ASSERT_EQ(middles.size(), count);
    ExpectNoOverlap(boxes, middles);
  }
}

TEST(ColumnLayout, EdgesOfATreeLeadToTheRight) {
  std::mt19937 random(2);
  const std::vector<DiagramBox> boxes = RandomBoxes(200, random);
  Edges edges;
  for (std::size_t i = 1; i < boxes.size(); ++i) edges.emplace_back((i - 1) / 6, i);  // four columns: one row
  const std::vector<DiagramPoint> middles = PlaceInColumns(boxes, edges);
  for (const auto& [from, to] : edges) EXPECT_LT(middles[from].x, middles[to].x);
}

TEST(ColumnLayout, AChainGoesOnBelow) {
  const std::vector<DiagramBox> boxes(400, {0, 0, 60, 60});
  Edges edges;
  for (std::size_t i = 1; i < boxes.size(); ++i) edges.emplace_back(i - 1, i);
  const std::vector<DiagramPoint> middles = PlaceInColumns(boxes, edges);
  ExpectNoOverlap(boxes, middles);
  double right = 0, bottom = 0;
  for (const DiagramPoint& middle : middles) {
    right = std::max(right, middle.x);
    bottom = std::max(bottom, middle.y);
  }
  EXPECT_LT(right, 4 * bottom);  // a sheet, no ribbon
}

}  // namespace
}  // namespace davit
