// A run with a Modbus server, asked over loopback.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <fstream>
#include <limits>

#include "io/modbus.h"
#include "io/net/frame_server.h"
#include "results/program.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using modbus::Bytes;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Bytes WriteFloat(std::uint16_t address, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return modbus::WriteRequest(
      modbus::Table::kHolding, address,
      std::vector{static_cast<std::uint16_t>(bits >> 16), static_cast<std::uint16_t>(bits)});
}

float FloatOf(const Bytes& answer) {
  if (answer.size() != 6) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(static_cast<std::uint32_t>(answer[2]) << 24 | answer[3] << 16 | answer[4] << 8 |
                              answer[5]);
}

class ModbusServerTest : public testing::Test {
 protected:
  std::string Server(const std::string& attributes = "") const {
    return "<ModbusServer name=\"plc\" port=\"" + std::to_string(port_) + "\" " + attributes + R"(>
      <Register item="load.x" table="input" address="0"/>
      <Register item="load.v" table="input" address="2" type="int16" scale="1 mm/s"/>
      <Register item="load.mass" address="0" access="write" safe="20 kg"/>
      <Register item="spring.stiffness" address="2" type="uint16" scale="10 N/m" access="write"/>
      <Register item="SimulatorManager.TimeStep" address="20" access="write"/>
    </ModbusServer>)";
  }

  const std::uint16_t port_ = FreePort();
};

TEST_F(ModbusServerTest, ReadsWhatTheRunHasAtTheLastExchange) {
  IoRig rig(Server());
  for (int i = 0; i < 20; ++i) rig.Step();
  const double x = rig.Read("load.x");
  rig.Step();  // the exchange comes before the step
  ModbusTester plc(port_);
  EXPECT_EQ(FloatOf(plc.Ask({4, 0, 0, 0, 2})), static_cast<float>(x));
  EXPECT_NE(rig.Read("load.x"), x);
  EXPECT_EQ(plc.Ask({4, 0, 1, 0, 1}).size(), 4U) << "half of a number can be read";
  EXPECT_EQ(plc.Ask({4, 0, 2, 0, 2}), (Bytes{0x84, 2})) << "nothing is mapped at 3";
}

TEST_F(ModbusServerTest, WritesActAtOneCommunicationPoint) {
  IoRig rig(Server());
  rig.Step();
  ModbusTester plc(port_);
  EXPECT_EQ(plc.Ask(WriteFloat(0, 5)), (Bytes{16, 0, 0, 0, 2}));
  EXPECT_EQ(plc.Ask({6, 0, 2, 0, 50}), (Bytes{6, 0, 2, 0, 50}));
  EXPECT_EQ(FloatOf(plc.Ask({3, 0, 0, 0, 2})), 5) << "what was written is read back immediately";
  EXPECT_EQ(rig.Read("load.mass"), 10) << "the run has it at the next communication point";
  rig.Step();
  EXPECT_EQ(rig.Read("load.mass"), 5);
  EXPECT_EQ(rig.Read("spring.stiffness"), 500);
  EXPECT_THAT(rig.Requests(),
              testing::ElementsAre(R"(<At time="0.01 s" set="load.mass" value="5 kg"/>)",
                                   R"(<At time="0.01 s" set="spring.stiffness" value="500 N/m"/>)"));
}

TEST_F(ModbusServerTest, TheLogRepeatsTheRunWithoutThePartner) {
  IoRig rig(Server());
  ModbusTester plc(port_);
  for (int i = 0; i < 50; ++i) {
    if (i % 7 == 1) plc.Ask(WriteFloat(0, static_cast<float>(5 + i)));
    if (i % 11 == 1) plc.Ask({6, 0, 2, 0, static_cast<std::uint8_t>(20 + i)});
    rig.Step();
  }
  std::vector<std::string> at;
  for (const std::string& request : rig.Requests()) {
    const auto attribute = [&](const std::string& name) {
      const std::size_t begin = request.find(name + "=\"") + name.size() + 2;
      return request.substr(begin, request.find('"', begin) - begin);
    };
    at.push_back(attribute("time") + ":" + attribute("set") + "=" + attribute("value"));
  }
  EXPECT_EQ(at.size(), 7U + 5U);
  IoRig again(Server(), IoReach::kNone, at);
  for (int i = 0; i < 50; ++i) again.Step();
  EXPECT_EQ(again.Read("load.x"), rig.Read("load.x"));
  EXPECT_EQ(again.Read("load.v"), rig.Read("load.v"));
}

