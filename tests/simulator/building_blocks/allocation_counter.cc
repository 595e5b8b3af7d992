#include "tests/simulator/building_blocks/allocation_counter.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

// Replaces the operators of the whole program; the array forms of the standard library call these.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace davit {

AllocationCounter::AllocationCounter() : start_(allocations) {}

std::size_t AllocationCounter::count() const { return allocations - start_; }

}  // namespace davit
