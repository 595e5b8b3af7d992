#include "server/described_json.h"

#include <cmath>
#include <string>
#include <type_traits>

namespace davit {

nlohmann::json ToJson(const DescribedObject& object) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, value] : object.fields) {
    const auto add = [&json, key = std::string(name)](const auto& one) {
      using One = std::decay_t<decltype(one)>;
      if constexpr (std::is_same_v<One, double>) {
        if (!std::isfinite(one)) return;
      }
      if constexpr (std::is_same_v<One, DescribedList>) {
        json[key] = ToJson(one);
      } else {
        json[key] = one;
      }
    };
    std::visit(add, value);
  }
  return json;
}

nlohmann::json ToJson(const DescribedList& list) {
  nlohmann::json json = nlohmann::json::array();
  for (const DescribedObject& one : list) json.push_back(ToJson(one));
  return json;
}

}  // namespace davit
