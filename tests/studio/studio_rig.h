#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "components/register.h"
#include "simulator/simulator_manager.h"
#include "studio/json_text.h"
#include "studio/studio_server.h"
#include "tests/studio/http_client.h"

namespace davit {

inline std::string ReadAllOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A folder of a test, empty at first, below one that nobody may look into.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name) : outside_(std::filesystem::path(testing::TempDir()) / name) {
    std::filesystem::remove_all(outside_);
    std::filesystem::create_directories(path());
    std::ofstream(outside_ / "secret.xml") << "<System name=\"secret\" xmlns=\"urn:davit:system:1\"/>";
  }
  ~TestFolder() { std::filesystem::remove_all(outside_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path path() const { return outside_ / "folder"; }
  const std::filesystem::path& outside() const { return outside_; }
  void Write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const { return ReadAllOf(path() / name); }

 private:
  std::filesystem::path outside_;
};

inline Registry ModelsOfTests() {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  return registry;
}

/// A studio of a folder, at a free port.
class StudioRig {
 public:
  explicit StudioRig(const std::filesystem::path& folder, LiveServerOptions options = {},
                     AddModelsOf add_models_of = {})
      : server_(folder, {registry_, std::move(add_models_of)}, WithFreePort(std::move(options))) {
    server_.Start();
  }

  std::uint16_t port() const { return server_.port(); }
  StudioServer& server() { return server_; }
  HttpReply Get(std::string_view target) const { return SendRequest(port(), "GET", target); }
  HttpReply Post(std::string_view target, const Json& body) const {
    return SendRequest(port(), "POST", target, body.dump());
  }
  HttpReply Put(std::string_view target, const Json& body) const {
    return SendRequest(port(), "PUT", target, body.dump());
  }
  static Json Parse(const HttpReply& reply) { return Json::parse(reply.body, nullptr, false); }

 private:
  static LiveServerOptions WithFreePort(LiveServerOptions options) {
    options.port = 0;
    return options;
  }

  Registry registry_ = ModelsOfTests();
  StudioServer server_;
};

inline constexpr std::string_view kSpring = R"(<System name="swing" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="2 s"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>
  <Record signals="load.x load.v" interval="10 ms"/>
</System>
)";

}  // namespace davit
