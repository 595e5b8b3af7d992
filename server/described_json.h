#pragma once

#include <nlohmann/json.hpp>

#include "session/described_field.h"

namespace davit {

/// Infinite numbers are left out: JSON has none.
nlohmann::json ToJson(const DescribedObject& object);
nlohmann::json ToJson(const DescribedList& list);

template <class T>
nlohmann::json ToJson(DescribedFields<T> fields, const T& one) {
  return ToJson(Describe<T>(fields, one));
}

}  // namespace davit
