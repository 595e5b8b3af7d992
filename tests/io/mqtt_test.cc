// A run and an MQTT broker of another maker, with its clients as partners.

#include "io/mqtt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>

#include "tests/io/broker.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class MqttTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
    broker_.emplace();
  }
  void TearDown() override { std::filesystem::remove_all(Broker::folder()); }

  std::string Element(const std::string& topics, const std::string& attributes = "timeout=\"500 ms\"") const {
    return "<Mqtt name=\"plc\" port=\"" + std::to_string(broker_->port()) + "\" " + attributes + ">\n" +
           topics + "</Mqtt>\n";
  }
  std::vector<std::string> With(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"-h", "127.0.0.1", "-p", std::to_string(broker_->port())});
    return arguments;
  }
  /// By the client of the broker.
  void Send(const std::string& topic, const std::string& payload, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"-t", topic, "-m", payload});
    const auto sent = RunProgram("mosquitto_pub", With(more), "");
    ASSERT_TRUE(sent) << "mosquitto_pub is not installed";
    ASSERT_EQ(sent->exit_code, 0) << sent->messages;
  }
  /// The next messages of a topic, a line each, while `rig` steps.
  std::string Receive(IoRig* rig, const std::string& topic, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"-t", topic, "-W", "10", "-C", "1"});
    auto received =
        std::async(std::launch::async, [&] { return RunProgram("mosquitto_sub", With(more), ""); });
    while (received.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      if (rig != nullptr) rig->Step();
    }
    return received.get().value().output;
  }
  bool IsConnected(IoRig& rig) const {
    return rig.StepUntil([&] { return rig.simulation().time() > 0.1; }) &&
           Receive(&rig, "status") == "online\n";
  }

  std::optional<Broker> broker_;
};

constexpr const char* kMass = R"(<Topic item="load.mass" topic="mass" access="write" safe="20 kg"/>)";

TEST_F(MqttTest, ValuesArePublishedAloneAndTogether) {
  IoRig rig(Element(R"(<Topic item="load.mass" topic="mass"/>
    <Topic item="load.mass" topic="plant" member="mass" scale="2 kg"/>
    <Topic item="spring.stiffness" topic="plant" member="stiffness"/>)"));
  EXPECT_EQ(Receive(&rig, "mass"), "10\n");
  EXPECT_EQ(Receive(&rig, "plant"), "{\"mass\":5,\"stiffness\":400}\n");
  EXPECT_FALSE(rig.Logged("alarm Silent set"));
}

TEST_F(MqttTest, ValuesAreTakenInBothVersionsAtEachQuality) {
  for (const std::string version : {"3.1.1", "5"}) {
    for (const std::string qos : {"0", "1", "2"}) {
      IoRig rig(Element("<Topic item=\"load.mass\" topic=\"mass\" access=\"write\" qos=\"" + qos +
                            "\"/><Topic item=\"load.mass\" topic=\"echo\" qos=\"" + qos + "\"/>",
                        "version=\"" + version + "\" status=\"status\""));
      ASSERT_TRUE(IsConnected(rig)) << version;
      Send("mass", "12.5", {"-q", qos});
      ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 12.5; })) << version << ' ' << qos;
      EXPECT_EQ(Receive(&rig, "echo", {"-q", qos, "-V", "5"}), "12.5\n");
      EXPECT_EQ(rig.Requests().size(), 1U) << "one write, whatever the broker repeats";
    }
  }
}

TEST_F(MqttTest, TheBrokerKeepsRetainedValues) {
  {
    IoRig rig(Element(R"(<Topic item="load.mass" topic="kept" qos="1" retained="true"/>
                         <Topic item="load.mass" topic="passing"/>)"));
    EXPECT_EQ(Receive(&rig, "kept"), "10\n");
  }
  EXPECT_EQ(Receive(nullptr, "kept"), "10\n");
  EXPECT_EQ(Receive(nullptr, "passing", {"-W", "1"}), "");
}

TEST_F(MqttTest, ARetainedValueOfThePartnerIsTakenAtOnce) {
  Send("mass", "7", {"-r"});
  IoRig rig(Element(kMass));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 7; }));
}

