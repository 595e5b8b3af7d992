// A run and a controller that alternate: whatever time the controller takes, the run is the same bit for bit,
// over each protocol.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <thread>

#include "io/mqtt_payload.h"
#include "io/net/frame_server.h"
#include "io/net/mqtt_connection.h"
#include "io/register_bank.h"
#include "simulator/simulation_failure.h"
#include "tests/io/broker.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr int kSteps = 100;

/// The law of the controller: the stiffness of the spring for a position.
float StiffnessFor(float x) { return 400 + 2000 * x; }

/// Takes a different time for each step and each seed.
void Dawdle(unsigned seed, unsigned step) {
  std::this_thread::sleep_for(std::chrono::microseconds((seed * 7919 + step * 104729) % 700));
}

/// The positions of a run with `interfaces`.
std::vector<double> Trace(IoRig& rig) {
  EXPECT_EQ(ToText(rig.diagnostics), "");
  std::vector<double> positions;
  positions.reserve(kSteps);
  for (int i = 0; i < kSteps; ++i) {
    rig.Step();
    positions.push_back(rig.Read("load.x"));
  }
  return positions;
}

/// The same where nobody is outside: the law is applied before each step.
std::vector<double> Expected() {
  IoRig rig("");
  Simulation& simulation = rig.simulation();
  TreeItem stiffness = *TreeItem::Find(simulation.system(), "spring.stiffness", nullptr);
  std::vector<double> positions;
  positions.reserve(kSteps);
  for (int i = 0; i < kSteps; ++i) {
    const float value = StiffnessFor(static_cast<float>(rig.Read("load.x")));
    simulation.manager().Submit(
        {.time = simulation.time(), .sender = "test", .action = stiffness.LaterWriteOf(value)});
    rig.Step();
    positions.push_back(rig.Read("load.x"));
  }
  return positions;
}

/// A controller in a thread of its own, as long as it lives.
class Controller {
 public:
  explicit Controller(std::function<void(const std::atomic<bool>& is_over)> run)
      : thread_([this, run = std::move(run)] { run(is_over_); }) {}
  ~Controller() {
    is_over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// The words of a float and of a number, the most significant first.
std::array<std::uint16_t, 2> WordsOf(std::uint32_t bits) {
  return {static_cast<std::uint16_t>(bits >> 16), static_cast<std::uint16_t>(bits)};
}
std::uint32_t BitsOf(const modbus::Bytes& answer, std::size_t at) {
  return std::uint32_t{answer[at]} << 24 | std::uint32_t{answer[at + 1]} << 16 |
         std::uint32_t{answer[at + 2]} << 8 | answer[at + 3];
}

constexpr const char* kRegisters = R"(
  <Register item="load.x" table="input" address="0"/>
  <Register item="plc.step" table="input" address="2" type="uint32"/>
  <Register item="spring.stiffness" address="0" access="write"/>
  <Register item="plc.answer" address="2" type="uint32" access="write"/>)";

std::string ModbusServerElement(std::uint16_t port, const std::string& attributes) {
  return "<ModbusServer name=\"plc\" port=\"" + std::to_string(port) + "\" " + attributes + ">" + kRegisters +
         "</ModbusServer>";
}

/// A client: asks for the step, then for the position, and writes both answers apart.
void RunModbusClient(std::uint16_t port, unsigned seed, unsigned last, const std::atomic<bool>& is_over) {
  ModbusTester plc(port);
  std::uint32_t answered = 0;
  while (!is_over && answered < last) {
    const modbus::Bytes step = plc.Ask({4, 0, 2, 0, 2});
    if (step.size() != 6) return;
    if (BitsOf(step, 2) == answered) continue;
    answered = BitsOf(step, 2);
    Dawdle(seed, answered);
    const auto x = std::bit_cast<float>(BitsOf(plc.Ask({4, 0, 0, 0, 2}), 2));
    for (const auto& [address, bits] :
         {std::pair<std::uint16_t, std::uint32_t>(0, std::bit_cast<std::uint32_t>(StiffnessFor(x))),
          std::pair<std::uint16_t, std::uint32_t>(2, answered)})
      plc.Ask(modbus::WriteRequest(modbus::Table::kHolding, address, WordsOf(bits)));
  }
}

TEST(LockStepTest, AModbusClientIsWaitedFor) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const std::uint16_t port = FreePort();
    IoRig rig(ModbusServerElement(port, "lock_step=\"10 ms\""));
    const Controller controller(
        [&](const std::atomic<bool>& is_over) { RunModbusClient(port, seed, kSteps, is_over); });
    EXPECT_EQ(Trace(rig), Expected()) << seed;
  }
}

