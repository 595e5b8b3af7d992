#include "studio/request_body.h"

namespace davit {

std::optional<EditedTexts> ReadEditedTexts(std::string_view body, std::string& fault) {
  fault = R"(the body should be {"path": "crane.xml", "texts": {"crane.xml": "<System> that is not saved"}})";
  Json json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("path") || !json["path"].is_string()) return std::nullopt;
  EditedTexts edited{json["path"].get<std::string>(), {}};
  if (json.contains("texts")) {
    if (!json["texts"].is_object()) return std::nullopt;
    for (auto& [path, text] : json["texts"].items()) {
      if (!text.is_string()) return std::nullopt;
      edited.texts.emplace(path, std::move(text.get_ref<std::string&>()));
    }
  }
  fault.clear();
  return edited;
}

}  // namespace davit
