#include "fmi/import/fmu_value_list.h"

namespace davit {

std::size_t FmuValueList::Add(FmuBaseType type, std::uint32_t reference, std::size_t count) {
  if (runs_.empty() || runs_.back().type != type) runs_.push_back({type, {}, {}, size_, 0});
  Run& run = runs_.back();
  run.references.push_back(reference);
  run.counts.push_back(count);
  run.count += count;
  const std::size_t begin = size_;
  size_ += count;
  return begin;
}

}  // namespace davit