TEST_F(MqttTest, TheStatusIsThatOfTheRun) {
  {
    IoRig rig(Element("", "status=\"status\""));
    EXPECT_EQ(Receive(&rig, "status"), "online\n");
  }
  EXPECT_EQ(Receive(nullptr, "status"), "offline\n") << "it has ended";
  const pid_t child = fork();
  if (child == 0) {
    IoRig rig(Element("", "status=\"status\""));
    while (true) {
      rig.Step();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  for (int tries = 0; tries < 100 && Receive(nullptr, "status") != "online\n"; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(Receive(nullptr, "status"), "online\n");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(Receive(nullptr, "status"), "offline\n") << "the will";
}

TEST_F(MqttTest, ABrokerThatDisappearsIsMissedAndFoundAgain) {
  IoRig rig(Element(kMass, "timeout=\"500 ms\" status=\"status\""));
  ASSERT_TRUE(IsConnected(rig));
  Send("mass", "12.5");
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 12.5; }));
  broker_->Kill(SIGKILL);
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 20; })) << "the safe value";
  EXPECT_TRUE(rig.Logged("alarm Silent set"));
  EXPECT_THAT(rig.Requests(), Contains(HasSubstr("event=\"plc.silent\"")));
  broker_->Start();
  ASSERT_TRUE(IsConnected(rig)) << "it connects again by itself";
  Send("mass", "13");
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 13; }));
  EXPECT_TRUE(rig.Logged("alarm Silent cleared"));
  EXPECT_THAT(rig.Requests(), Contains(HasSubstr("event=\"plc.heard\"")));
}

TEST_F(MqttTest, WhereOnlyValuesArePublishedTheBrokerIsThePartner) {
  IoRig rig(Element("<Topic item=\"load.x\" topic=\"x\"/>"));
  ASSERT_TRUE(rig.StepUntil([&] { return rig.simulation().time() > 6; }));
  EXPECT_FALSE(rig.Logged("alarm Silent set"));
  broker_->Kill(SIGKILL);
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Logged("alarm Silent set"); }));
  EXPECT_TRUE(rig.Logged("broker: "));
}

TEST_F(MqttTest, WhatIsNoValueIsRefusedAndCounted) {
  IoRig rig(Element(kMass, "timeout=\"100 s\" status=\"status\""));
  ASSERT_TRUE(IsConnected(rig));
  for (const std::string& payload : {std::string("nan"), std::string("heavy"), std::string("-1"),
                                     std::string("inf"), std::string(100'000, '1')})
    Send("mass", payload);
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("plc.refusals") == 5; })) << rig.Read("plc.refusals");
  EXPECT_EQ(rig.Read("load.mass"), 10);
  EXPECT_TRUE(rig.Logged("alarm Refused set"));
  EXPECT_TRUE(rig.Logged("topic mass: "));
  Send("mass", "3");
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 3; }));
}

TEST_F(MqttTest, OfAFloodTheLastValueCounts) {
  IoRig rig(Element(kMass, "timeout=\"100 s\" status=\"status\""));
  ASSERT_TRUE(IsConnected(rig));
  std::string lines;
  for (int i = 1; i <= 50'000; ++i) lines += std::to_string(i) + '\n';
  auto flood = std::async(std::launch::async, [&] {
    return RunProgram("mosquitto_pub", With({"-t", "mass", "-l", "-q", "1"}), lines);
  });
  // As long as it lasts, which is a minute on a busy machine.
  std::size_t exchanges = 0;
  while (flood.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    rig.Step();
    ++exchanges;
  }
  EXPECT_EQ(flood.get()->exit_code, 0);
  ASSERT_TRUE(rig.StepUntil([&] {
    ++exchanges;
    return rig.Read("load.mass") == 50'000;
  }));
  EXPECT_LE(rig.Requests().size(), exchanges) << "at most one write at an exchange";
}

/// Memory of this process [bytes].
std::size_t ResidentBytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(getpagesize());
}

