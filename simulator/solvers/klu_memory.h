#pragma once

#include <cstddef>
#include <memory>

namespace davit {

/// Memory for the analyses and factors of a sparse matrix, reserved before the first step. KLU takes it in
/// the order of a stack; what does not fit comes from the heap.
class KluMemory {
 public:
  KluMemory() = default;
  KluMemory(const KluMemory&) = delete;
  KluMemory& operator=(const KluMemory&) = delete;

  /// Pre: nothing of it is in use.
  void Reserve(std::size_t bytes);
  bool is_reserved() const { return size_ > 0; }
  std::size_t used() const { return used_; }
  /// Pre: what was taken after `used` was this has been given back.
  void Rewind(std::size_t used) { used_ = used; }

  /// While it lives, KLU takes memory from here in this thread, and gives it back.
  class Use {
   public:
    explicit Use(KluMemory& memory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    KluMemory* outer_;
  };

  // What KLU calls, for the memory that is in use.

  static void* Take(std::size_t bytes);
  static void* Resize(void* block, std::size_t bytes);
  static void GiveBack(void* block);

 private:
  void* Find(std::size_t bytes);
  bool Owns(const void* block) const;

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
};

}  // namespace davit
