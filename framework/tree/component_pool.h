#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "framework/registry.h"

namespace davit {

/// Owns components; those of one type lie side by side in blocks, so that evaluating them walks through
/// memory.
class ComponentPool {
 public:
  ComponentPool() = default;
  ~ComponentPool();
  ComponentPool(const ComponentPool&) = delete;
  ComponentPool& operator=(const ComponentPool&) = delete;

  /// Makes a component of the given model.
  Component& Create(const ModelEntry& entry);

 private:
  struct Release {
    std::size_t alignment;
    void operator()(std::byte* block) const { ::operator delete[](block, std::align_val_t(alignment)); }
  };
  using Block = std::unique_ptr<std::byte[], Release>;
  struct TypeBlocks {
    std::vector<Block> blocks;
    std::size_t used = 0;      ///< objects in the last block
    std::size_t capacity = 0;  ///< of the last block
  };

  std::unordered_map<const ModelEntry*, TypeBlocks> types_;
  std::vector<Component*> components_;
};

}  // namespace davit