TEST_F(ModbusServerTest, WhatTheItemDoesNotTakeIsNeverWritten) {
  IoRig rig(Server());
  rig.Step();
  ModbusTester plc(port_);
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1.0F, 0.0F})
    EXPECT_EQ(plc.Ask(WriteFloat(0, wrong)), (Bytes{0x90, 3})) << wrong;
  EXPECT_EQ(
      plc.Ask(modbus::WriteRequest(modbus::Table::kHolding, 0, std::vector<std::uint16_t>{0xbf80, 0, 77})),
      (Bytes{0x90, 3}));
  EXPECT_EQ(plc.Ask({6, 0, 0, 0x40, 0}), (Bytes{0x86, 2})) << "half of a number";
  EXPECT_EQ(plc.Ask(WriteFloat(4, 1)), (Bytes{0x90, 2})) << "nothing is mapped there";
  for (const float wrong : {1e-38F, 9.9e-6F, 10.1F, 1e9F})
    EXPECT_EQ(plc.Ask(WriteFloat(20, wrong)), (Bytes{0x90, 3})) << "a run takes no TimeStep of " << wrong;
  rig.Step();
  EXPECT_EQ(rig.Read("load.mass"), 10);
  EXPECT_EQ(rig.Read("spring.stiffness"), 400) << "all of a request or none";
}

TEST_F(ModbusServerTest, MapsAreReadOnlyByDefault) {
  IoRig rig("<ModbusServer name=\"plc\" port=\"" + std::to_string(port_) +
            "\"><Register item=\"load.mass\"/></ModbusServer>");
  rig.Step();
  ModbusTester plc(port_);
  EXPECT_EQ(FloatOf(plc.Ask({3, 0, 0, 0, 2})), 10);
  EXPECT_EQ(plc.Ask(WriteFloat(0, 5)), (Bytes{0x90, 2}));
}

TEST_F(ModbusServerTest, ASilentPartnerIsMissed) {
  IoRig rig(Server("timeout=\"300 ms\""));
  for (int i = 0; i < 10; ++i) rig.Step();
  std::this_thread::sleep_for(std::chrono::milliseconds(350));
  for (int i = 0; i < 10; ++i) rig.Step();
  EXPECT_FALSE(rig.Logged("alarm Silent set")) << "nobody has come yet";
  ModbusTester plc(port_);
  plc.Ask(WriteFloat(0, 5));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 5; }));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 20; })) << "the safe value";
  EXPECT_TRUE(rig.Logged("alarm Silent set (error)"));
  EXPECT_THAT(rig.Requests(), Contains(HasSubstr("event=\"plc.silent\"")));
  EXPECT_EQ(rig.Read("spring.stiffness"), 400) << "it has no safe value";
  EXPECT_FALSE(rig.Logged("event=\"plc.heard\""));
  plc.Ask(WriteFloat(0, 6));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 6; }));
  EXPECT_TRUE(rig.Logged("alarm Silent cleared"));
  EXPECT_THAT(rig.Requests(), Contains(HasSubstr("event=\"plc.heard\"")));
}

TEST_F(ModbusServerTest, AWriteMayHaveATimeoutOfItsOwn) {
  IoRig rig(
      "<ModbusServer name=\"plc\" timeout=\"100 s\" port=\"" + std::to_string(port_) +
      "\"><Register item=\"load.mass\" access=\"write\" safe=\"20 kg\" timeout=\"300 ms\"/></ModbusServer>");
  rig.Step();
  ModbusTester plc(port_);
  plc.Ask(WriteFloat(0, 5));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 5; }));
  ASSERT_TRUE(rig.StepUntil([&] {
    plc.Ask({3, 0, 0, 0, 2});
    return rig.Read("load.mass") == 20;
  }));
  EXPECT_FALSE(rig.Logged("alarm Silent set")) << "it is heard";
}

