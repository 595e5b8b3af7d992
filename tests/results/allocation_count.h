#pragma once

#include <cstddef>

namespace davit {

/// How often the calling thread has called operator new since the program started.
std::size_t AllocationCount();

}  // namespace davit
