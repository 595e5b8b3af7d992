#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "statecharts/chart_event.h"
#include "statecharts/state_set.h"

namespace davit {

/// Takes the state of charts apart into bytes, or puts it together again: one list of members serves both
/// ways.
class ChartArchive {
 public:
  /// To be filled.
  ChartArchive() = default;
  /// To be read; what does not fit makes is_good() false.
  explicit ChartArchive(std::span<const std::byte> bytes)
      : bytes_(bytes.begin(), bytes.end()), is_loading_(true) {}

  bool is_loading() const { return is_loading_; }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return at_ == bytes_.size(); }
  void Refuse() { is_good_ = false; }
  std::vector<std::byte> Take() { return std::move(bytes_); }

  template <class T>
  void Value(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Bytes(&value, sizeof(T));
  }
  /// What cannot be another after loading, such as the number of states.
  template <class T>
  void Same(T value) {
    const T expected = value;
    Value(value);
    if (std::memcmp(&value, &expected, sizeof(T)) != 0) Refuse();
  }
  /// A list whose size is fixed by the chart.
  template <class T>
  void Fixed(std::span<T> values) {
    Same(values.size());
    if (is_good_) Bytes(values.data(), values.size_bytes());
  }
  void Set(StateSet& set) { Fixed(set.words()); }
  void Text(std::string& text) {
    std::size_t size = text.size();
    Value(size);
    if (is_loading_ && (!is_good_ || size > bytes_.size() - at_)) return Refuse();
    text.resize(size);
    Bytes(text.data(), size);
  }
  void OneEvent(Event& event) {
    Value(event.name);
    Value(event.type);
    Value(event.has_value);
    Value(event.field_count);
    Value(event.send_id);
    Value(event.invoke_id);
    Value(event.origin);
    if (event.has_value) Field(event.value);
    if (event.field_count > Event::kMaxFields) return Refuse();
    for (std::size_t i = 0; i < event.field_count; ++i) Field(event.fields[i]);
    bool has_details = event.details != nullptr;
    Value(has_details);
    if (!has_details) return event.details.reset();
    EventDetails& details = event.Details();
    Text(details.name);
    Text(details.send_id);
    Text(details.data);
    Value(details.has_data);
  }

 private:
  /// Member by member: the bytes between them have no value.
  void Field(EventField& field) {
    Value(field.name);
    Value(field.type);
    Value(field.value);
  }

  void Bytes(void* place, std::size_t size) {
    if (size == 0) return;
    if (!is_loading_) {
      const auto* const begin = static_cast<const std::byte*>(place);
      bytes_.insert(bytes_.end(), begin, begin + size);
      return;
    }
    if (!is_good_ || size > bytes_.size() - at_) return Refuse();
    std::memcpy(place, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
  bool is_loading_ = false;
  bool is_good_ = true;
};

}  // namespace davit
