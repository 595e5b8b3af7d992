#include "tests/fmi/process_footprint.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace davit {

std::size_t CountOpenHandles() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

std::size_t CountResidentPages() {
  std::ifstream stream("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  stream >> size >> resident;
  return resident;
}

}  // namespace davit
