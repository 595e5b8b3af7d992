#include "framework/xml/element_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/nearest_name.h"
#include "framework/tree/item_element.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

constexpr std::size_t kMostErrors = 900;  // below what Diagnostics keeps, so that the last word is kept too
constexpr std::size_t kMostValueBytes = 1U << 30;
constexpr std::size_t kLongestName = 128;
constexpr std::size_t kLongestPath = 4096;

}  // namespace

std::size_t ElementReader::AddUse(const std::filesystem::path& file) {
  files_.push_back({std::make_shared<const std::string>(file.string()), file.parent_path(), {}});
  uses_.push_back({files_.size() - 1, {}});
  return uses_.size() - 1;
}

std::size_t ElementReader::AddRepetition(std::size_t use, std::string_view name, std::int64_t value) {
  has_repetitions_ = true;
  Use repetition = uses_[use];
  repetition.variables.push_back({name, static_cast<double>(value)});
  uses_.push_back(std::move(repetition));
  return uses_.size() - 1;
}

bool ElementReader::IsRepeated(const SourceLocation& place, std::string_view text) {
  constexpr int kMostAtOneLine = 3;
  std::string shape;
  for (const char c : text) {
    if (c < '0' || c > '9') shape += c;
  }
  return ++reported_[{place.file.get(), place.line, std::move(shape)}] > kMostAtOneLine;
}

void ElementReader::ErrorAt(const SourceLocation& place, const Component& scope, const Fault& fault) {
  if (is_finished_ || (has_repetitions_ && IsRepeated(place, fault.ToText()))) return;
  diagnostics_.Error(place, scope.DisplayPath(), fault);
  if (diagnostics_.error_count() < kMostErrors) return;
  is_finished_ = true;
  diagnostics_.Error(
      {}, "/",
      "more than " + std::to_string(kMostErrors) + " errors; correct these first, the rest was not checked");
}

void ElementReader::LookForReasonToStop() {
  const std::string reason = reason_to_stop_();
  if (reason.empty()) return;
  diagnostics_.Error(uses_.empty() ? SourceLocation{} : PlaceOf(0, 0), "/", reason);
  is_finished_ = true;
}

void ElementReader::Finish(const SourceLocation& place, const Component& scope, std::string_view text) {
  ErrorAt(place, scope, text);
  is_finished_ = true;
}

std::optional<std::string> ElementReader::Value(const Element& element,
                                                const tinyxml2::XMLAttribute& attribute) {
  std::string_view rest = attribute.Value();
  std::string text;
  bool is_known = true;
  const auto append = [&](std::string_view part) {
    if (is_finished_) return;
    value_bytes_ += part.size();
    if (value_bytes_ > kMostValueBytes) {
      Finish(Place(element, attribute), *element.scope,
             "the values of the system take more than 1 GiB; look for a parameter that multiplies itself");
      return;
    }
    text += part;
  };
  while (!is_finished_) {
    const std::size_t begin = rest.find("${");
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('}', begin);
    if (end == std::string_view::npos) break;
    append(rest.substr(0, begin));
    const std::string_view name = rest.substr(begin + 2, end - begin - 2);
    const auto& parameters = use(element.use).parameters;
    if (const auto it = parameters.find(name); it != parameters.end()) {
      append(it->second.value_or(""));
      is_known = is_known && it->second.has_value();
    } else {
      is_known = false;
      std::vector<std::string> names;
      names.reserve(parameters.size());
      for (const auto& [known, value] : parameters) names.push_back(known);
      Error(element, attribute,
            std::string(attribute.Name()) + ": no parameter " + Quoted(name) + " in this file; " +
                (names.empty() ? "declare it with <Parameter name=\"...\" value=\"...\"/>"
                               : SuggestName("it has", name, names)));
    }
    rest.remove_prefix(end + 1);
  }
  append(rest);
  if (!is_known || is_finished_) return std::nullopt;
  return uses_[element.use].variables.empty() ? text : WithVariables(element, attribute, text);
}

std::optional<std::string> ElementReader::WithVariables(const Element& element,
                                                        const tinyxml2::XMLAttribute& attribute,
                                                        std::string_view text) {
  std::string result;
  for (std::size_t begin = text.find('{'); begin != std::string_view::npos; begin = text.find('{')) {
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) {
      Error(element, attribute,
            std::string(attribute.Name()) + ": a '{' is not closed; write for example {i+1}");
      return std::nullopt;
    }
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    const ArithmeticResult number = EvaluateArithmetic(inside, uses_[element.use].variables);
    if (number.fault) {
      Error(element, attribute,
            std::string(attribute.Name()) + ": {" + std::string(inside) + "}: " + number.fault.ToText());
      return std::nullopt;
    }
    result += text.substr(0, begin);
    result += ToArithmeticText(number.value);
    text.remove_prefix(end + 1);
  }
  return result.append(text);
}

