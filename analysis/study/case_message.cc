#include "analysis/study/case_message.h"

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace davit {
namespace {

/// Appends to bytes, or takes from them, the same fields in the same order.
class MessageWriter {
 public:
  std::string bytes;

  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void operator()(const Number& number) {
    const char* const begin = reinterpret_cast<const char*>(&number);
    bytes.append(begin, sizeof(Number));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  void operator()(const CaseValue& value) {
    (*this)(value.number);
    (*this)(value.text);
  }
  template <class Element>
  void operator()(const std::vector<Element>& list) {
    (*this)(list.size());
    for (const Element& element : list) (*this)(element);
  }
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  requires std::is_trivially_copyable_v<Number>
  void operator()(Number& number) {
    Take(sizeof(Number)).copy(reinterpret_cast<char*>(&number), sizeof(Number));
  }
  void operator()(std::string& text) { text = Take(Size()); }
  void operator()(CaseValue& value) {
    (*this)(value.number);
    (*this)(value.text);
  }
  template <class Element>
  void operator()(std::vector<Element>& list) {
    list.clear();
    for (std::size_t left = Size(); left > 0; --left) (*this)(list.emplace_back());
  }

 private:
  std::string_view Take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("a message between processes is cut off");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::size_t Size() {
    std::size_t size = 0;
    (*this)(size);
    return size;
  }

  std::string_view bytes_;
};

template <class Archive, class Message>
void Pass(Archive& archive, Message& message) {
  archive(message.kind);
  archive(message.number);
  archive(message.values);
  archive(message.result.is_done);
  archive(message.result.measures);
  archive(message.result.texts);
  archive(message.result.message);
  archive(message.result.wall_s);
  archive(message.result.curves.time);
  archive(message.result.curves.signals);
  archive(message.text);
}

}  // namespace

std::string ToBytes(const CaseMessage& message) {
  MessageWriter writer;
  Pass(writer, message);
  return std::move(writer.bytes);
}

CaseMessage ReadCaseMessage(std::string_view bytes) {
  CaseMessage message;
  MessageReader reader(bytes);
  Pass(reader, message);
  return message;
}

}  // namespace davit
