#include "app/heap/allocation_counter.h"

#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DAVIT_HEAP_IS_WATCHED 1
#else
#define DAVIT_HEAP_IS_WATCHED 0
#endif

namespace davit {
namespace {

struct Totals {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};
// Of the thread; in the program itself, so that reading it allocates nothing.
thread_local constinit Totals totals;

}  // namespace

bool AllocationCounter::is_counting() { return !DAVIT_HEAP_IS_WATCHED; }
std::uint64_t AllocationCounter::Total() { return totals.count; }
std::uint64_t AllocationCounter::TotalBytes() { return totals.bytes; }

}  // namespace davit

#if !DAVIT_HEAP_IS_WATCHED

// glibc lets a program bring its own malloc in front of its own; operator new and Eigen end up here too.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* place, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

static void Count(std::size_t size) {
  ++davit::totals.count;
  davit::totals.bytes += size;
}

void* malloc(std::size_t size) {
  Count(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  Count(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* place, std::size_t size) {
  Count(size);
  return __libc_realloc(place, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  Count(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  Count(size);
  *place = __libc_memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}
}

#endif
