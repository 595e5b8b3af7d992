#include "io/modbus_protocol.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace davit::modbus {
namespace {

constexpr std::uint8_t kRefused = 0x80;
constexpr std::uint8_t kDeviceIdentification = 14;
constexpr std::size_t kAddresses = 65536;

std::uint16_t Word(ByteSpan bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

void AddWord(Bytes& bytes, std::size_t word) {
  bytes.push_back(static_cast<std::uint8_t>(word >> 8));
  bytes.push_back(static_cast<std::uint8_t>(word));
}

bool IsOfBits(Table table) { return table == Table::kCoil || table == Table::kDiscrete; }

std::size_t BytesOfBits(std::size_t bits) { return (bits + 7) / 8; }

std::uint16_t Bit(ByteSpan bytes, std::size_t bit) { return bytes[bit / 8] >> (bit % 8) & 1; }

/// Words as bytes, or bits with eight in a byte, the first one lowest.
void AddData(Bytes& bytes, Table table, std::span<const std::uint16_t> words) {
  if (!IsOfBits(table)) {
    for (const std::uint16_t word : words) AddWord(bytes, word);
    return;
  }
  const std::size_t begin = bytes.size();
  bytes.resize(begin + BytesOfBits(words.size()));
  for (std::size_t i = 0; i < words.size(); ++i)
    bytes[begin + i / 8] |= static_cast<std::uint8_t>((words[i] != 0 ? 1 : 0) << (i % 8));
}

/// Pre: `data` has the bytes of `count`.
std::vector<std::uint16_t> WordsOf(Table table, std::size_t count, ByteSpan data) {
  std::vector<std::uint16_t> words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = IsOfBits(table) ? Bit(data, i) : Word(data, 2 * i);
  return words;
}

std::size_t DataSize(Table table, std::size_t count) {
  return IsOfBits(table) ? BytesOfBits(count) : 2 * count;
}

/// The answer to one request.
class Answerer {
 public:
  Answerer(ByteSpan request, Store& store, const Identity& identity)
      : request_(request), store_(store), identity_(identity) {}

  Bytes Make() {
    const std::optional<Exception> exception = Do();
    return exception ? Refusal(request_[0], *exception) : std::move(answer_);
  }

 private:
  std::optional<Exception> Do() {
    answer_ = {request_[0]};
    switch (request_[0]) {
      case kReadCoils: return Read(Table::kCoil, kMostBitsRead);
      case kReadDiscreteInputs: return Read(Table::kDiscrete, kMostBitsRead);
      case kReadHoldingRegisters: return Read(Table::kHolding, kMostWordsRead);
      case kReadInputRegisters: return Read(Table::kInput, kMostWordsRead);
      case kWriteSingleCoil: return WriteCoil();
      case kWriteSingleRegister: return WriteRegister();
      case kWriteMultipleCoils: return WriteMany(Table::kCoil, kMostBitsWritten);
      case kWriteMultipleRegisters: return WriteMany(Table::kHolding, kMostWordsWritten);
      case kMaskWriteRegister: return MaskWrite();
      case kReadWriteRegisters: return ReadWrite();
      case kEncapsulatedInterface: return Identify();
      default: return Exception::kIllegalFunction;
    }
  }

  std::optional<Exception> Read(Table table, std::size_t most) {
    if (request_.size() != 5) return Exception::kIllegalValue;
    return AddRead(table, Word(request_, 1), Word(request_, 3), most);
  }

  std::optional<Exception> AddRead(Table table, std::uint16_t address, std::size_t count, std::size_t most) {
    if (count < 1 || count > most) return Exception::kIllegalValue;
    if (address + count > kAddresses) return Exception::kIllegalAddress;
    std::array<std::uint16_t, kMostBitsRead> place{};
    const std::span<std::uint16_t> words(place.data(), count);
    if (const auto exception = store_.Read(table, address, words)) return exception;
    answer_.push_back(static_cast<std::uint8_t>(DataSize(table, count)));
    AddData(answer_, table, words);
    return std::nullopt;
  }

  std::optional<Exception> WriteCoil() {
    constexpr std::uint16_t kOn = 0xff00;
    if (request_.size() != 5) return Exception::kIllegalValue;
    const std::uint16_t value = Word(request_, 3);
    if (value != kOn && value != 0) return Exception::kIllegalValue;
    return WriteOne(Table::kCoil, value == kOn ? 1 : 0);
  }

  std::optional<Exception> WriteRegister() {
    if (request_.size() != 5) return Exception::kIllegalValue;
    return WriteOne(Table::kHolding, Word(request_, 3));
  }

  /// The answer repeats the request.
  std::optional<Exception> WriteOne(Table table, std::uint16_t word) {
    if (const auto exception = store_.Write(table, Word(request_, 1), {&word, 1})) return exception;
    answer_.assign(request_.begin(), request_.end());
    return std::nullopt;
  }

  std::optional<Exception> WriteMany(Table table, std::size_t most) {
    constexpr std::size_t kBeforeData = 6;
    if (request_.size() < kBeforeData) return Exception::kIllegalValue;
    const std::uint16_t address = Word(request_, 1);
    const std::size_t count = Word(request_, 3);
    const std::size_t size = DataSize(table, count);
    if (count < 1 || count > most || request_[5] != size || request_.size() != kBeforeData + size)
      return Exception::kIllegalValue;
    if (address + count > kAddresses) return Exception::kIllegalAddress;
    if (const auto exception =
            store_.Write(table, address, WordsOf(table, count, request_.subspan(kBeforeData))))
      return exception;
    answer_.assign(request_.begin(), request_.begin() + 5);
    return std::nullopt;
  }

  /// Result = (present AND and_mask) OR (or_mask AND NOT and_mask).
  std::optional<Exception> MaskWrite() {
    if (request_.size() != 7) return Exception::kIllegalValue;
    std::uint16_t word = 0;
    if (const auto exception = store_.Read(Table::kHolding, Word(request_, 1), {&word, 1})) return exception;
    const std::uint16_t and_mask = Word(request_, 3);
    const std::uint16_t or_mask = Word(request_, 5);
    return WriteOne(Table::kHolding, static_cast<std::uint16_t>((word & and_mask) | (or_mask & ~and_mask)));
  }

  /// The write comes before the read; where one of them is not right neither is done.
  std::optional<Exception> ReadWrite() {
    constexpr std::size_t kBeforeData = 10;
    if (request_.size() < kBeforeData) return Exception::kIllegalValue;
    const std::uint16_t read_address = Word(request_, 1);
    const std::size_t read_count = Word(request_, 3);
    const std::uint16_t address = Word(request_, 5);
    const std::size_t count = Word(request_, 7);
    if (count < 1 || count > kMostWordsWrittenWithRead || request_[9] != 2 * count ||
        request_.size() != kBeforeData + 2 * count)
      return Exception::kIllegalValue;
    if (const auto exception = AddRead(Table::kHolding, read_address, read_count, kMostWordsRead))
      return exception;
    if (address + count > kAddresses) return Exception::kIllegalAddress;
    if (const auto exception = store_.Write(Table::kHolding, address,
                                            WordsOf(Table::kHolding, count, request_.subspan(kBeforeData))))
      return exception;
    answer_.resize(1);
    return AddRead(Table::kHolding, read_address, read_count, kMostWordsRead);
  }

  /// Function 43/14: the three basic objects, as a stream or one alone. There are no others, so regular and
  /// extended streams have the same ones.
  std::optional<Exception> Identify() {
    enum Code : std::uint8_t { kBasic = 1, kExtended = 3, kOne = 4 };
    constexpr std::uint8_t kConformity = 0x81;  // basic, as a stream and one by one
    if (request_.size() < 2 || request_[1] != kDeviceIdentification) return Exception::kIllegalFunction;
    if (request_.size() != 4) return Exception::kIllegalValue;
    const std::uint8_t code = request_[2];
    const std::size_t object = request_[3];
    const std::array<std::string_view, 3> objects{identity_.vendor, identity_.product, identity_.revision};
    if (code < kBasic || code > kOne) return Exception::kIllegalValue;
    if (code == kOne && object >= objects.size()) return Exception::kIllegalAddress;
    const std::size_t first = object < objects.size() ? object : 0;
    const std::size_t end = code == kOne ? first + 1 : objects.size();
    for (const std::uint8_t byte : {kDeviceIdentification, code, kConformity, std::uint8_t{0},
                                    std::uint8_t{0}, static_cast<std::uint8_t>(end - first)})
      answer_.push_back(byte);
    for (std::size_t i = first; i < end; ++i) {
      constexpr std::size_t kMostLetters = 64;
      const std::string_view text = objects[i].substr(0, kMostLetters);
      answer_.push_back(static_cast<std::uint8_t>(i));
      answer_.push_back(static_cast<std::uint8_t>(text.size()));
      answer_.insert(answer_.end(), text.begin(), text.end());
    }
    return std::nullopt;
  }

  ByteSpan request_;
  Store& store_;
  const Identity& identity_;
  Bytes answer_;
};

std::uint8_t ReadFunction(Table table) {
  switch (table) {
    case Table::kHolding: return kReadHoldingRegisters;
    case Table::kInput: return kReadInputRegisters;
    case Table::kCoil: return kReadCoils;
    case Table::kDiscrete: return kReadDiscreteInputs;
  }
  return 0;
}

}  // namespace

Bytes Answer(ByteSpan request, Store& store, const Identity& identity) {
  assert(!request.empty());
  return Answerer(request, store, identity).Make();
}

Bytes Refusal(std::uint8_t function, Exception exception) {
  return {static_cast<std::uint8_t>(function | kRefused), static_cast<std::uint8_t>(exception)};
}

FrameSearch FindFrame(ByteSpan bytes) {
  constexpr std::size_t kLeastLength = 2;  // unit and function code
  constexpr std::size_t kMostLength = 254;
  constexpr std::size_t kBeforeUnit = kHeadSize - 1;
  using enum FrameSearch::Result;
  if (bytes.size() >= 4 && Word(bytes, 2) != 0) return {kWrong, {}};
  if (bytes.size() < kBeforeUnit) return {};
  const std::size_t length = Word(bytes, 4);
  if (length < kLeastLength || length > kMostLength) return {kWrong, {}};
  if (bytes.size() < kBeforeUnit + length) return {};
  return {kFrame,
          {Word(bytes, 0), bytes[kBeforeUnit], bytes.subspan(kHeadSize, length - 1), kBeforeUnit + length}};
}

void AddFrame(std::uint16_t transaction, std::uint8_t unit, ByteSpan pdu, Bytes& bytes) {
  AddWord(bytes, transaction);
  AddWord(bytes, 0);
  AddWord(bytes, pdu.size() + 1);
  bytes.push_back(unit);
  bytes.insert(bytes.end(), pdu.begin(), pdu.end());
}

Bytes ReadRequest(Table table, std::uint16_t address, std::size_t count) {
  Bytes request{ReadFunction(table)};
  AddWord(request, address);
  AddWord(request, count);
  return request;
}

Bytes WriteRequest(Table table, std::uint16_t address, std::span<const std::uint16_t> words) {
  Bytes request{table == Table::kCoil ? kWriteMultipleCoils : kWriteMultipleRegisters};
  AddWord(request, address);
  AddWord(request, words.size());
  request.push_back(static_cast<std::uint8_t>(DataSize(table, words.size())));
  AddData(request, table, words);
  return request;
}

std::optional<std::vector<std::uint16_t>> ReadAnswer(Table table, std::size_t count, ByteSpan answer) {
  const std::size_t size = DataSize(table, count);
  if (answer.size() != 2 + size || answer[0] != ReadFunction(table) || answer[1] != size) return std::nullopt;
  return WordsOf(table, count, answer.subspan(2));
}

bool IsWritten(ByteSpan request, ByteSpan answer) {
  return answer.size() == 5 && std::ranges::equal(request.first(5), answer);
}

}  // namespace davit::modbus
