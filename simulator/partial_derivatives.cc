#include "simulator/partial_derivatives.h"

#include <algorithm>

namespace davit {

void PartialDerivatives::Forget() {
  wanted_.clear();
  calls_.clear();
  next_ = 0;
}

void PartialDerivatives::Want(const Variable& written, const Variable& read, double* to) {
  wanted_.push_back({written, read, to});
  calls_.reserve(4 * wanted_.size() + 16);
}

double* PartialDerivatives::Find(const Variable& written, const Variable& read) {
  const auto at = std::ranges::find_if(
      wanted_, [&](const Pair& pair) { return pair.written == written && pair.read == read; });
  double* const to = at == wanted_.end() ? &ignored_ : at->to;
  if (next_ == calls_.size() && next_ < calls_.capacity()) calls_.push_back({written, read, to});
  if (next_ < calls_.size()) calls_[next_++] = {written, read, to};
  return to;
}

}  // namespace davit
