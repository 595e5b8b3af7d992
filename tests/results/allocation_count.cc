#include "tests/results/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocation_count = 0;

}  // namespace

std::size_t davit::AllocationCount() { return allocation_count; }

void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
