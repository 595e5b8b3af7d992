#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/fault.h"
#include "io/value_board.h"

/// What messages of MQTT contain, as texts: no broker, no state.
namespace davit::mqtt {

/// What a message may have at most [bytes].
inline constexpr std::size_t kMostPayload = 65'536;
inline constexpr std::size_t kMostTopic = 1'000;

/// How a number is written.
enum class NumberType : std::uint8_t { kNumber, kBool };

/// An item in a message: the message is its number, or a JSON object that has it as a member.
struct Field {
  std::string member;  ///< empty: the message is the number
  NumberType type = NumberType::kNumber;
  double scale = 1;  ///< value = scale * number + offset; not 0
  double offset = 0;
  std::size_t item = 0;  ///< on the board
};

/// What is wrong with the name of a topic; empty if nothing is. Names with wildcards name several.
Fault FaultOfTopic(std::string_view topic);

/// The message with the present values of its fields; nothing where a number is not finite. Numbers are read
/// back bit for bit. Pre: one field without a member, or several with different ones.
std::optional<std::string> Write(std::span<const Field> fields, std::span<const double> values);

/// The values of a message. A message without a member leaves its item alone; other members are ignored.
/// Returns what is wrong with it, without a text of the message; then `writes` has no meaning.
std::string Read(std::string_view payload, std::span<const Field> fields,
                 std::vector<ValueBoard::Write>& writes);

}  // namespace davit::mqtt
