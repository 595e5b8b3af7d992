#include "studio/symbol_json.h"

namespace davit {

std::string_view ToText(Side side) {
  switch (side) {
    case Side::kLeft: return "left";
    case Side::kTop: return "top";
    case Side::kRight: return "right";
    case Side::kBottom: return "bottom";
  }
  return {};
}

Json SymbolToJson(const Symbol& symbol) {
  Json texts = Json::array();
  for (const SymbolText& word : symbol.texts)
    texts.push_back({{"x", word.x}, {"y", word.y}, {"text", word.text}, {"size", word.size}});
  Json anchors = Json::array();
  for (const Anchor& anchor : symbol.anchors)
    anchors.push_back(
        {{"name", anchor.name}, {"x", anchor.x}, {"y", anchor.y}, {"side", ToText(anchor.side)}});
  Json json{{"width", symbol.width},     {"height", symbol.height},       {"svg", symbol.shapes},
            {"texts", std::move(texts)}, {"anchors", std::move(anchors)}, {"badge", nullptr}};
  if (symbol.badge) json["badge"] = {{"x", symbol.badge->first}, {"y", symbol.badge->second}};
  return json;
}

}  // namespace davit
