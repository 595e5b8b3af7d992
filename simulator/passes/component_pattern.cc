#include "simulator/passes/component_pattern.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "framework/component.h"

namespace davit {
namespace {

/// Element numbers from `begin` to before `end`.
struct ElementRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

ElementRange RangeOf(Elements elements, std::int64_t count) {
  switch (elements) {
    case Elements::kFirst: return {0, std::min<std::int64_t>(1, count)};
    case Elements::kLast: return {std::max<std::int64_t>(0, count - 1), count};
    case Elements::kAll: break;
  }
  return {0, count};
}

bool IsAmong(Elements elements, std::int64_t i, std::int64_t count) {
  const ElementRange range = RangeOf(elements, count);
  return i >= range.begin && i < range.end;
}

/// Appends the elements from i+from to i+to of `count`, which stand from `first` on.
void AddAround(const Reach& read, std::int64_t i, std::int64_t count, std::uint32_t first,
               std::vector<std::uint32_t>& to) {
  ElementRange range{i + read.from, i + read.to + 1};
  if (!read.wraps) range = {std::max<std::int64_t>(range.begin, 0), std::min(range.end, count)};
  if (range.end - range.begin > count) range = {0, count};
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    to.push_back(first + static_cast<std::uint32_t>(((k % count) + count) % count));
  }
}

/// The states that a declaration lists for one element of its reader.
std::span<const std::uint32_t> ListedStates(const ReachDeclaration& reach, std::size_t element) {
  return std::span(reach.states)
      .subspan(reach.begin[element], reach.begin[element + 1] - reach.begin[element]);
}

void MakeSet(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ComponentPattern::ComponentPattern(const Component& component) : component_(component) {
  const Declarations& all = component.declarations();
  std::unordered_map<const void*, std::size_t> states;  // by id: the place of the declaration
  std::uint32_t size = 0;
  for (const StateDeclaration& state : all.states) {
    states.emplace(state.id, first_.size());
    first_.push_back(size);
    if (state.is_active) size += state.count;
  }
  reaches_.resize(all.states.size());
  for (const ReachDeclaration& reach : all.reaches) {
    reach_of_.emplace(reach.reader, &reach);
    if (const auto state = states.find(reach.reader); state != states.end()) {
      reaches_[state->second] = &reach;
    }
  }
  first_.push_back(size);
  rows_.resize(size);
  columns_.resize(size);
  std::iota(columns_.begin(), columns_.end(), 0U);

  std::vector<std::pair<const Reach*, std::size_t>> reads;  // with the place of the declaration that is read
  std::vector<std::uint32_t> row;
  for (std::size_t d = 0; d < all.states.size(); ++d) {
    const ReachDeclaration* reach = reaches_[d];
    if (reach == nullptr) {
      std::fill(rows_.begin() + first_[d], rows_.begin() + first_[d + 1], Row{0, size});
      continue;
    }
    reads.clear();
    for (const Reach& read : reach->reads) {
      if (const auto of = states.find(read.of.id()); of != states.end())
        reads.emplace_back(&read, of->second);
    }
    const std::int64_t count = first_[d + 1] - first_[d];
    for (std::int64_t i = 0; i < count; ++i) {
      const auto place = first_[d] + static_cast<std::uint32_t>(i);
      row.assign(1, place);
      if (!reach->begin.empty()) {
        const auto listed = ListedStates(*reach, static_cast<std::size_t>(i));
        row.insert(row.end(), listed.begin(), listed.end());
      }
      for (const auto& [read, of] : reads) {
        const std::int64_t of_count = first_[of + 1] - first_[of];
        if (of_count == 0 || !IsAmong(read->by, i, count)) continue;
        if (all.states[d].is_array && all.states[of].is_array && !read->of.elements()) {
          AddAround(*read, i, of_count, first_[of], row);
          continue;
        }
        const ElementRange range = RangeOf(read->of.elements().value_or(Elements::kAll), of_count);
        for (std::int64_t k = range.begin; k < range.end; ++k) {
          row.push_back(first_[of] + static_cast<std::uint32_t>(k));
        }
      }
      MakeSet(row);
      if (row.size() == size) {
        rows_[place] = {0, size};
        continue;
      }
      rows_[place] = {columns_.size(), row.size()};
      columns_.insert(columns_.end(), row.begin(), row.end());
    }
  }
}

const ReachDeclaration* ComponentPattern::FindReach(const void* reader) const {
  const auto reach = reach_of_.find(reader);
  return reach == reach_of_.end() ? nullptr : reach->second;
}

std::size_t ComponentPattern::nonzeros() const {
  std::size_t sum = 0;
  for (const Row& row : rows_) sum += row.count;
  return sum;
}

std::vector<std::uint32_t> ComponentPattern::StatesReading(const void* item) const {
  std::vector<std::uint32_t> states;
  for (std::size_t d = 0; d < reaches_.size(); ++d) {
    const std::int64_t count = first_[d + 1] - first_[d];
    const auto add = [&](Elements by) {
      const ElementRange range = RangeOf(by, count);
      for (std::int64_t i = range.begin; i < range.end; ++i) {
        states.push_back(first_[d] + static_cast<std::uint32_t>(i));
      }
    };
    const ReachDeclaration* reach = reaches_[d];
    if (reach == nullptr) {
      add(Elements::kAll);
      continue;
    }
    for (const Reach& read : reach->reads) {
      if (read.of.id() == item) add(read.by);
    }
  }
  MakeSet(states);
  return states;
}

std::vector<std::uint32_t> ComponentPattern::StatesReadAt(const void* written) const {
  const Declarations& all = component_.declarations();
  const ReachDeclaration* reach = FindReach(written);
  std::vector<std::uint32_t> states;
  if (reach == nullptr) {
    states.resize(size());
    std::iota(states.begin(), states.end(), 0U);
    return states;
  }
  if (!reach->begin.empty()) return reach->states;
  for (const Reach& read : reach->reads) {
    const auto state = std::ranges::find(all.states, read.of.id(), &StateDeclaration::id);
    if (state == all.states.end()) continue;
    const std::size_t d = static_cast<std::size_t>(state - all.states.begin());
    const ElementRange range =
        RangeOf(read.of.elements().value_or(Elements::kAll), first_[d + 1] - first_[d]);
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      states.push_back(first_[d] + static_cast<std::uint32_t>(i));
    }
  }
  MakeSet(states);
  return states;
}

bool ComponentPattern::Reads(const void* written, const void* item) const {
  const ReachDeclaration* reach = FindReach(written);
  return reach == nullptr ||
         std::ranges::any_of(reach->reads, [&](const Reach& read) { return read.of.id() == item; });
}

}  // namespace davit