/// A Modbus server of a controller, with its law.
class ModbusDevice {
 public:
  ModbusDevice(std::uint16_t port, unsigned seed)
      : board_(4),
        bank_({{modbus::Table::kHolding, 0, {}, true, 0},
               {modbus::Table::kHolding, 2, {.type = WireType::kUint32}, true, 1},
               {modbus::Table::kHolding, 200, {}, false, 2},
               {modbus::Table::kHolding, 100, {.type = WireType::kUint32}, false, 3}},
              board_, [](std::size_t, double) { return true; }),
        server_(ListenTcp(*Endpoint::Read("127.0.0.1", port)),
                [this](modbus::ByteSpan bytes, modbus::Bytes& answer) -> std::size_t {
                  const modbus::FrameSearch found = modbus::FindFrame(bytes);
                  if (found.result != modbus::FrameSearch::Result::kFrame) return 0;
                  modbus::AddFrame(found.frame.transaction, found.frame.unit,
                                   modbus::Answer(found.frame.pdu, bank_, {}), answer);
                  return found.frame.size;
                }),
        controller_([this, seed](const std::atomic<bool>& is_over) { Run(seed, is_over); }) {}

 private:
  void Run(unsigned seed, const std::atomic<bool>& is_over) {
    std::vector<double> values(4);
    std::vector<ValueBoard::Write> writes;
    while (!is_over) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      board_.TakeWrites(writes);
      for (const auto& [item, value] : writes) values[item] = value;
      if (values[1] == values[3]) continue;
      Dawdle(seed, static_cast<unsigned>(values[1]));
      values[3] = values[1];
      values[2] = StiffnessFor(static_cast<float>(values[0]));
      board_.Publish(values);
    }
  }

  ValueBoard board_;
  RegisterBank bank_;
  FrameServer server_;
  Controller controller_;
};

TEST(LockStepTest, AModbusServerIsWaitedFor) {
  for (const unsigned seed : {1U, 2U}) {
    const std::uint16_t port = FreePort();
    const ModbusDevice device(port, seed);
    IoRig rig("<ModbusClient name=\"plc\" lock_step=\"10 ms\" port=\"" + std::to_string(port) + R"(">
      <Register item="load.x" address="0"/>
      <Register item="plc.step" address="2" type="uint32"/>
      <Register item="plc.answer" address="100" type="uint32" access="write"/>
      <Register item="spring.stiffness" address="200" access="write"/>
    </ModbusClient>)");
    EXPECT_EQ(Trace(rig), Expected()) << seed;
  }
}

TEST(LockStepTest, PacketsAreWaitedFor) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const std::uint16_t to_controller = PortOf(BindUdp(*Endpoint::Read("127.0.0.1", 0)));
    const std::uint16_t to_plant = PortOf(BindUdp(*Endpoint::Read("127.0.0.1", 0)));
    IoRig rig(
        "<UdpIn name=\"in\" lock_step=\"10 ms\" port=\"" + std::to_string(to_plant) +
        "\"><PacketField item=\"spring.stiffness\"/><PacketField item=\"in.answer\" type=\"uint32\"/></UdpIn>"
        "<UdpOut name=\"out\" port=\"" +
        std::to_string(to_controller) +
        "\"><PacketField item=\"load.x\"/><PacketField item=\"in.step\" type=\"uint32\"/></UdpOut>");
    const Controller controller([&](const std::atomic<bool>& is_over) {
      // It begins late, so the first packet is lost; it also loses others.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const Descriptor in = BindUdp(*Endpoint::Read("127.0.0.1", to_controller));
      const Descriptor out = ConnectUdp(*Endpoint::Read("127.0.0.1", to_plant));
      const WakeUp never;
      for (unsigned packets = 0; !is_over; ++packets) {
        if (!WaitFor(in, POLLIN, never, std::chrono::steady_clock::now() + std::chrono::milliseconds(20)))
          continue;
        modbus::Bytes packet(8);
        if (recv(in.number(), packet.data(), 8, 0) != 8 || packets % 40 == seed) continue;
        Dawdle(seed, packets);
        const auto stiffness =
            std::bit_cast<std::uint32_t>(StiffnessFor(std::bit_cast<float>(BitsOf(packet, 0))));
        for (std::size_t i = 0; i < 4; ++i) packet[i] = static_cast<std::uint8_t>(stiffness >> (24 - 8 * i));
        send(out.number(), packet.data(), packet.size(), MSG_NOSIGNAL);
      }
    });
    EXPECT_EQ(Trace(rig), Expected()) << seed;
  }
}

