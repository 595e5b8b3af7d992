// Frames of davit on the wire, as tshark reads them: none is malformed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <future>

#include "tests/io/broker.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::IsEmpty;

class CaptureTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!RunProgram("tshark", {"--version"}, "")) GTEST_SKIP() << "tshark is not installed";
    std::filesystem::create_directories(Broker::folder());
  }
  ~CaptureTest() override { std::filesystem::remove_all(Broker::folder()); }

  /// Calls `exchange` again and again while tshark captures a port. Returns whether it could capture.
  template <class Exchange>
  bool Capture(std::uint16_t port, const Exchange& exchange) {
    auto capture = std::async(std::launch::async, [&] {
      return RunProgram(
                 "tshark",
                 {"-i", "lo", "-f", "tcp port " + std::to_string(port), "-a", "duration:4", "-w", file_}, "")
          .value();
    });
    while (capture.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      std::error_code none;
      if (std::filesystem::file_size(file_, none) > 0 && !none) exchange();
    }
    return capture.get().exit_code == 0;
  }

  /// The protocols of the frames that pass a filter, a line each.
  std::string Frames(std::uint16_t port, const std::string& protocol, const std::string& filter) const {
    const ProgramResult result =
        RunProgram("tshark",
                   {"-r", file_, "-d", "tcp.port==" + std::to_string(port) + "," + protocol, "-Y", filter},
                   "")
            .value();
    EXPECT_EQ(result.exit_code, 0) << result.messages;
    return result.output;
  }
  void ExpectWellFormed(std::uint16_t port, const std::string& protocol, const std::string& frames) const {
    const std::string all = Frames(port, protocol, frames);
    EXPECT_GT(std::ranges::count(all, '\n'), 100) << all;
    EXPECT_THAT(Frames(port, protocol, "_ws.malformed or _ws.expert.severity == error"), IsEmpty());
  }

  const std::string file_ = (Broker::folder() / "capture.pcapng").string();
};

TEST_F(CaptureTest, ModbusIsWellFormed) {
  const std::uint16_t port = FreePort();
  IoRig device("<ModbusServer name=\"device\" port=\"" + std::to_string(port) + R"(">
    <Register item="load.mass" address="0" access="write"/>
    <Register item="spring.stiffness" address="2" type="uint16" access="write"/>
    <Register item="load.x" table="input" address="0"/></ModbusServer>)");
  device.Step();
  IoRig rig("<ModbusClient name=\"plc\" rate=\"500 Hz\" port=\"" + std::to_string(port) + R"(">
    <Register item="load.mass" address="0"/>
    <Register item="spring.stiffness" address="2" type="uint16" access="write"/></ModbusClient>)");
  ModbusTester tester(port);
  if (!Capture(port, [&] {
        device.Step();
        rig.Step();
        for (const modbus::Bytes& request : std::vector<modbus::Bytes>{{4, 0, 0, 0, 2},
                                                                       {3, 1, 0, 0, 1},
                                                                       {16, 0, 0, 0, 2, 4, 0x7f, 0xc0, 0, 0},
                                                                       {22, 0, 2, 0xff, 0xff, 0, 0},
                                                                       {23, 0, 0, 0, 2, 0, 2, 0, 1, 2, 0, 60},
                                                                       {43, 14, 1, 0},
                                                                       {99}})
          tester.Ask(request);
      }))
    GTEST_SKIP() << "tshark may not capture here";
  ExpectWellFormed(port, "mbtcp", "mbtcp");
}

TEST_F(CaptureTest, MqttIsWellFormed) {
  if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
  const Broker broker;
  const std::string begin = "<Mqtt port=\"" + std::to_string(broker.port()) + "\" status=\"status\" name=";
  std::optional<IoRig> rig;
  int steps = 0;
  if (!Capture(broker.port(), [&] {
        if (steps++ % 500 == 0)  // another connection
          rig.emplace(begin + R"("old"><Topic item="load.x" topic="x" qos="1" retained="true"/>
            <Topic item="load.v" topic="v" member="v" qos="2"/></Mqtt>)" +
                      begin + R"("new" version="5"><Topic item="load.mass" topic="x" access="write" qos="2"/>
            <Topic item="load.x" topic="y" qos="2"/></Mqtt>)");
        rig->Step();
      }))
    GTEST_SKIP() << "tshark may not capture here";
  ExpectWellFormed(broker.port(), "mqtt", "mqtt");
}

}  // namespace
}  // namespace davit
