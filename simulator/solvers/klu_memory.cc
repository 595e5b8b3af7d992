#include "simulator/solvers/klu_memory.h"

#include <SuiteSparse_config.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace davit {
namespace {

/// Room before each block, for its size; keeps blocks aligned.
constexpr std::size_t kHead = alignof(std::max_align_t);

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): KLU passes nothing to its allocator.
thread_local constinit KluMemory* in_use = nullptr;

/// With the head of the block.
std::size_t RoomFor(std::size_t bytes) { return kHead + (bytes + kHead - 1) / kHead * kHead; }

std::size_t SizeOf(const void* block) {
  std::size_t size = 0;
  std::memcpy(&size, static_cast<const std::byte*>(block) - kHead, sizeof size);
  return size;
}

/// Before any thread can call KLU.
[[maybe_unused]] const bool kIsInstalled = [] {
  SuiteSparse_config.malloc_func = &KluMemory::Take;
  SuiteSparse_config.realloc_func = &KluMemory::Resize;
  SuiteSparse_config.free_func = &KluMemory::GiveBack;
  return true;
}();

}  // namespace

KluMemory::Use::Use(KluMemory& memory) : outer_(in_use) { in_use = &memory; }
KluMemory::Use::~Use() { in_use = outer_; }

void KluMemory::Reserve(std::size_t bytes) {
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  size_ = bytes;
  used_ = 0;
}

void* KluMemory::Find(std::size_t bytes) {
  if (RoomFor(bytes) > size_ - used_) return nullptr;
  std::byte* const block = bytes_.get() + used_ + kHead;
  std::memcpy(block - kHead, &bytes, sizeof bytes);
  used_ += RoomFor(bytes);
  return block;
}

bool KluMemory::Owns(const void* block) const {
  const std::less<const void*> is_before;
  return !is_before(block, bytes_.get()) && is_before(block, bytes_.get() + size_);
}

void* KluMemory::Take(std::size_t bytes) {
  void* const block = in_use == nullptr ? nullptr : in_use->Find(bytes);
  return block != nullptr ? block : std::malloc(bytes);
}

void* KluMemory::Resize(void* block, std::size_t bytes) {
  if (in_use == nullptr || !in_use->Owns(block)) return std::realloc(block, bytes);
  const std::size_t size = SizeOf(block);
  const std::size_t begin = in_use->used_ - std::min(in_use->used_, RoomFor(size));
  if (in_use->bytes_.get() + begin + kHead == block) {  // the last one
    in_use->used_ = begin;
    if (in_use->Find(bytes) != nullptr) return block;
    in_use->used_ = begin + RoomFor(size);
  }
  if (bytes <= size) return block;
  void* const larger = Take(bytes);
  if (larger != nullptr) std::memcpy(larger, block, size);
  return larger;
}

void KluMemory::GiveBack(void* block) {
  if (in_use == nullptr || !in_use->Owns(block)) std::free(block);
}

}  // namespace davit
