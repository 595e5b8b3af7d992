#pragma once

#include <cstddef>

namespace davit {

// What this process has at the moment.
std::size_t CountOpenHandles();
std::size_t CountResidentPages();  ///< of memory, 4 KiB each

}  // namespace davit