TEST_F(ModbusServerTest, UnitsThatItIsNotAreUnknown) {
  IoRig rig(Server("unit=\"7\""));
  rig.Step();
  ModbusTester plc(port_);
  for (const std::uint8_t unit : {std::uint8_t{7}, std::uint8_t{0}, std::uint8_t{255}})
    EXPECT_THAT(plc.Ask({3, 0, 0, 0, 2}, unit), testing::SizeIs(6)) << +unit;
  EXPECT_EQ(plc.Ask({3, 0, 0, 0, 2}, 8), (Bytes{0x83, 11}));
}

TEST_F(ModbusServerTest, HalfAndPipelinedFramesAreServedInOrder) {
  IoRig rig(Server());
  rig.Step();
  ModbusTester plc(port_);
  Bytes frames;
  modbus::AddFrame(1, 1, Bytes{3, 0, 0, 0, 2}, frames);
  modbus::AddFrame(2, 1, Bytes{99, 0}, frames);
  modbus::AddFrame(3, 1, Bytes{3, 0, 2, 0, 1}, frames);
  for (const std::uint8_t byte : frames) plc.Send({byte});
  EXPECT_EQ(FloatOf(plc.ReceiveAnswer()), 10);
  EXPECT_EQ(plc.ReceiveAnswer(), (Bytes{99 | 0x80, 1}));
  EXPECT_EQ(plc.ReceiveAnswer(), (Bytes{3, 2, 0, 40}));
}

TEST_F(ModbusServerTest, WhatIsNoModbusIsClosed) {
  IoRig rig(Server());
  rig.Step();
  for (const Bytes& wrong :
       {Bytes{'G', 'E', 'T', ' ', '/'}, Bytes{0, 0, 0, 0, 0, 1}, Bytes{0, 0, 0, 0, 0xff, 0xff}}) {
    ModbusTester stranger(port_);
    stranger.Send(wrong);
    EXPECT_TRUE(stranger.IsClosed());
  }
  EXPECT_THAT(ModbusTester(port_).Ask({3, 0, 0, 0, 2}), testing::SizeIs(6));
}

