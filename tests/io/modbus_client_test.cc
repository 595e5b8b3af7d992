// A run that asks a Modbus server: another run of davit, and one of another maker.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>

#include "io/modbus.h"
#include "results/program.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(RegisterBlockTest, NeighboursAreOneRequestUpToItsLimit) {
  std::vector<RegisterPlace> places;
  for (std::size_t i = 0; i < 100; ++i)
    places.push_back({.address = static_cast<std::uint16_t>(2 * i), .is_writable = true, .item = i});
  places.push_back({.address = 300, .is_writable = true, .item = 100});
  places.push_back({.address = 302, .is_writable = false, .item = 101});
  const std::vector<RegisterBlock> blocks = BlocksOf(places);
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[0].words, 124U) << "a number is not divided: 62 of two registers each";
  EXPECT_EQ(blocks[1].address, 124);
  EXPECT_EQ(blocks[1].words, 76U);
  EXPECT_EQ(blocks[2].address, 300) << "a gap";
  EXPECT_FALSE(blocks[3].is_asked) << "the other way";
}

class ModbusClientTest : public testing::Test {
 protected:
  /// The controller: its mass is what the plant gets, and the position of the plant becomes its stiffness.
  std::string Server() const {
    return "<ModbusServer name=\"device\" port=\"" + std::to_string(port_) + R"(">
      <Register item="load.mass" address="1" type="int16" scale="0.1 kg"/>
      <Register item="spring.stiffness" address="10" access="write"/>
    </ModbusServer>)";
  }
  std::string Client() const {
    return "<ModbusClient name=\"plc\" rate=\"500 Hz\" timeout=\"500 ms\" port=\"" + std::to_string(port_) +
           R"(">
      <Register item="load.mass" address="1" type="int16" scale="0.1 kg" access="write" safe="33 kg"/>
      <Register item="spring.stiffness" address="10"/>
    </ModbusClient>)";
  }

  const std::uint16_t port_ = FreePort();
};

TEST_F(ModbusClientTest, ValuesGoBothWays) {
  IoRig device(Server());
  device.Step();
  IoRig rig(Client());
  device.simulation().WriteText("load.mass", "12.5 kg");
  rig.simulation().WriteText("spring.stiffness", "250 N/m");
  ASSERT_TRUE(rig.StepUntil([&] {
    device.Step();
    return rig.Read("load.mass") == 12.5 && device.Read("spring.stiffness") == 250;
  }));
  EXPECT_FALSE(rig.Logged("alarm Silent set"));
}

TEST_F(ModbusClientTest, AServerThatDisappearsIsMissedAndFoundAgain) {
  std::optional<IoRig> device(Server());
  device->Step();
  IoRig rig(Client());
  ASSERT_TRUE(rig.StepUntil([&] { return rig.simulation().time() > 0.1; }));
  device.reset();
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 33; })) << "the safe value";
  EXPECT_TRUE(rig.Logged("alarm Silent set"));
  EXPECT_THAT(rig.Requests(), Contains(HasSubstr("event=\"plc.silent\"")));
  device.emplace(Server());
  device->Step();
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 10; })) << "it connects again by itself";
  EXPECT_TRUE(rig.Logged("alarm Silent cleared"));
}

TEST_F(ModbusClientTest, AServerThatWasNeverThereIsMissed) {
  IoRig rig(Client());
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 33; }));
}

TEST_F(ModbusClientTest, WhatTheItemDoesNotTakeIsNotTaken) {
  IoRig device("<ModbusServer name=\"device\" port=\"" + std::to_string(port_) + R"(">
      <Register item="load.x" address="1" type="int16"/>
      <Register item="spring.stiffness" address="10" access="write"/>
    </ModbusServer>)");
  device.Step();
  IoRig rig(Client());
  // The register is round(x) = 0, and a mass of 0 kg is none.
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Logged("alarm Silent set"); })) << "no valid values: no partner";
  EXPECT_EQ(rig.Read("load.mass"), 33);
}

TEST_F(ModbusClientTest, TheDeviceIsOfAnotherMaker) {
  if (RunProgram("/usr/bin/python3", {"-c", "import pymodbus.server"}, "")->exit_code != 0)
    GTEST_SKIP() << "python3-pymodbus is not installed";
  // It ends when register 20 is written, or after a minute.
  const std::string script = R"(
import os, sys, threading
from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartTcpServer

class Block(ModbusSequentialDataBlock):
    def setValues(self, address, values):
        super().setValues(address, values)
        if address == 20:
            threading.Timer(0.2, os._exit, [0]).start()

threading.Timer(60, os._exit, [1]).start()
block = Block(0, [0] * 100)
block.setValues(1, [125])
slave = ModbusSlaveContext(hr=block, zero_mode=True)
StartTcpServer(context=ModbusServerContext(slaves=slave, single=True), address=('127.0.0.1', int(sys.argv[1])))
)";
  auto device = std::async(std::launch::async, [&] {
    return RunProgram("/usr/bin/python3", {"-c", script, std::to_string(port_)}, "").value();
  });
  IoRig rig(Client());
  rig.simulation().WriteText("spring.stiffness", "250 N/m");
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 12.5; }));
  ModbusTester tester(port_);
  const modbus::Bytes stiffness{3, 4, 0x43, 0x7a, 0, 0};  // 250 as a float
  EXPECT_TRUE(rig.StepUntil([&] { return tester.Ask({3, 0, 10, 0, 2}) == stiffness; }));
  tester.Ask({6, 0, 1, 0, 200});
  EXPECT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 20; }));
  tester.Ask({6, 0, 20, 0, 1});
  EXPECT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 33; })) << "the safe value: it has ended";
  const ProgramResult ended = device.get();
  EXPECT_EQ(ended.exit_code, 0) << ended.messages;
}

}  // namespace
}  // namespace davit
