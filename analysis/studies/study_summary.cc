#include "analysis/studies/study_summary.h"

#include <nlohmann/json.hpp>
#include <variant>

namespace davit {
namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  template <class T>
  Json operator()(const T& fact) const {
    return fact;
  }
  Json operator()(const NamedNumbers& numbers) const {
    Json json = Json::object();
    for (const auto& [name, number] : numbers) json[name] = number;
    return json;
  }
  Json operator()(const std::vector<CaseValue>& values) const {
    Json json = Json::array();
    for (const CaseValue& value : values)
      json.push_back(value.text.empty() ? Json(value.number) : Json(value.text));
    return json;
  }
  Json operator()(const StudyTableFacts& table) const {
    Json json = Json::object();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const StudyColumnValues& values = table.values[i];
      json[table.columns[i].name] = table.columns[i].is_number ? Json(values.numbers) : Json(values.texts);
    }
    return json;
  }
};

}  // namespace

std::string SummaryText(const StudyFacts& facts) {
  Json json = Json::object();
  for (const auto& [name, fact] : facts) json[name] = std::visit(ToJson(), fact);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace davit
