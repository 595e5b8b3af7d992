// Interfaces of a system on the command line: which ones a run opens.

#include "app/interfaces.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/exit_code.h"
#include "results/program.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Has a port of this computer for as long as it lives.
class TakenPort {
 public:
  TakenPort() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_, 1), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    number_ = ntohs(address.sin_port);
  }
  ~TakenPort() { close(socket_); }
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;

  std::string number() const { return std::to_string(number_); }

 private:
  int socket_;
  unsigned number_ = 0;
};

class InterfacesTest : public testing::Test {
 protected:
  ~InterfacesTest() override { std::filesystem::remove(file_); }

  ProgramResult Run(const std::string& interface, std::vector<std::string> options = {}) {
    std::ofstream(file_) << R"(<System name="s" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="0.1 s"/>
  <signal.Gain name="gain"/>
  )" << interface << "\n</System>\n";
    options.insert(options.begin(), {"run", file_.string(), "--quiet"});
    return RunProgram(DAVIT_BINARY, options, "").value();
  }

  const std::filesystem::path file_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("interfaces_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".xml");
};

TEST_F(InterfacesTest, APortInUseEndsTheRunBeforeItBegins) {
  const TakenPort port;
  const std::string server = "<ModbusServer name=\"plc\" port=\"" + port.number() + "\"/>";
  const ProgramResult run = Run(server);
  EXPECT_EQ(run.exit_code, kWrongInput);
  EXPECT_EQ(run.messages, file_.string() + ":4: error: /plc: port " + port.number() +
                              " is in use; choose another one, or end the program that has it\n");
  EXPECT_EQ(Run(server, {"--io", "none"}).exit_code, kDone);
}

TEST_F(InterfacesTest, OtherComputersNeedTheOption) {
  const std::string out = "<UdpOut name=\"out\" host=\"192.0.2.1\"><PacketField item=\"gain.y\"/></UdpOut>";
  const ProgramResult run = Run(out);
  EXPECT_EQ(run.exit_code, kWrongInput);
  EXPECT_THAT(run.messages, HasSubstr(":4: error: /out: '192.0.2.1' is not on this computer alone; allow"));
}

TEST_F(InterfacesTest, ARunWithAnInterfaceEndsAsOneWithout) {
  const std::string both =
      "<UdpOut name=\"out\" port=\"15021\"><PacketField item=\"gain.y\"/></UdpOut>"
      "<UdpIn name=\"in\" port=\"15021\"><PacketField item=\"gain.u\"/></UdpIn>";
  const ProgramResult run = Run(both);
  EXPECT_EQ(run.exit_code, kDone);
  EXPECT_THAT(run.messages, IsEmpty());
}

TEST_F(InterfacesTest, ACheckOpensNothing) {
  const TakenPort port;
  const std::string server = "<ModbusServer name=\"plc\" port=\"" + port.number() + "\"/>";
  Run(server);
  const auto check = RunProgram(DAVIT_BINARY, {"check", file_.string()}, "");
  EXPECT_EQ(check->exit_code, kDone) << check->messages;
}

TEST_F(InterfacesTest, AnFmuCannotHaveThem) {
  const std::filesystem::path fmu = file_.string() + ".fmu";
  Run("<ModbusServer name=\"plc\"/>\n  <UdpOut name=\"out\"/>", {"--io", "none"});
  const auto run = RunProgram(DAVIT_BINARY, {"fmu", "export", file_.string(), "-o", fmu.string()}, "");
  EXPECT_EQ(run->exit_code, kWrongInput);
  EXPECT_THAT(run->messages, HasSubstr(":4: error: /plc: an exported system cannot contain an interface; "));
  EXPECT_THAT(run->messages, HasSubstr(":5: error: /out: an exported system cannot contain an interface; "));
  EXPECT_FALSE(std::filesystem::exists(fmu));
}

}  // namespace
}  // namespace davit
