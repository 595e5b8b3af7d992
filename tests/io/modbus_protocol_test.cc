// Modbus on bytes. The expected ones are made by hand from the tables of the Application Protocol (V1.1b3).

#include "io/modbus_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace davit::modbus {
namespace {

using testing::ElementsAreArray;

/// A device with registers 0 .. 199 in each table; writes below 10 are refused as values.
class Device final : public Store {
 public:
  std::optional<Exception> Read(Table table, std::uint16_t address, std::span<std::uint16_t> words) override {
    if (address + words.size() > kSize) return Exception::kIllegalAddress;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = at(table, address + i);
    return std::nullopt;
  }
  std::optional<Exception> Write(Table table, std::uint16_t address,
                                 std::span<const std::uint16_t> words) override {
    if (address + words.size() > kSize) return Exception::kIllegalAddress;
    if (address < 10) return Exception::kIllegalValue;
    for (std::size_t i = 0; i < words.size(); ++i) at(table, address + i) = words[i];
    ++writes;
    return std::nullopt;
  }
  std::uint16_t& at(Table table, std::size_t address) { return words_[{table, address}]; }

  static constexpr std::size_t kSize = 200;
  int writes = 0;

 private:
  std::map<std::pair<Table, std::size_t>, std::uint16_t> words_;
};

class ModbusProtocolTest : public testing::Test {
 protected:
  Bytes Ask(const Bytes& request) { return Answer(request, device_, {"davit", "rig", "1.2"}); }

