// The controllers that ship, in systems/controllers: they move the boom, and a run in lock step with them
// repeats bit for bit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "results/program.h"
#include "tests/io/broker.h"
#include "tests/io/io_rig.h"
#include "tests/support/child_program.h"

namespace davit {
namespace {

using testing::IsEmpty;

const std::string kFolder = std::string(DAVIT_SOURCE_DIR) + "/systems/controllers/";

class ControllersTest : public testing::Test {
 protected:
  ~ControllersTest() override { std::filesystem::remove_all(folder_); }

  struct Result {
    ProgramResult run;
    ProgramResult controller;
    std::string csv;
  };

  /// A run of boom_PROTOCOL.xml with boom.py, by a command of davit.
  Result Run(const std::string& protocol, std::uint16_t port, std::vector<std::string> options,
             const std::string& command = "run") {
    std::filesystem::create_directories(folder_);
    auto controller = std::async(std::launch::async, [&] {
      return RunProgram("/usr/bin/python3", {kFolder + "boom.py", protocol, "--port", std::to_string(port)},
                        "");
    });
    Result result = RunAlone(protocol, port, std::move(options), command);
    result.controller = controller.get().value();
    return result;
  }

  /// The same for another controller.
  Result RunAlone(const std::string& variant, std::uint16_t port, std::vector<std::string> options,
                  const std::string& command = "run") {
    const std::string csv = (folder_ / "boom.csv").string();
    options.insert(options.begin(), {command, kFolder + "boom_" + variant + ".xml", "--quiet", "-o", csv,
                                     "--set", "plc.port=" + std::to_string(port)});
    Result result{RunProgram(DAVIT_BINARY, options, "").value(), {}, {}};
    std::ostringstream text;
    text << std::ifstream(csv).rdbuf();
    result.csv = text.str();
    return result;
  }

  /// The last angle of the boom [deg].
  static double LastAngle(const std::string& csv) {
    const std::size_t line = csv.rfind('\n', csv.size() - 2) + 1;
    return std::stod(csv.substr(csv.find(',', line) + 1)) * 180 / std::numbers::pi;
  }

