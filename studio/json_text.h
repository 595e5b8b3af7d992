#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace davit {

using Json = nlohmann::json;

/// The text of a JSON value; bytes that are no UTF-8 become U+FFFD.
inline std::string DumpJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace davit