TEST_F(ModbusServerTest, AClientThatTakesNoAnswersHoldsUpItselfAlone) {
  IoRig rig(Server());
  rig.Step();
  ModbusTester slow(port_);
  Bytes frames;
  for (int i = 0; i < 5000; ++i) modbus::AddFrame(1, 1, Bytes{3, 0, 0, 0, 2}, frames);
  // It takes nothing: at some point no more can be sent.
  std::size_t sent = 0;
  for (int waits = 0; waits < 20 && sent < 400 * frames.size();) {
    const ssize_t count = send(slow.socket().number(), frames.data(), frames.size() / 12 * 12, MSG_NOSIGNAL);
    if (count <= 0) {
      ++waits;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    sent += static_cast<std::size_t>(count);
    if (count % 12 != 0) break;
  }
  EXPECT_LT(sent, 400 * frames.size());
  EXPECT_THAT(ModbusTester(port_).Ask({3, 0, 0, 0, 2}), testing::SizeIs(6));
}

TEST_F(ModbusServerTest, ManyConnectionsCloseThoseThatSayNothing) {
  IoRig rig(Server());
  rig.Step();
  ModbusTester plc(port_);
  ASSERT_THAT(plc.Ask({3, 0, 0, 0, 2}), testing::SizeIs(6));
  std::vector<std::unique_ptr<ModbusTester>> crowd;
  for (std::size_t i = 0; i < 3 * FrameServer::kMostConnections; ++i)
    crowd.push_back(std::make_unique<ModbusTester>(port_));
  EXPECT_THAT(plc.Ask({3, 0, 0, 0, 2}), testing::SizeIs(6)) << "it has spoken";
  EXPECT_THAT(crowd.back()->Ask({3, 0, 0, 0, 2}), testing::SizeIs(6));
  EXPECT_TRUE(crowd.front()->IsClosed());
}

TEST_F(ModbusServerTest, APortInUseIsAFaultOfItsElement) {
  IoRig rig(Server());
  IoRig other(Server());
  EXPECT_THAT(ToText(other.diagnostics), HasSubstr("rig.xml:8: error: /plc: port " + std::to_string(port_) +
                                                   " is in use; choose another one"));
}

TEST_F(ModbusServerTest, TheNetworkIsOpenedOnlyWhereItIsAllowed) {
  IoRig refused(Server("listen=\"0.0.0.0\""));
  EXPECT_THAT(ToText(refused.diagnostics), HasSubstr("allow the network with --io network"));
  IoRig allowed(Server("listen=\"0.0.0.0\""), IoReach::kNetwork);
  EXPECT_THAT(ToText(allowed.diagnostics), IsEmpty());
  IoRig none(Server(), IoReach::kNone);
  EXPECT_THAT(ToText(none.diagnostics), IsEmpty());
  IoRig name(Server("listen=\"plc.example\""), IoReach::kNetwork);
  EXPECT_THAT(ToText(name.diagnostics), HasSubstr("not an IP address"));
}

/// What a program writes; the test is skipped where it is absent.
class ForeignClientTest : public ModbusServerTest {
 protected:
  std::optional<ProgramResult> Call(const std::string& program, const std::vector<std::string>& arguments) {
    return RunProgram(program, arguments, "");
  }
};

TEST_F(ForeignClientTest, MbpollReadsAndWrites) {
  IoRig rig(Server());
  rig.Step();
  const std::string port = std::to_string(port_);
  const auto read =
      Call("mbpoll", {"-m", "tcp", "-p", port, "-t", "4:float", "-B", "-0", "-r", "0", "-1", "127.0.0.1"});
  if (!read) GTEST_SKIP() << "mbpoll is not installed";
  EXPECT_THAT(read->output, HasSubstr("[0]: \t10\n")) << read->messages;
  const auto written =
      Call("mbpoll", {"-m", "tcp", "-p", port, "-t", "4:float", "-B", "-0", "-r", "0", "127.0.0.1", "12.5"});
  ASSERT_TRUE(written);
  rig.Step();
  EXPECT_EQ(rig.Read("load.mass"), 12.5) << written->output << written->messages;
}

TEST_F(ForeignClientTest, PymodbusReadsWritesAndIsRefused) {
  IoRig rig(Server());
  rig.Step();
  const std::string script = R"(
import sys
from pymodbus.client import ModbusTcpClient
c = ModbusTcpClient('127.0.0.1', port=int(sys.argv[1]))
assert c.connect()
print([hex(r) for r in c.read_holding_registers(0, 3, slave=1).registers])
print(c.write_registers(0, [0x40a0, 0], slave=1).isError())
print(c.write_registers(0, [0x7fc0, 0], slave=1).exception_code)
print(c.read_holding_registers(500, 1, slave=1).exception_code)
print(hex(c.readwrite_registers(read_address=0, read_count=2, write_address=2, write_registers=[60], slave=1).registers[0]))
print(c.mask_write_register(address=2, and_mask=0xfff0, or_mask=5, slave=1).isError())
from pymodbus.mei_message import ReadDeviceInformationRequest
print(c.execute(ReadDeviceInformationRequest(read_code=1, unit=1)).information[0])
)";
  const auto run = Call("/usr/bin/python3", {"-c", script, std::to_string(port_)});
  if (!run || run->messages.find("No module named") != std::string::npos)
    GTEST_SKIP() << "python3-pymodbus is not installed";
  // 10 = 4120 0000; 5 = 40a0 0000; (60 & fff0) | 5 = 53
  EXPECT_EQ(run->output, "['0x4120', '0x0', '0x28']\nFalse\n3\n2\n0x40a0\nFalse\nb'davit'\n")
      << run->messages;
  rig.Step();
  EXPECT_EQ(rig.Read("load.mass"), 5);
  EXPECT_EQ(rig.Read("spring.stiffness"), 530);
}

}  // namespace
}  // namespace davit