  void ExpectLockStepRepeats(const std::string& protocol, std::uint16_t port) {
    std::set<std::string> results;
    for (int i = 0; i < 5; ++i) {
      const Result result = Run(protocol, port, {"--set", "plc.lock_step=10 ms"});
      ASSERT_EQ(result.run.exit_code, 0) << result.run.messages << result.controller.messages;
      EXPECT_EQ(result.controller.exit_code, 0) << result.controller.messages;
      EXPECT_NEAR(LastAngle(result.csv), 45, 1) << "proportional, with a dead band of the valve of 0.02";
      results.insert(result.csv);
    }
    EXPECT_EQ(results.size(), 1U);
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("controllers_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ControllersTest, OverModbusInLockStep) { ExpectLockStepRepeats("modbus", FreePort()); }

TEST_F(ControllersTest, OverMqttInLockStep) {
  if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
  if (RunProgram("/usr/bin/python3", {"-c", "import paho.mqtt.client"}, "")->exit_code != 0)
    GTEST_SKIP() << "python3-paho-mqtt is not installed";
  const Broker broker;
  ExpectLockStepRepeats("mqtt", broker.port());
}

TEST_F(ControllersTest, InLockStepAServedRunIsTheSame) {
  const std::uint16_t port = FreePort();
  const std::vector<std::string> lock_step{"--set", "plc.lock_step=10 ms"};
  const Result run = Run("modbus", port, lock_step);
  ASSERT_EQ(run.run.exit_code, 0) << run.run.messages << run.controller.messages;
  for (const std::vector<std::string>& pace : {std::vector<std::string>{"--free"}, {"--realtime", "10"}}) {
    std::vector<std::string> options = lock_step;
    options.insert(options.end(), {"--port", "0", "--until-finished"});
    options.insert(options.end(), pace.begin(), pace.end());
    const Result served = Run("modbus", port, options, "serve");
    ASSERT_EQ(served.run.exit_code, 0) << served.run.messages << served.controller.messages;
    EXPECT_EQ(served.controller.exit_code, 0) << served.controller.messages;
    EXPECT_TRUE(served.csv == run.csv) << pace.front();
  }
}

TEST_F(ControllersTest, WithoutARunTheScriptSaysWhatIsMissing) {
  for (const std::string protocol : {"modbus", "mqtt"}) {
    const ProgramResult controller =
        RunProgram("/usr/bin/python3",
                   {kFolder + "boom.py", protocol, "--port", std::to_string(FreePort()), "--patience", "0.1"},
                   "")
            .value();
    if (controller.messages.starts_with("paho-mqtt is not installed")) continue;
    EXPECT_EQ(controller.exit_code, 1);
    EXPECT_THAT(controller.messages,
                testing::MatchesRegex("nobody listens at 127.0.0.1:.*; start davit or the broker.*\n"));
  }
}

TEST_F(ControllersTest, InRealTime) {
  const Result result = Run("modbus", FreePort(), {"--realtime", "--stop", "8 s"});
  EXPECT_EQ(result.run.exit_code, 0) << result.run.messages;
  EXPECT_NEAR(LastAngle(result.csv), 45, 1);
}

/// Copies a file of systems/controllers into `folder`, with the port of this test in place of another.
void CopyWithPort(const std::string& name, const std::filesystem::path& folder, const std::string& usual,
                  std::uint16_t port) {
  std::ostringstream text;
  text << std::ifstream(kFolder + name).rdbuf();
  std::string copy = text.str();
  const std::size_t at = copy.find(usual);
  ASSERT_NE(at, std::string::npos) << name;
  std::ofstream(folder / name) << copy.replace(at, usual.size(), std::to_string(port));
}

/// ClassicLadder without a screen: HAL, its ladder program, and mb2hal for Modbus.
TEST_F(ControllersTest, TheLadderProgramMovesTheBoom) {
  if (!std::filesystem::exists("/usr/bin/mb2hal")) GTEST_SKIP() << "linuxcnc-uspace is not installed";
  const std::uint16_t port = FreePort();
  std::filesystem::create_directories(folder_);
  CopyWithPort("boom_ladder.ini", folder_, "1502", port);
  for (const std::string name : {"boom_ladder.clp", "boom_ladder.hal"})
    std::filesystem::copy_file(kFolder + name, folder_ / name);
  // LinuxCNC does not run as root: it becomes this user, who makes a FIFO here.
  std::filesystem::permissions(folder_, std::filesystem::perms::all);
  const std::vector<std::string> hal{"-C", folder_.string(), "RTAPI_UID=65534",
                                     "RTAPI_FIFO_PATH=" + (folder_ / "fifo").string(), "/usr/bin/halrun"};
  std::vector<std::string> start{"/usr/bin/env"};
  start.insert(start.end(), hal.begin(), hal.end());
  start.emplace_back("boom_ladder.hal");
  ChildProgram ladder(start);
  const Result result = RunAlone("words", port, {"--realtime", "--stop", "10 s"});
  std::vector<std::string> stop = hal;
  stop.emplace_back("-U");
  RunProgram("/usr/bin/env", stop, "");
  ladder.Finish();
  EXPECT_EQ(result.run.exit_code, 0) << result.run.messages << ladder.out() << ladder.err();
  EXPECT_NEAR(LastAngle(result.csv), 45, 1) << ladder.out() << ladder.err();
}

/// Node-RED itself. DAVIT_NODE_RED names a folder in which `npm install node-red` was run.
TEST_F(ControllersTest, NodeRedMovesTheBoom) {
  const char* const packages = std::getenv("DAVIT_NODE_RED");
  if (packages == nullptr) GTEST_SKIP() << "DAVIT_NODE_RED names no folder with the package node-red";
  if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
  const Broker broker;
  std::filesystem::create_directories(folder_);
  CopyWithPort("boom_flow.json", folder_, "1883", broker.port());
  std::ofstream(folder_ / "settings.js")
      << "module.exports = {uiHost: '127.0.0.1', uiPort: " << FreePort()
      << ", httpAdminRoot: false, httpNodeRoot: false, flowFile: 'boom_flow.json'};\n";
  ChildProgram node_red({"/usr/bin/env", "node", std::string(packages) + "/node_modules/node-red/red.js",
                         "--userDir", folder_.string()});
  const Result result = RunAlone("mqtt", broker.port(), {"--realtime", "--stop", "25 s"});
  EXPECT_EQ(result.run.exit_code, 0) << result.run.messages;
  EXPECT_NEAR(LastAngle(result.csv), 45, 1);
}

/// A script that looks at the flow of Node-RED, and prints what is wrong.
ProgramResult CheckFlow(const std::string& script) {
  return RunProgram("/usr/bin/python3",
                    {"-c",
                     "import json, re, sys\nimport xml.etree.ElementTree as xml\nsys.dont_write_bytecode = "
                     "True\nsys.path.insert(0, '" +
                         kFolder + "')\nflow = json.load(open('" + kFolder +
                         "boom_flow.json'))\nsystem = xml.parse('" + kFolder + "boom_mqtt.xml').getroot()\n" +
                         script},
                    "")
      .value();
}

TEST(NodeRedFlowTest, TopicsAndMembersAreThoseOfTheSystem) {
  const ProgramResult check = CheckFlow(R"(
ns = '{urn:davit:system:1}'
mqtt = system.find(ns + 'Mqtt')
rows = mqtt.findall(ns + 'Topic')
written = {r.get('topic') for r in rows if r.get('access') == 'write'}
read = {r.get('topic') for r in rows} - written | {mqtt.get('status')}
for node in flow:
    if node['type'] == 'mqtt in' and node['topic'] not in read: print('not published:', node['topic'])
    if node['type'] == 'mqtt out' and node['topic'] not in written: print('not taken:', node['topic'])
    for wire in sum(node.get('wires', []), []):
        if wire not in {n['id'] for n in flow}: print('no node:', wire)
    if 'broker' in node and node['type'] != 'mqtt-broker' and node['broker'] not in {n['id'] for n in flow}: print('no broker:', node)
function = next(n['func'] for n in flow if n['type'] == 'function')
members = {r.get('member') for r in rows}
used = set(re.findall(r'msg\.payload\.(\w+)', function)) | set(re.findall(r'[{,] ?(\w+):', function.split('payload: ', 1)[1]))
if not used or not used <= members: print('members:', used - members)
broker = next(n for n in flow if n['type'] == 'mqtt-broker')
if (broker['broker'], broker['port']) != ('127.0.0.1', mqtt.get('port')): print('broker:', broker)
)");
  EXPECT_EQ(check.exit_code, 0) << check.messages;
  EXPECT_THAT(check.output, IsEmpty());
}

TEST(NodeRedFlowTest, ItsLawIsThatOfTheScript) {
  if (!RunProgram("node", {"--version"}, "")) GTEST_SKIP() << "node is not installed";
  const ProgramResult check = CheckFlow(R"(
import subprocess, boom
function = next(n['func'] for n in flow if n['type'] == 'function')
calls = [(goal, angle) for goal in (25, 45) for angle in (9, 24.7, 25, 44.1, 55)]
script = 'const kept = {}; const context = {set: (k, v) => { kept[k] = v; }, get: k => kept[k]};' \
    'const f = new Function("msg", "context", ' + json.dumps(function) + ');' \
    'for (const [goal, angle] of ' + json.dumps(calls) + ') { f({topic: "goal", payload: goal}, context);' \
    'console.log(f({topic: "boom/state", payload: {angle: angle, step: 7}}, context).payload.lever); }'
levers = subprocess.run(['node', '-e', script], capture_output=True, text=True, check=True).stdout.split()
print([float(lever) for lever in levers] == [boom.lever(*call) for call in calls])
)");
  EXPECT_EQ(check.output, "True\n") << check.messages;
}

}  // namespace
}  // namespace davit