  Device device_;
};

TEST_F(ModbusProtocolTest, ReadsRegisters) {
  device_.at(Table::kHolding, 16) = 0x022b;
  device_.at(Table::kHolding, 17) = 0x0064;
  device_.at(Table::kInput, 8) = 0x000a;
  EXPECT_EQ(Ask({3, 0x00, 0x10, 0x00, 0x02}), (Bytes{3, 4, 0x02, 0x2b, 0x00, 0x64}));
  EXPECT_EQ(Ask({4, 0x00, 0x08, 0x00, 0x01}), (Bytes{4, 2, 0x00, 0x0a}));
}

TEST_F(ModbusProtocolTest, ReadsBitsEightInAByteTheFirstOneLowest) {
  for (const std::size_t on : {20, 22, 23, 29}) device_.at(Table::kCoil, on) = 1;
  device_.at(Table::kDiscrete, 5) = 1;
  // 20, 22, 23 are bits 0, 2, 3 of the first byte, 29 is bit 1 of the second one; six bits are left 0.
  EXPECT_EQ(Ask({1, 0x00, 0x14, 0x00, 0x0a}), (Bytes{1, 2, 0x0d, 0x02}));
  EXPECT_EQ(Ask({2, 0x00, 0x05, 0x00, 0x01}), (Bytes{2, 1, 0x01}));
}

TEST_F(ModbusProtocolTest, WritesOne) {
  EXPECT_EQ(Ask({5, 0x00, 0x15, 0xff, 0x00}), (Bytes{5, 0x00, 0x15, 0xff, 0x00}));
  EXPECT_EQ(device_.at(Table::kCoil, 21), 1);
  EXPECT_EQ(Ask({5, 0x00, 0x15, 0x00, 0x00}), (Bytes{5, 0x00, 0x15, 0x00, 0x00}));
  EXPECT_EQ(device_.at(Table::kCoil, 21), 0);
  EXPECT_EQ(Ask({5, 0x00, 0x15, 0x00, 0x01}), (Bytes{0x85, 3})) << "a coil is 0 or ff00";
  EXPECT_EQ(Ask({6, 0x00, 0x15, 0x12, 0x34}), (Bytes{6, 0x00, 0x15, 0x12, 0x34}));
  EXPECT_EQ(device_.at(Table::kHolding, 21), 0x1234);
}

TEST_F(ModbusProtocolTest, WritesMany) {
  EXPECT_EQ(Ask({15, 0x00, 0x14, 0x00, 0x0a, 2, 0x0d, 0x02}), (Bytes{15, 0x00, 0x14, 0x00, 0x0a}));
  for (std::size_t coil = 20; coil < 30; ++coil)
    EXPECT_EQ(device_.at(Table::kCoil, coil), coil == 20 || coil == 22 || coil == 23 || coil == 29) << coil;
  EXPECT_EQ(Ask({16, 0x00, 0x14, 0x00, 0x02, 4, 0x00, 0x0a, 0x01, 0x02}),
            (Bytes{16, 0x00, 0x14, 0x00, 0x02}));
  EXPECT_EQ(device_.at(Table::kHolding, 20), 0x000a);
  EXPECT_EQ(device_.at(Table::kHolding, 21), 0x0102);
}

TEST_F(ModbusProtocolTest, MaskWriteKeepsTheBitsOfTheAndMask) {
  device_.at(Table::kHolding, 20) = 0x12;
  // (12 & f2) | (25 & ~f2) = 12 | 05
  EXPECT_EQ(Ask({22, 0x00, 0x14, 0x00, 0xf2, 0x00, 0x25}), (Bytes{22, 0x00, 0x14, 0x00, 0xf2, 0x00, 0x25}));
  EXPECT_EQ(device_.at(Table::kHolding, 20), 0x17);
}

TEST_F(ModbusProtocolTest, ReadWriteWritesFirst) {
  const Bytes answer = Ask({23, 0x00, 0x14, 0x00, 0x02, 0x00, 0x15, 0x00, 0x01, 2, 0xab, 0xcd});
  EXPECT_EQ(answer, (Bytes{23, 4, 0x00, 0x00, 0xab, 0xcd}));
  device_.writes = 0;
  EXPECT_EQ(Ask({23, 0x00, 0xff, 0x00, 0x02, 0x00, 0x15, 0x00, 0x01, 2, 0, 0}), (Bytes{0x97, 2}));
  EXPECT_EQ(device_.writes, 0) << "nothing is written where the read is refused";
}

TEST_F(ModbusProtocolTest, TellsWhatItIs) {
  EXPECT_EQ(Ask({43, 14, 1, 0}), (Bytes{43,  14,  1, 0x81, 0,   0,   3,   0, 5, 'd', 'a', 'v',
                                        'i', 't', 1, 3,    'r', 'i', 'g', 2, 3, '1', '.', '2'}));
  EXPECT_EQ(Ask({43, 14, 4, 1}), (Bytes{43, 14, 4, 0x81, 0, 0, 1, 1, 3, 'r', 'i', 'g'}));
  EXPECT_EQ(Ask({43, 14, 1, 77}), Ask({43, 14, 1, 0})) << "an unknown object begins from the first one";
  EXPECT_EQ(Ask({43, 14, 4, 77}), (Bytes{0xab, 2}));
  EXPECT_EQ(Ask({43, 14, 5, 0}), (Bytes{0xab, 3}));
  EXPECT_EQ(Ask({43, 13, 1, 0}), (Bytes{0xab, 1})) << "CANopen";
}

TEST_F(ModbusProtocolTest, RefusesFunctionsCountsAndAddresses) {
  for (int function = 0; function < 256; ++function) {
    const bool is_known = (function >= 1 && function <= 6) || function == 15 || function == 16 ||
                          function == 22 || function == 23 || function == 43;
    const Bytes answer = Ask({static_cast<std::uint8_t>(function), 0, 20, 0, 1});
    if (is_known) continue;
    EXPECT_EQ(answer, (Bytes{static_cast<std::uint8_t>(function | 0x80), 1})) << function;
  }
  EXPECT_EQ(Ask({3, 0, 20, 0, 0}), (Bytes{0x83, 3}));
  EXPECT_EQ(Ask({3, 0, 20, 0, 126}), (Bytes{0x83, 3}));
  EXPECT_EQ(Ask({3, 0, 20, 0xff, 0xff}), (Bytes{0x83, 3})) << "65,535 registers";
  EXPECT_EQ(Ask({1, 0, 20, 0x07, 0xd1}), (Bytes{0x81, 3}));
  EXPECT_EQ(Ask({3, 0xff, 0xff, 0, 2}), (Bytes{0x83, 2})) << "behind the last address";
  EXPECT_EQ(Ask({3, 0, 199, 0, 2}), (Bytes{0x83, 2}));
  EXPECT_EQ(Ask({6, 0, 9, 0, 1}), (Bytes{0x86, 3})) << "what the device refuses";
}

TEST_F(ModbusProtocolTest, EveryWrongLengthIsAnIllegalValue) {
  const std::vector<Bytes> right{{1, 0, 20, 0, 1},        {2, 0, 20, 0, 1},
                                 {3, 0, 20, 0, 1},        {4, 0, 20, 0, 1},
                                 {5, 0, 20, 0, 0},        {6, 0, 20, 0, 1},
                                 {15, 0, 20, 0, 3, 1, 5}, {16, 0, 20, 0, 1, 2, 0, 1},
                                 {22, 0, 20, 0, 1, 0, 1}, {23, 0, 20, 0, 1, 0, 20, 0, 1, 2, 0, 1},
                                 {43, 14, 1, 0}};
  for (const Bytes& request : right) {
    const std::uint8_t function = request[0];
    ASSERT_EQ(Ask(request)[0], function);
    for (std::size_t size = function == 43 ? 2 : 1; size < request.size() + 4; ++size) {
      if (size == request.size()) continue;
      Bytes wrong = request;
      wrong.resize(size);
      EXPECT_EQ(Ask(wrong), (Bytes{static_cast<std::uint8_t>(function | 0x80), 3}))
          << +function << ' ' << size;
    }
  }
}

RC_GTEST_FIXTURE_PROP(ModbusProtocolTest, RandomRequestsHaveAnAnswer, ()) {
  Bytes request = *rc::gen::nonEmpty<Bytes>();
  RC_PRE(request.size() <= 253);
  if (*rc::gen::arbitrary<bool>())
    request[0] = *rc::gen::element<std::uint8_t>(1, 2, 3, 4, 5, 6, 15, 16, 22, 23, 43);
  const Bytes answer = Ask(request);
  RC_ASSERT(answer.size() >= 2);
  RC_ASSERT(answer.size() <= 253);
  if (answer[0] == request[0] && request[0] < 0x80) return;
  RC_ASSERT(answer.size() == 2);
  RC_ASSERT(answer[0] == (request[0] | 0x80));
  RC_ASSERT((answer[1] >= 1 && answer[1] <= 4));
}

TEST(ModbusFrameTest, IsFoundWhenItIsWhole) {
  const Bytes frame{0x15, 0x01, 0, 0, 0, 6, 0x11, 3, 0, 1, 0, 2};
  for (std::size_t size = 0; size < frame.size(); ++size)
    EXPECT_EQ(FindFrame(ByteSpan(frame).first(size)).result, FrameSearch::Result::kIncomplete) << size;
  Bytes two = frame;
  two.insert(two.end(), frame.begin(), frame.end());
  const FrameSearch found = FindFrame(two);
  ASSERT_EQ(found.result, FrameSearch::Result::kFrame);
  EXPECT_EQ(found.frame.transaction, 0x1501);
  EXPECT_EQ(found.frame.unit, 0x11);
  EXPECT_EQ(found.frame.size, frame.size());
  EXPECT_THAT(found.frame.pdu, ElementsAreArray({3, 0, 1, 0, 2}));
  Bytes again;
  AddFrame(found.frame.transaction, found.frame.unit, found.frame.pdu, again);
  EXPECT_EQ(again, frame);
}

TEST(ModbusFrameTest, IsRefusedAsSoonAsItIsNone) {
  EXPECT_EQ(FindFrame(Bytes{0, 1, 0, 1}).result, FrameSearch::Result::kWrong) << "another protocol";
  for (const std::size_t length : {0U, 1U, 255U, 65535U}) {
    const Bytes head{0, 1, 0, 0, static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length)};
    EXPECT_EQ(FindFrame(head).result, FrameSearch::Result::kWrong) << length;
  }
  EXPECT_EQ(FindFrame(Bytes{0, 1, 0, 0, 0, 2}).result, FrameSearch::Result::kIncomplete);
  EXPECT_EQ(FindFrame(Bytes{0, 1, 0, 0, 0, 254}).result, FrameSearch::Result::kIncomplete);
}

RC_GTEST_FIXTURE_PROP(ModbusProtocolTest, RandomWordsOfAClientComeBackFromAServer, ()) {
  const Table table = *rc::gen::element(Table::kHolding, Table::kCoil);
  auto words = *rc::gen::nonEmpty<std::vector<std::uint16_t>>();
  RC_PRE(words.size() <= kMostWordsWritten);
  if (table == Table::kCoil) {
    for (std::uint16_t& word : words) word &= 1;
  }
  const std::uint16_t address = *rc::gen::inRange<std::uint16_t>(10, 70);
  const Bytes request = WriteRequest(table, address, words);
  RC_ASSERT(IsWritten(request, Ask(request)));
  const auto read = ReadAnswer(table, words.size(), Ask(ReadRequest(table, address, words.size())));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == words);
  RC_ASSERT(!ReadAnswer(table, words.size(), Refusal(request[0], Exception::kServerFailure)));
}

}  // namespace
}  // namespace davit::modbus
