#include "studio/freed_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace davit {
namespace {

[[maybe_unused]] constexpr int kMostKept = 1 << 20;  // [bytes]

}  // namespace

void LimitKeptMemory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, kMostKept);
  ::mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

void ReturnFreedMemory() {
#ifdef __GLIBC__
  if (::mallinfo2().fordblks > kMostKept) ::malloc_trim(0);
#endif
}

}  // namespace davit
