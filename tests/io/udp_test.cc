// Packets over loopback: what one run sends another one gets.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/udp.h"
#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::HasSubstr;

class UdpTest : public testing::Test {
 protected:
  static std::uint16_t FreeUdpPort() { return PortOf(BindUdp(*Endpoint::Read("127.0.0.1", 0))); }
  std::string Out(const std::string& fields) const {
    return "<UdpOut name=\"out\" port=\"" + std::to_string(port_) + "\">" + fields + "</UdpOut>";
  }
  std::string In(const std::string& fields) const {
    return "<UdpIn name=\"in\" timeout=\"100 ms\" port=\"" + std::to_string(port_) + "\">" + fields +
           "</UdpIn>";
  }
  /// A packet by hand.
  void Send(const std::vector<std::uint8_t>& bytes) const {
    const Descriptor socket = ConnectUdp(*Endpoint::Read("127.0.0.1", port_));
    ASSERT_EQ(send(socket.number(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

  const std::uint16_t port_ = FreeUdpPort();
};

constexpr const char* kFields = R"(<PacketField item="load.mass" order="DCBA"/>
  <PacketField item="spring.stiffness" type="uint16" scale="10 N/m"/>)";

TEST_F(UdpTest, APacketHasItsFieldsInOrderAndABrokenSenderIsMissed) {
  IoRig from(Out(kFields));
  std::string fields = kFields;
  fields.insert(fields.find("mass\"") + 5, " safe=\"7 kg\"");
  IoRig to(In(fields));
  from.simulation().WriteText("load.mass", "12.5 kg");
  from.simulation().WriteText("spring.stiffness", "250 N/m");
  ASSERT_TRUE(to.StepUntil([&] {
    from.Step();
    return to.Read("load.mass") == 12.5 && to.Read("spring.stiffness") == 250;
  }));
  EXPECT_FALSE(to.Logged("alarm Silent set"));
  ASSERT_TRUE(to.StepUntil([&] { return to.Read("load.mass") == 7; })) << "the safe value";
  EXPECT_TRUE(to.Logged("alarm Silent set"));
}

TEST_F(UdpTest, BytesAreThoseOfTheLayoutAndWrongPacketsAreIgnored) {
  IoRig rig(In(kFields));
  rig.Step();
  Send({0, 0, 0xa0, 0x40, 0, 20, 0});  // a byte too many
  Send({0, 0, 0xa0, 0x40, 0});         // one too few
  Send({0, 0, 0xc0, 0x7f, 0, 20});     // not a number
  Send({0, 0, 0x80, 0xbf, 0, 20});     // -1 kg
  Send({0, 0, 0xa0, 0x40, 0, 20});     // 5 = 40a0 0000, the last byte first
  ASSERT_TRUE(rig.StepUntil([&] { return rig.Read("load.mass") != 10; }));
  EXPECT_EQ(rig.Read("load.mass"), 5);
  EXPECT_EQ(rig.Read("spring.stiffness"), 200);
  EXPECT_EQ(rig.Read("in.refusals"), 4);
  EXPECT_TRUE(rig.Logged("alarm Refused set"));
}

TEST_F(UdpTest, PacketsOfOtherSendersAreIgnored) {
  std::string in = In(kFields);
  in.insert(in.find("port"), "from=\"127.0.0.2\" ");
  IoRig rig(in);
  rig.Step();
  Send({0, 0, 0xa0, 0x40, 0, 20});
  for (int i = 0; i < 20; ++i) {
    rig.Step();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(rig.Read("load.mass"), 10);
}

TEST_F(UdpTest, WrongOnesAreTold) {
  EXPECT_THAT(IoRig::FaultsOf(In("<PacketField item=\"spring.F\"/>")),
              HasSubstr("rig.xml:8: error: /in/PacketField: "));
  std::string in = In("");
  in.insert(in.find("port"), "from=\"nobody\" ");
  EXPECT_THAT(IoRig::FaultsOf(in), HasSubstr("from: 'nobody' is not an IP address"));
  std::string many;
  for (int i = 0; i < 351; ++i) many += "<PacketField item=\"load.x\"/>";
  EXPECT_THAT(IoRig::FaultsOf(Out(many)), HasSubstr("a packet of 1404 bytes"));
  std::string out = Out(kFields);
  out.insert(out.find("port"), "timeout=\"1 s\" ");
  EXPECT_THAT(IoRig::FaultsOf(out), HasSubstr("no parameter 'timeout' on UdpOut")) << "nobody is heard";
  EXPECT_THAT(IoRig::FaultsOf(Out("<PacketField item=\"load.mass\" timeout=\"1 s\"/>")),
              HasSubstr("timeout is for an item that the partner writes"));
}

}  // namespace
}  // namespace davit
