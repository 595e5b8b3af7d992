// Numbers on the wire: bytes computed by hand, and every number comes back from what it was written as.

#include "io/wire_value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace davit {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes Written(const WireFormat& format, double value) {
  Bytes bytes(format.size());
  format.Write(value, bytes);
  return bytes;
}

TEST(WireValueTest, BytesAreThoseOfIeeeAndTwosComplement) {
  // 1 = 1.0b * 2^0: sign 0, exponent 127, fraction 0; -2.5 = -1.01b * 2^1.
  EXPECT_EQ(Written({.type = WireType::kFloat32}, 1), (Bytes{0x3f, 0x80, 0x00, 0x00}));
  EXPECT_EQ(Written({.type = WireType::kFloat32}, -2.5), (Bytes{0xc0, 0x20, 0x00, 0x00}));
  EXPECT_EQ(Written({.type = WireType::kInt16}, -2), (Bytes{0xff, 0xfe}));
  EXPECT_EQ(Written({.type = WireType::kUint16}, 65534), (Bytes{0xff, 0xfe}));
  EXPECT_EQ(Written({.type = WireType::kInt32}, -3), (Bytes{0xff, 0xff, 0xff, 0xfd}));
  EXPECT_EQ(Written({.type = WireType::kUint32}, 0x01020304), (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(Written({.type = WireType::kBool}, 7), (Bytes{0, 1}));
}

TEST(WireValueTest, OrderNamesTheBytes) {
  const auto written = [](WordOrder order, WireType type = WireType::kUint32) {
    return Written({.type = type, .order = order}, type == WireType::kUint32 ? 0x0a0b0c0d : 0x0a0b);
  };
  EXPECT_EQ(written(WordOrder::kAbcd), (Bytes{0xa, 0xb, 0xc, 0xd}));
  EXPECT_EQ(written(WordOrder::kCdab), (Bytes{0xc, 0xd, 0xa, 0xb}));
  EXPECT_EQ(written(WordOrder::kBadc), (Bytes{0xb, 0xa, 0xd, 0xc}));
  EXPECT_EQ(written(WordOrder::kDcba), (Bytes{0xd, 0xc, 0xb, 0xa}));
  for (const WordOrder order : {WordOrder::kAbcd, WordOrder::kCdab})
    EXPECT_EQ(written(order, WireType::kUint16), (Bytes{0xa, 0xb}));
  for (const WordOrder order : {WordOrder::kBadc, WordOrder::kDcba})
    EXPECT_EQ(written(order, WireType::kUint16), (Bytes{0xb, 0xa}));
}

TEST(WireValueTest, ValueIsScaleTimesNumberPlusOffset) {
  const WireFormat tenths_of_bar{.type = WireType::kInt16, .scale = 1e4, .offset = 1e5};
  EXPECT_EQ(tenths_of_bar.Read(Bytes{0x00, 0x64}), 100 * 1e4 + 1e5);
  EXPECT_EQ(Written(tenths_of_bar, 100 * 1e4 + 1e5 + 4e3), (Bytes{0x00, 0x64})) << "the nearest number";
}

TEST(WireValueTest, WhatDoesNotFitBecomesTheNearestNumber) {
  EXPECT_EQ(Written({.type = WireType::kInt16}, 1e9), (Bytes{0x7f, 0xff}));
  EXPECT_EQ(Written({.type = WireType::kInt16}, -1e9), (Bytes{0x80, 0x00}));
  EXPECT_EQ(Written({.type = WireType::kUint16}, -1), (Bytes{0x00, 0x00}));
  EXPECT_EQ(Written({.type = WireType::kUint32}, std::numeric_limits<double>::infinity()),
            (Bytes{0xff, 0xff, 0xff, 0xff}));
}

TEST(WireValueTest, OnlyIntegersHaveNoNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(WireFormat{.type = WireType::kFloat32}.CanWrite(nan));
  for (const WireType type : {WireType::kInt16, WireType::kUint16, WireType::kInt32, WireType::kUint32})
    EXPECT_FALSE(WireFormat{.type = type}.CanWrite(nan));
  EXPECT_TRUE(std::isnan(WireFormat{}.Read(Bytes{0x7f, 0xc0, 0x00, 0x00})));
}

RC_GTEST_PROP(WireValueTest, RandomBytesComeBack, ()) {
  const auto type = static_cast<WireType>(*rc::gen::inRange(0, 5));  // a bool has two values only
  const auto order = static_cast<WordOrder>(*rc::gen::inRange(0, 4));
  const WireFormat format{.type = type, .order = order};
  const auto bytes = *rc::gen::container<Bytes>(format.size(), rc::gen::arbitrary<std::uint8_t>());
  const double value = format.Read(bytes);
  RC_PRE(!std::isnan(value));
  RC_ASSERT(Written(format, value) == bytes);
}

}  // namespace
}  // namespace davit
