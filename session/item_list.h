#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/tree_item.h"

namespace davit {

/// Items of one simulation that are read and written together: found by their paths once, then handed to
/// Simulation::Read and Write as often as wanted.
///
/// Made by Simulation::Items; it may be used with that simulation only, as long as the simulation lives. A
/// copy is cheap and means the same items. Paths, units and size may be read in any thread.
class ItemList {
 public:
  /// An empty list.
  ItemList() = default;
  /// Of the simulation that `owner` identifies.
  ItemList(const void* owner, std::vector<TreeItem> items)
      : owner_(owner), items_(std::make_shared<std::vector<TreeItem>>(std::move(items))) {}

  std::size_t size() const { return items_ == nullptr ? 0 : items_->size(); }
  /// From below the root, as in results.
  const std::string& path(std::size_t i) const { return (*items_)[i].path(); }
  /// SI; empty where it is dimensionless.
  std::string unit(std::size_t i) const { return (*items_)[i].unit(); }
  /// Whether it can be written during a run: live parameters and properties, inputs without a route, states,
  /// levels and aspects.
  bool is_writable(std::size_t i) const { return (*items_)[i].is_writable(); }

  /// For the simulation that made it.
  const void* owner() const { return owner_; }
  TreeItem& at(std::size_t i) const { return (*items_)[i]; }

 private:
  const void* owner_ = nullptr;
  std::shared_ptr<std::vector<TreeItem>> items_;
};

}  // namespace davit