std::optional<std::string> ElementReader::Find(const Element& element, const char* name) {
  const tinyxml2::XMLAttribute* attribute = element.xml->FindAttribute(name);
  if (attribute == nullptr) return std::nullopt;
  return Value(element, *attribute);
}

std::optional<std::string> ElementReader::Require(const Element& element, const char* name) {
  const tinyxml2::XMLAttribute* attribute = element.xml->FindAttribute(name);
  if (attribute != nullptr) return Value(element, *attribute);
  Error(element, std::string(element.xml->Name()) + " has no attribute '" + name + "'; give it one");
  return std::nullopt;
}

std::optional<std::size_t> ElementReader::FindChoice(const Element& element, const char* name) {
  const tinyxml2::XMLAttribute* const attribute = element.xml->FindAttribute(name);
  if (attribute == nullptr) return std::nullopt;
  const std::optional<std::string> text = Value(element, *attribute);
  if (!text) return std::nullopt;
  const auto& choices = GetElementKind(element.xml->Name()).Find(name)->choices;
  const auto found = std::ranges::find(choices, *text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  Error(element, *attribute,
        fmt::format("no option {} of {}; it has {}", Quoted(*text), name, fmt::join(choices, ", ")));
  return std::nullopt;
}

void ElementReader::CheckAttributes(const Element& element, std::string_view given) {
  const ElementKind& kind = GetElementKind(element.xml->Name());
  for (const tinyxml2::XMLAttribute* a = element.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    const AttributeKind* const known = kind.Find(a->Name());
    if (known != nullptr &&
        (known->with.empty() || std::ranges::find(known->with, given) != known->with.end()))
      continue;
    std::vector<std::string> allowed = kind.NamesWith(given);
    if (kind.place == ElementKind::Place::kFile) {
      if (std::string_view(a->Name()) == "xmlns") continue;
      allowed.emplace_back("xmlns");
    }
    Error(element, *a,
          "no attribute " + Quoted(a->Name()) + " on " + element.xml->Name() + "; " +
              SuggestName("it has", a->Name(), allowed));
  }
}

void ElementReader::CheckNoText(const Element& element) {
  for (const tinyxml2::XMLNode* node = element.xml->FirstChild(); node != nullptr;
       node = node->NextSibling()) {
    const tinyxml2::XMLText* text = node->ToText();
    if (text == nullptr) continue;
    ErrorAt(PlaceOf(element.use, text->GetLineNum()), *element.scope,
            "unexpected text " + Quoted(Trim(text->Value())) + "; values are written as attributes");
  }
}

void ElementReader::CheckEmpty(const Element& element) {
  CheckNoText(element);
  for (const tinyxml2::XMLElement* e = element.xml->FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    ErrorAt(PlaceOf(element.use, LineOf(*e)), *element.scope,
            "no element " + Quoted(e->Name()) + " inside " + element.xml->Name() + "; close " +
                element.xml->Name() + " before it");
  }
}

void ElementReader::NoteRefusedItem(const Component& owner, const std::string& name) {
  refused_items_[owner.path()].push_back(name);
}

bool ElementReader::LeadsToRefused(const Component& scope, std::string_view path) const {
  if ((refused_.empty() && refused_items_.empty()) || path.size() > kLongestPath) return false;
  const std::string full = FullPath(scope, path);
  const std::size_t last = full.rfind('.');
  if (last != std::string::npos) {
    const auto items = refused_items_.find(full.substr(0, last));
    if (items != refused_items_.end() && IsOfRefusedItem(full.substr(last + 1), items->second)) return true;
  }
  for (std::size_t end = full.find('.'); end != std::string::npos; end = full.find('.', end + 1)) {
    if (refused_.contains(full.substr(0, end))) return true;
  }
  return refused_.contains(full);
}

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kXmlSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kXmlSpaces) + 1 - begin);
}

void ForEachWord(std::string_view text, const std::function<bool(std::string_view)>& visit) {
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(kXmlSpaces, begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kXmlSpaces, begin), text.size());
    if (!visit(text.substr(begin, end - begin))) return;
    begin = end;
  }
}

bool IsName(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= kLongestName && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

std::string FullPath(const Component& scope, std::string_view path) {
  std::string full = scope.path();
  if (!full.empty() && !path.empty()) full += '.';
  return full.append(path);
}

}  // namespace davit
