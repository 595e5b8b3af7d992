#include "studio/free_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstddef>

namespace davit {

void ReturnFreeMemory() {
#ifdef __GLIBC__
  constexpr std::size_t kMuch = 64U << 20;  // [bytes]
  if (mallinfo2().fordblks > kMuch) malloc_trim(0);
#endif
}

}  // namespace davit
