// Messages of MQTT as texts: what is written is read back, and what is not a number is refused.

#include "io/mqtt_payload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace davit::mqtt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

using Writes = std::vector<ValueBoard::Write>;

std::vector<Field> Alone(std::size_t item) { return {{.member = {}, .item = item}}; }
std::vector<Field> Two() { return {{.member = "boom", .item = 0}, {.member = "a \"b\"", .item = 1}}; }

RC_GTEST_PROP(MqttPayloadTest, NumbersAreReadBackBitForBit, (double first, double second)) {
  RC_PRE(std::isfinite(first) && std::isfinite(second));
  const std::vector<double> values{first, second};
  Writes writes;
  const std::vector<Field> alone = Alone(1);
  RC_ASSERT(Read(Write(alone, values).value(), alone, writes).empty());
  RC_ASSERT(writes == (Writes{{1, second}}));
  RC_ASSERT(Read(Write(Two(), values).value(), Two(), writes).empty());
  RC_ASSERT(writes == (Writes{{0, first}, {1, second}}));
}

TEST(MqttPayloadTest, ANumberIsAloneOrAMember) {
  const std::vector<double> values{0.1, 3};
  EXPECT_EQ(Write(Alone(0), values), "0.1");
  EXPECT_EQ(Write(Two(), values), R"({"boom":0.1,"a \"b\"":3})");
  EXPECT_EQ(Write(std::vector<Field>{{.member = {}, .type = NumberType::kBool, .item = 1}}, values), "true");
  EXPECT_EQ(Write(std::vector<Field>{{.member = {}, .scale = 0.5, .offset = 2, .item = 1}}, values), "2");
}

TEST(MqttPayloadTest, AMessageWithANumberThatIsNotFiniteIsNotWritten) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {infinity, -infinity, std::nan("")}) {
    const std::vector<double> values{1, value};
    EXPECT_EQ(Write(Two(), values), std::nullopt);
    EXPECT_EQ(Write(Alone(1), values), std::nullopt);
  }
  const std::vector<Field> small{{.member = {}, .scale = 1e-300, .item = 0}};
  EXPECT_EQ(Write(small, std::vector<double>{1e300}), std::nullopt) << "finite, but not on the wire";
}

TEST(MqttPayloadTest, ConditionsAreReadToo) {
  Writes writes;
  EXPECT_THAT(Read(" true\n", Alone(0), writes), IsEmpty());
  EXPECT_THAT(writes, ElementsAre(Pair(0, 1)));
  EXPECT_THAT(Read(R"({"boom": false})", Two(), writes), IsEmpty());
  EXPECT_THAT(writes, ElementsAre(Pair(0, 0))) << "the other member may be missing";
}

TEST(MqttPayloadTest, WhatIsNotANumberIsRefused) {
  Writes writes;
  for (const char* const text : {"", " ", "boom", "1 bar", "1,5", "0x10", "--1", "1e999", "[1]", "\"1\""})
    EXPECT_THAT(Read(text, Alone(0), writes), HasSubstr("not a number")) << text;
  for (const char* const text :
       {"", "1", "[1]", "{", "{\"boom\":}", "{\"boom\":1e999}", "{\"boom\":1}x", "\xff"})
    EXPECT_THAT(Read(text, Two(), writes), HasSubstr("not a JSON object")) << text;
  for (const char* const text : {R"({"boom":"1"})", R"({"boom":null})", R"({"boom":[1]})", R"({"boom":{}})"})
    EXPECT_THAT(Read(text, Two(), writes), HasSubstr("member boom is not a number")) << text;
  EXPECT_THAT(Read(R"({"bom":1})", Two(), writes), HasSubstr("none of the members"));
}

TEST(MqttPayloadTest, HugeAndDeepMessagesAreRefused) {
  Writes writes;
  EXPECT_THAT(Read(std::string(kMostPayload + 1, '1'), Alone(0), writes), HasSubstr("65537 bytes"));
  const std::string deep = "{\"x\":" + std::string(kMostPayload - 100, '[');
  EXPECT_THAT(Read(deep, Two(), writes), HasSubstr("not a JSON object"));
}

TEST(MqttPayloadTest, TopicsNameOneThing) {
  EXPECT_TRUE(FaultOfTopic("crane/boom").is_empty());
  EXPECT_TRUE(FaultOfTopic(std::string(kMostTopic, 'x')).is_empty());
  for (const std::string& topic :
       {std::string(), std::string("crane/#"), std::string("+/boom"), std::string("$SYS/x"),
        std::string("a\nb"), std::string(kMostTopic + 1, 'x')})
    EXPECT_FALSE(FaultOfTopic(topic).is_empty()) << topic;
}

}  // namespace
}  // namespace davit::mqtt
