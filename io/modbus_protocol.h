#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Modbus (Application Protocol V1.1b3, Messaging on TCP/IP V1.0b) on bytes: no sockets, no state.
namespace davit::modbus {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

/// The four tables of a device: words of 16 bits, and single bits.
enum class Table : std::uint8_t { kHolding, kInput, kCoil, kDiscrete };

enum class Exception : std::uint8_t {
  kIllegalFunction = 1,
  kIllegalAddress = 2,
  kIllegalValue = 3,
  kServerFailure = 4,
  kGatewayTarget = 11,  ///< no such unit
};

enum Function : std::uint8_t {
  kReadCoils = 1,
  kReadDiscreteInputs = 2,
  kReadHoldingRegisters = 3,
  kReadInputRegisters = 4,
  kWriteSingleCoil = 5,
  kWriteSingleRegister = 6,
  kWriteMultipleCoils = 15,
  kWriteMultipleRegisters = 16,
  kMaskWriteRegister = 22,
  kReadWriteRegisters = 23,
  kEncapsulatedInterface = 43,
};

// The most that one request may have.
inline constexpr std::size_t kMostBitsRead = 2000;
inline constexpr std::size_t kMostBitsWritten = 1968;
inline constexpr std::size_t kMostWordsRead = 125;
inline constexpr std::size_t kMostWordsWritten = 123;
inline constexpr std::size_t kMostWordsWrittenWithRead = 121;

/// What a server reads and writes. A bit is a word that is 0 or 1.
class Store {
 public:
  virtual ~Store() = default;
  /// Pre: `words` is not empty and does not reach beyond address 65535.
  virtual std::optional<Exception> Read(Table table, std::uint16_t address,
                                        std::span<std::uint16_t> words) = 0;
  /// All of them or, where there is an exception, none. Pre: as Read; `table` is kHolding or kCoil.
  virtual std::optional<Exception> Write(Table table, std::uint16_t address,
                                         std::span<const std::uint16_t> words) = 0;
};

/// What function 43/14 tells.
struct Identity {
  std::string vendor;
  std::string product;
  std::string revision;
};

/// The answer to a request, both from the function code on. Of a request that is not right it is an
/// exception. Pre: `request` is not empty.
Bytes Answer(ByteSpan request, Store& store, const Identity& identity);

/// The answer that refuses a request.
Bytes Refusal(std::uint8_t function, Exception exception);

// Frames on TCP: transaction, protocol 0, length (2 bytes each, of what follows), unit, function code and
// data.

inline constexpr std::size_t kHeadSize = 7;
inline constexpr std::size_t kLargestFrame = 260;

struct Frame {
  std::uint16_t transaction = 0;
  std::uint8_t unit = 0;
  ByteSpan pdu;          ///< from the function code on
  std::size_t size = 0;  ///< of all of it
};

/// What bytes begin with.
struct FrameSearch {
  enum class Result : std::uint8_t {
    kFrame,
    kIncomplete,  ///< more bytes are needed
    kWrong,       ///< no frame: another protocol, or a length not in 2 .. 254
  };
  Result result = Result::kIncomplete;
  Frame frame;
};
FrameSearch FindFrame(ByteSpan bytes);

/// Adds a frame to `bytes`. Pre: `pdu` has 1 .. 253 bytes.
void AddFrame(std::uint16_t transaction, std::uint8_t unit, ByteSpan pdu, Bytes& bytes);

// Requests of a client, from the function code on, and what their answers say.

/// Pre: `count` is 1 .. kMostWordsRead, or kMostBitsRead.
Bytes ReadRequest(Table table, std::uint16_t address, std::size_t count);
/// Pre: `words` has 1 .. kMostWordsWritten, or kMostBitsWritten; `table` is kHolding or kCoil.
Bytes WriteRequest(Table table, std::uint16_t address, std::span<const std::uint16_t> words);
/// The words of the answer to ReadRequest(table, address, count); nothing where it is an exception or wrong.
std::optional<std::vector<std::uint16_t>> ReadAnswer(Table table, std::size_t count, ByteSpan answer);
/// Whether `answer` says that `request`, a WriteRequest, was done.
bool IsWritten(ByteSpan request, ByteSpan answer);

}  // namespace davit::modbus
