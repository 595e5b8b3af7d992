#include "drawing/column_layout.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace davit {
namespace {

constexpr double kBetweenColumns = 4 * kGrid;
constexpr double kAspectOfSheet = 1.6;  // of the whole drawing
constexpr int kSweeps = 4;

class ColumnLayout {
 public:
  ColumnLayout(std::span<const DiagramBox> boxes, std::span<const std::pair<std::size_t, std::size_t>> edges)
      : boxes_(boxes), after_(boxes.size()), before_(boxes.size()), column_of_(boxes.size()) {
    for (const auto& [from, to] : edges) {
      if (from == to) continue;
      after_[from].push_back(to);
      before_[to].push_back(from);
    }
  }

  std::vector<DiagramPoint> Place() {
    FindColumns();
    for (int sweep = 0; sweep < kSweeps; ++sweep) Sort(sweep % 2 == 0);
    return Stack();
  }

 private:
  /// The longest way from a box that nothing leads to. Where only circles are left, the first box begins.
  void FindColumns() {
    std::vector<std::size_t> open(boxes_.size());
    std::vector<bool> is_done(boxes_.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) open[i] = before_[i].size();
    std::deque<std::size_t> ready;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (open[i] == 0) ready.push_back(i);
    }
    std::size_t first = 0;
    for (std::size_t done = 0; done < boxes_.size(); ++done) {
      if (ready.empty()) {
        while (is_done[first]) ++first;
        ready.push_back(first);
      }
      const std::size_t i = ready.front();
      ready.pop_front();
      if (is_done[i]) {
        --done;
        continue;
      }
      is_done[i] = true;
      for (const std::size_t next : after_[i]) {
        if (is_done[next]) continue;
        column_of_[next] = std::max(column_of_[next], column_of_[i] + 1);
        if (--open[next] == 0) ready.push_back(next);
      }
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      columns_.resize(std::max(columns_.size(), column_of_[i] + 1));
      columns_[column_of_[i]].push_back(i);
    }
    rank_.resize(boxes_.size());
    for (const std::vector<std::size_t>& column : columns_) Rank(column);
  }

  /// Where each box is in its column: 0 at the top, 1 at the bottom.
  void Rank(const std::vector<std::size_t>& column) {
    for (std::size_t k = 0; k < column.size(); ++k)
      rank_[column[k]] = (static_cast<double>(k) + 0.5) / static_cast<double>(column.size());
  }

  /// Orders each column by the mean place of what its boxes are joined with.
  void Sort(bool is_forward) {
    std::vector<double> wanted(boxes_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::vector<std::size_t>& column = columns_[is_forward ? c : columns_.size() - 1 - c];
      for (const std::size_t i : column) {
        double sum = 0, count = 0;
        for (const auto* side : {&before_[i], &after_[i]}) {
          for (const std::size_t other : *side) {
            sum += rank_[other];
            ++count;
          }
        }
        wanted[i] = count > 0 ? sum / count : rank_[i];
      }
      std::ranges::stable_sort(column, {}, [&](std::size_t i) { return wanted[i]; });
      Rank(column);
    }
  }

  std::vector<DiagramPoint> Stack() const {
    std::vector<double> width(columns_.size()), height(columns_.size());
    double area = 0, widest = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (const std::size_t i : columns_[c]) {
        width[c] = std::max(width[c], boxes_[i].width() + kBetweenColumns);
        height[c] += boxes_[i].height();
      }
      area += width[c] * height[c];
      widest = std::max(widest, width[c]);
    }
    const double row = std::max(widest, std::sqrt(kAspectOfSheet * area));
    std::vector<DiagramPoint> middles(boxes_.size());
    double top = 0;
    for (std::size_t begin = 0; begin < columns_.size();) {
      std::size_t end = begin;
      double x = 0, tallest = 0;
      for (; end < columns_.size() && (end == begin || x + width[end] <= row); ++end) {
        x += width[end];
        tallest = std::max(tallest, height[end]);
      }
      x = 0;
      for (std::size_t c = begin; c < end; ++c) {
        double y = top + (tallest - height[c]) / 2;
        for (const std::size_t i : columns_[c]) {
          middles[i] = {x + width[c] / 2, y + boxes_[i].height() / 2};
          y += boxes_[i].height();
        }
        x += width[c];
      }
      top += tallest + kBetweenColumns;
      begin = end;
    }
    return middles;
  }

  std::span<const DiagramBox> boxes_;
  std::vector<std::vector<std::size_t>> after_, before_;
  std::vector<std::size_t> column_of_;
  std::vector<std::vector<std::size_t>> columns_;
  std::vector<double> rank_;  ///< by box
};

}  // namespace

std::vector<DiagramPoint> PlaceInColumns(std::span<const DiagramBox> boxes,
                                         std::span<const std::pair<std::size_t, std::size_t>> edges) {
  return ColumnLayout(boxes, edges).Place();
}

}  // namespace davit
