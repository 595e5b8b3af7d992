#include "framework/tree/component_pool.h"

#include <algorithm>
#include <new>

namespace davit {
namespace {
constexpr std::size_t kFirstBlock = 8;
constexpr std::size_t kLargestBlock = 4096;
}  // namespace

ComponentPool::~ComponentPool() {
  for (auto it = components_.rbegin(); it != components_.rend(); ++it) (*it)->~Component();
}

Component& ComponentPool::Create(const ModelEntry& entry) {
  TypeBlocks& type = types_[&entry];
  if (type.used == type.capacity) {
    const std::size_t capacity =
        type.capacity == 0 ? kFirstBlock : std::min(2 * type.capacity, kLargestBlock);
    const std::align_val_t alignment{entry.alignment};
    type.blocks.push_back(Block(static_cast<std::byte*>(::operator new[](capacity* entry.size, alignment)),
                                Release{entry.alignment}));
    type.capacity = capacity;
    type.used = 0;
  }
  if (components_.size() == components_.capacity()) components_.reserve(2 * components_.size() + 8);
  Component* component = entry.construct(type.blocks.back().get() + type.used * entry.size);
  ++type.used;
  components_.push_back(component);
  component->set_entry(entry);
  return *component;
}

}  // namespace davit