TEST_F(MqttTest, ABrokerThatTakesNothingHoldsUpNothing) {
  IoRig rig(Element("<Topic item=\"load.x\" topic=\"x\" qos=\"2\"/><Topic item=\"load.v\" topic=\"v\"/>",
                    "rate=\"10000 Hz\" status=\"status\""));
  ASSERT_TRUE(IsConnected(rig));
  broker_->Signal(SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t before = ResidentBytes();
  for (int i = 0; i < 90'000; ++i) rig.Step();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_LT(ResidentBytes(), before + 2'000'000) << "at most one message of a topic waits";
  broker_->Signal(SIGCONT);
}

TEST_F(MqttTest, TheNetworkIsOpenedOnlyWhereItIsAllowed) {
  IoRig refused(Element(kMass, "host=\"192.0.2.1\""));
  EXPECT_THAT(ToText(refused.diagnostics), HasSubstr("allow the network with --io network"));
  IoRig allowed(Element(kMass, "host=\"192.0.2.1\" timeout=\"300 ms\""), IoReach::kNetwork);
  EXPECT_THAT(ToText(allowed.diagnostics), IsEmpty());
  ASSERT_TRUE(allowed.StepUntil([&] { return allowed.Read("load.mass") == 20; })) << "nobody is there";
}

TEST_F(MqttTest, WrongMapsAreRefused) {
  const auto fault = [&](const std::string& topics, const std::string& attributes = "") {
    return IoRig::FaultsOf(Element(topics, attributes));
  };
  EXPECT_THAT(fault(kMass), IsEmpty());
  EXPECT_THAT(fault("<Topic item=\"load.mass\"/>"),
              HasSubstr("rig.xml:9: error: /plc/Topic: topic is missing"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a/#\"/>"), HasSubstr("wildcard"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a\" retained=\"true\" access=\"write\"/>"),
              HasSubstr("retained is for an item that davit publishes"));
  EXPECT_THAT(
      fault("<Topic item=\"load.mass\" topic=\"a\"/>\n<Topic item=\"load.x\" topic=\"a\"/>"),
      HasSubstr("rig.xml:10: error: /plc/Topic2: a second item in a message that is a number: see line 9"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a\" member=\"m\"/><Topic item=\"load.x\" topic=\"a\" "
                    "member=\"m\"/>"),
              HasSubstr("member 'm' is in line 9"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a\" member=\"m\"/><Topic item=\"load.x\" topic=\"a\" "
                    "member=\"n\" qos=\"1\"/>"),
              HasSubstr("access, qos or retained differs"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a\"/>", "status=\"a\""),
              HasSubstr("the topic of status"));
  EXPECT_THAT(fault("", "status=\"a/+\""), HasSubstr("status: a topic with a wildcard"));
  EXPECT_THAT(fault("", "key=\"a.pem\""), HasSubstr("certificate and key belong together"));
  EXPECT_THAT(fault("", "certificate=\"a.pem\" key=\"b.pem\""), HasSubstr("a certificate without ca"));
  EXPECT_THAT(fault("<Topic item=\"load.mass\" topic=\"a\" qos=\"3\"/>"), HasSubstr("qos"));
}

TEST_F(MqttTest, FilesThatCannotBeReadAreFaultsOfTheElement) {
  IoRig ca(Element(kMass, "ca=\"/none/ca.pem\""));
  EXPECT_THAT(ToText(ca.diagnostics), HasSubstr("rig.xml:8: error: /plc: a file of ca, certificate or key"));
  IoRig login(Element(kMass, "login=\"/none/login\""));
  EXPECT_THAT(ToText(login.diagnostics),
              HasSubstr("rig.xml:8: error: /plc: login: '/none/login' cannot be read"));
}

/// A broker that asks for a password, or for TLS.
class MqttSecurityTest : public MqttTest {
 protected:
  void SetUp() override {
    if (!Broker::is_installed()) GTEST_SKIP() << "mosquitto is not installed";
    std::filesystem::create_directories(Broker::folder());
  }
  std::string File(const std::string& name) const { return (Broker::folder() / name).string(); }
  /// Makes a certificate NAME.pem with its key NAME.key, signed by `ca`, or by itself.
  void MakeCertificate(const std::string& name, const std::string& ca = "") const {
    std::vector<std::string> arguments{"req",
                                       "-x509",
                                       "-newkey",
                                       "rsa:2048",
                                       "-nodes",
                                       "-days",
                                       "2",
                                       "-keyout",
                                       File(name + ".key"),
                                       "-out",
                                       File(name + ".pem"),
                                       "-subj",
                                       "/CN=" + name};
    if (!ca.empty())
      arguments.insert(arguments.end(),
                       {"-CA", File(ca + ".pem"), "-CAkey", File(ca + ".key"), "-addext",
                        "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"});
    const auto made = RunProgram("openssl", arguments, "");
    ASSERT_TRUE(made) << "openssl is not installed";
    ASSERT_EQ(made->exit_code, 0) << made->messages;
  }
};

TEST_F(MqttSecurityTest, ThePasswordIsFromAFileOrTheEnvironment) {
  ASSERT_EQ(
      RunProgram("mosquitto_passwd", {"-c", "-b", File("passwords"), "crane", "secret word"}, "")->exit_code,
      0);
  broker_.emplace("allow_anonymous false\npassword_file " + File("passwords") + "\n");
  std::ofstream(File("login")) << "crane\nsecret word\n";
  std::ofstream(File("wrong")) << "crane\nother word\n";
  const std::string x = "<Topic item=\"load.x\" topic=\"x\"/>";
  IoRig right(Element(x, "login=\"" + File("login") + "\""));
  ASSERT_TRUE(right.StepUntil([&] { return right.simulation().time() > 6; }));
  EXPECT_FALSE(right.Logged("alarm Silent set"));
  for (const std::string version : {"3.1.1", "5"}) {
    IoRig wrong(Element(x, "timeout=\"500 ms\" version=\"" + version + "\" login=\"" + File("wrong") + "\""));
    ASSERT_TRUE(wrong.StepUntil([&] { return wrong.Logged("alarm Silent set"); }));
    EXPECT_TRUE(wrong.Logged("not authorised") || wrong.Logged("Not authorized")) << version;
  }
  setenv("DAVIT_MQTT_USER", "crane", 1);
  setenv("DAVIT_MQTT_PASSWORD", "secret word", 1);
  IoRig environment(Element(x));
  ASSERT_TRUE(environment.StepUntil([&] { return environment.simulation().time() > 6; }));
  EXPECT_FALSE(environment.Logged("alarm Silent set"));
}

TEST_F(MqttSecurityTest, TlsTrustsWhatTheFileNames) {
  MakeCertificate("ca");
  MakeCertificate("stranger");
  MakeCertificate("broker", "ca");
  MakeCertificate("davit", "ca");
  broker_.emplace("allow_anonymous true\ncafile " + File("ca.pem") + "\ncertfile " + File("broker.pem") +
                  "\nkeyfile " + File("broker.key") + "\nrequire_certificate true\n");
  const std::string own = "certificate=\"" + File("davit.pem") + "\" key=\"" + File("davit.key") + "\" ";
  IoRig rig(Element(kMass, "status=\"status\" ca=\"" + File("ca.pem") + "\" " + own));
  const std::vector<std::string> tls{"--cafile",        File("ca.pem"), "--cert",
                                     File("davit.pem"), "--key",        File("davit.key")};
  ASSERT_TRUE(rig.StepUntil([&] { return rig.simulation().time() > 0.1; }));
  EXPECT_EQ(Receive(&rig, "status", tls), "online\n");
  Send("mass", "12.5", tls);
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") == 12.5; }));
  IoRig wary(Element(kMass, "timeout=\"500 ms\" ca=\"" + File("stranger.pem") + "\" " + own));
  ASSERT_TRUE(wary.StepUntil([&] { return wary.Logged("alarm Silent set"); }));
  EXPECT_TRUE(wary.Logged("certificate verify failed"));
  IoRig nobody(Element(kMass, "timeout=\"500 ms\" ca=\"" + File("ca.pem") + "\""));
  ASSERT_TRUE(nobody.StepUntil([&] { return nobody.Logged("alarm Silent set"); })) << "without a certificate";
  IoRig plain(Element(kMass, "timeout=\"500 ms\""));
  ASSERT_TRUE(plain.StepUntil([&] { return plain.Logged("alarm Silent set"); })) << "without TLS";
}

}  // namespace
}  // namespace davit
