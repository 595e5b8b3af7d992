#include "io/mqtt_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace davit::mqtt {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == text.npos ? std::string_view()
                            : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<double> NumberOf(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> NumberOf(const nlohmann::json& json) {
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_number()) return json.get<double>();
  return std::nullopt;
}

/// Nothing where the number is not finite: JSON has no such numbers.
std::optional<std::string> TextOf(const Field& field, double value) {
  const double number = (value - field.offset) / field.scale;
  if (!std::isfinite(number)) return std::nullopt;
  return field.type == NumberType::kBool ? (number != 0 ? "true" : "false") : fmt::format("{}", number);
}

}  // namespace

Fault FaultOfTopic(std::string_view topic) {
  if (topic.empty()) return {"topic is missing", "name one, such as topic=\"crane/boom\""};
  if (topic.size() > kMostTopic)
    return {fmt::format("a topic of {} bytes", topic.size()),
            fmt::format("use at most {} bytes", kMostTopic)};
  if (topic.find_first_of("+#") != topic.npos)
    return {"a topic with a wildcard", "name each topic: + and # mean several"};
  if (topic.front() == '$') return {"a topic of the broker itself", "begin it with another character than $"};
  if (std::ranges::any_of(topic, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    return {"a topic with a control character", "leave it out"};
  return {};
}

std::optional<std::string> Write(std::span<const Field> fields, std::span<const double> values) {
  std::string text;
  for (const Field& field : fields) {
    const std::optional<std::string> number = TextOf(field, values[field.item]);
    if (!number || field.member.empty()) return number;
    text += text.empty() ? "{" : ",";
    text += nlohmann::json(field.member).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text += ':' + *number;
  }
  return text + '}';
}

std::string Read(std::string_view payload, std::span<const Field> fields,
                 std::vector<ValueBoard::Write>& writes) {
  writes.clear();
  if (payload.size() > kMostPayload)
    return fmt::format("{} bytes; the most is {}", payload.size(), kMostPayload);
  const auto take = [&](const Field& field, std::optional<double> number) {
    if (!number) return false;
    writes.emplace_back(field.item, field.scale * *number + field.offset);
    return true;
  };
  if (fields.front().member.empty())
    return take(fields.front(), NumberOf(Trimmed(payload))) ? "" : "it is not a number";
  const auto json = nlohmann::json::parse(payload, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return "it is not a JSON object";
  for (const Field& field : fields) {
    const auto member = json.find(field.member);
    if (member != json.end() && !take(field, NumberOf(*member)))
      return fmt::format("member {} is not a number", field.member);
  }
  return writes.empty() ? "it has none of the members" : "";
}

}  // namespace davit::mqtt