TEST(LockStepTest, TopicsAreWaitedFor) {
  if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
  const Broker broker;
  for (const std::string qos : {"0", "2"}) {
    IoRig rig("<Mqtt name=\"plc\" lock_step=\"10 ms\" port=\"" + std::to_string(broker.port()) + R"(">
      <Topic item="load.x" topic="state" member="x" qos=")" +
              qos + R"("/><Topic item="plc.step" topic="state" member="step" qos=")" + qos + R"("/>
      <Topic item="spring.stiffness" topic="command" member="stiffness" access="write"/>
      <Topic item="plc.answer" topic="command" member="answer" access="write"/>
    </Mqtt>)");
    const Controller controller([&](const std::atomic<bool>& is_over) {
      const std::vector<mqtt::Field> state{{.member = "x", .item = 0}, {.member = "step", .item = 1}};
      const std::vector<mqtt::Field> command{{.member = "stiffness", .item = 0},
                                             {.member = "answer", .item = 1}};
      std::vector<ValueBoard::Write> values;
      std::optional<std::vector<double>> answer;
      MqttConnection connection(
          {.host = "127.0.0.1",
           .port = broker.port(),
           .client_id = {},
           .user = {},
           .password = {},
           .ca = {},
           .certificate = {},
           .key = {},
           .status = {}},
          [&](std::string_view /*topic*/, std::string_view payload) {
            ASSERT_EQ(mqtt::Read(payload, state, values), "");
            answer = {StiffnessFor(static_cast<float>(values[0].second)), values[1].second};
          });
      WakeUp news;
      const WakeUp end;
      ASSERT_EQ(connection.Open(end), "");
      for (bool is_subscribed = false; !is_over;) {
        ASSERT_EQ(
            connection.Serve(news, end, std::chrono::steady_clock::now() + std::chrono::milliseconds(20)),
            "");
        if (connection.is_accepted() && !std::exchange(is_subscribed, true)) connection.Subscribe("state", 2);
        if (!answer) continue;
        Dawdle(1, static_cast<unsigned>((*answer)[1]));
        connection.Publish("command", mqtt::Write(command, *answer).value(), 0, false);
        answer.reset();
      }
    });
    EXPECT_EQ(Trace(rig), Expected()) << qos;
  }
}

TEST(LockStepTest, APartnerThatStopsEndsTheRun) {
  const std::uint16_t port = FreePort();
  IoRig rig(ModbusServerElement(port, "lock_step=\"20 ms\" timeout=\"200 ms\""));
  const Controller controller(
      [&](const std::atomic<bool>& is_over) { RunModbusClient(port, 1, 3, is_over); });
  for (int i = 0; i < 6; ++i) rig.Step();
  try {
    rig.Step();
    FAIL() << "the fourth exchange has no answer";
  } catch (const SimulationFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("/plc: no answer to step 4 of lock step within 0.2"));
    EXPECT_NEAR(failure.time(), 0.06, 1e-9);
  }
  EXPECT_TRUE(rig.Logged("alarm Silent set"));
}

TEST(LockStepTest, ARequestToStopEndsTheWait) {
  IoRig rig(ModbusServerElement(FreePort(), "lock_step=\"10 ms\""));
  const Controller controller([&](const std::atomic<bool>&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    rig.simulation().RequestStop();
  });
  const auto begin = std::chrono::steady_clock::now();
  rig.Exchange();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(LockStepTest, WithoutStepOrAnswerItIsRefused) {
  const auto fault = [](const std::string& interfaces) { return IoRig::FaultsOf(interfaces); };
  const std::string begin = "<ModbusServer name=\"plc\" port=\"1502\" lock_step=\"10 ms\"";
  const std::string step = "<Register item=\"plc.step\" address=\"0\"/>";
  const std::string answer = "<Register item=\"plc.answer\" address=\"2\" access=\"write\"/>";
  EXPECT_EQ(fault(begin + ">" + step + answer + "</ModbusServer>"), "");
  EXPECT_THAT(
      fault(begin + ">" + step + "</ModbusServer>"),
      HasSubstr(
          "rig.xml:8: error: /plc: lock step without an answer; let the partner write item=\"plc.answer\""));
  EXPECT_THAT(fault(begin + ">" + answer + "</ModbusServer>"),
              HasSubstr("/plc: lock step without a step; give the partner item=\"plc.step\" to read"));
  EXPECT_THAT(fault(begin + " rate=\"50 Hz\">" + step + answer + "</ModbusServer>"),
              HasSubstr("/plc: both rate and lock_step"));
}

}  // namespace
}  // namespace davit
