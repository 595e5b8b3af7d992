#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/registry.h"
#include "server/http_api.h"
#include "session/describe_energy.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

std::atomic<int> accounts = 0;  // taken of the test model

/// A tap that loses what it lets out, and counts how often it is asked.
class CountedTap final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{"test.CountedTap", "Counts how often its account is taken"};
  void EvaluateDiffEquations(double /*t*/) override { port->q = -1e-11 * port->c; }
  void AccountEnergy(EnergyTerms& terms) const override {
    ++accounts;
    terms.PortsLose("throttling");
  }

 private:
  HydraulicPort port{this, "port", Role::kQ, "Pressure"};
};

void AddTap(Registry& registry) {
  RegisterComponents(registry);
  registry.Add<CountedTap>();
}

constexpr std::string_view kTapSystem = R"(
<System name="rig" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="1000 s"/>
  <hydraulic.Volume name="line" volume="1 l" bulk_modulus="1.6e9 Pa"><Start p="100 bar"/></hydraulic.Volume>
  <hydraulic.FlowSource name="source" flow="6 l/min"/>
  <test.CountedTap name="tap"/>
  <user.Equation name="growth"><State name="y" start="1e-7" der="y*y"/></user.Equation>
  <Connect from="line.port" to="source.port"/>
  <Connect from="line.port" to="tap.port"/>
  <Record signals="line.p" interval="10 ms"/>
</System>
)";

class ApiEnergyTest : public testing::Test {
 protected:
  void Account() {
    system.Do([this] { system.run().simulation().AccountEnergy(); });
  }
  HttpAnswer Ask() {
    std::optional<HttpAnswer> got;
    AnswerQuery(system.context(), {.method = "GET", .path = "/api/energy"},
                [&](HttpAnswer answer) { got = std::move(answer); });
    EXPECT_TRUE(system.PollUntil([&] { return got.has_value(); }));
    return got.value_or(HttpAnswer{});
  }
  /// One that is not that of a moment ago.
  HttpAnswer AskAnew() {
    std::this_thread::sleep_for(EnergyAnswers::kHolds);
    return Ask();
  }
  void RunTo(double t) {
    system.Do([this, t] { EXPECT_EQ(system.run().StartUntil(t, "test"), ""); });
    EXPECT_TRUE(system.PollUntil(
        [&] { return system.run().status() == LiveStatus::kPaused && system.run().time() >= t; }));
  }

  LiveSystem system{{}, {.is_paused = true, .factor = {}}, kTapSystem, AddTap};
};

TEST_F(ApiEnergyTest, WithoutAnAccountNothingIsComputedAndTheAnswerSaysHowToGetOne) {
  accounts = 0;
  RunTo(1);
  const nlohmann::json json = nlohmann::json::parse(Ask().body);
  EXPECT_EQ(json["is_accounted"], false);
  EXPECT_TRUE(json.contains("remedy"));
  EXPECT_EQ(accounts, 0);
}

TEST_F(ApiEnergyTest, TheBalanceIsThatOfTheRunUpToNow) {
  Account();
  RunTo(5);
  const nlohmann::json json = nlohmann::json::parse(Ask().body);
  EXPECT_EQ(json["is_accounted"], true);
  EXPECT_NEAR(json["end_s"].get<double>(), 5, 1e-9);
  // 0.1 l/s at V p' = beta (q - p/R): p goes from 100 bar to R q = 100 bar, and so stays there.
  const double energy = 1e-4 * 1e7 * 5, tolerance = 1e-6 * energy;  // rtol
  EXPECT_NEAR(json["in"].get<double>(), energy, tolerance);
  EXPECT_NEAR(json["lost"].get<double>(), energy, tolerance);
  EXPECT_NEAR(json["power_in"].get<double>(), energy / 5, tolerance);
  EXPECT_EQ(json["closes"], true);
  ASSERT_EQ(json["tables"].size(), EnergyTables().size());
  for (std::size_t i = 0; i < EnergyTables().size(); ++i) {
    EXPECT_EQ(json["tables"][i]["name"], EnergyTables()[i].name);
    EXPECT_EQ(json["tables"][i]["title"], EnergyTables()[i].title);
  }
  const nlohmann::json& loss = json["tables"][4]["rows"][0];
  EXPECT_EQ(loss["name"], "throttling");
  EXPECT_NEAR(loss["energy"].get<double>(), energy, tolerance);
  EXPECT_EQ(json["to"][0]["component"], "tap");
  EXPECT_EQ(json["shown"]["energy"]["unit"], "J");
}

TEST_F(ApiEnergyTest, AResetBeginsTheBalanceAnew) {
  Account();
  RunTo(5);
  system.Do([this] { EXPECT_EQ(system.run().Reset("test"), ""); });
  EXPECT_EQ(nlohmann::json::parse(AskAnew().body)["in"], 0);
  RunTo(1);
  const nlohmann::json json = nlohmann::json::parse(AskAnew().body);
  EXPECT_NEAR(json["in"].get<double>(), 1000, 1e-6);
  EXPECT_EQ(json["begin_s"], 0);
}

TEST_F(ApiEnergyTest, OneBalanceIsDrawnUpForAllWhoAskWithinAWhile) {
  Account();
  RunTo(1);
  accounts = 0;
  AskAnew();
  const int of_one = accounts;
  EXPECT_GT(of_one, 0);
  std::this_thread::sleep_for(EnergyAnswers::kHolds);
  accounts = 0;
  std::vector<std::string> got;
  for (int client = 0; client < 3; ++client) {
    AnswerQuery(system.context(), {.method = "GET", .path = "/api/energy"},
                [&](const HttpAnswer& answer) { got.push_back(answer.body); });
  }
  ASSERT_TRUE(system.PollUntil([&] { return got.size() == 3; }));
  got.push_back(Ask().body);
  EXPECT_EQ(accounts, of_one);
  for (const std::string& body : got) EXPECT_EQ(body, got.front());
}

TEST_F(ApiEnergyTest, ARunThatHasFailedHasNoneAndOneThatIsOverTakesNoRequest) {
  Account();
  RunTo(1);
  system.Do([this] {
    Simulation& simulation = system.run().simulation();
    EXPECT_TRUE(simulation.Submit({.sender = "test", .command = "set growth.y 1e6"}).is_accepted);
    EXPECT_EQ(system.run().Start("test"), "");
  });
  ASSERT_TRUE(system.PollUntil([&] { return system.run().status() == LiveStatus::kFailed; }));
  EXPECT_EQ(AskAnew().status, 409);
  system.run().Quit();
  ASSERT_TRUE(system.PollUntil([&] { return !system.run().Post([] {}); }));
  EXPECT_EQ(AskAnew().status, 503);
}

TEST_F(ApiEnergyTest, TheRunHasTheSameBitsWithABalanceThatIsAskedForAllTheTime) {
  LiveSystem plain({}, {.is_paused = true, .factor = {}}, kTapSystem, AddTap);
  const auto rows_of = [](LiveSystem& live, std::vector<double>& rows) {
    live.Do([&] {
      live.run().simulation().StartRecording({.on_row = [&rows](double t, std::span<const double> values) {
        rows.push_back(t);
        rows.insert(rows.end(), values.begin(), values.end());
      }});
      EXPECT_EQ(live.run().StartUntil(900, "test"), "");
    });
  };
  std::vector<double> watched, unwatched;
  Account();
  rows_of(system, watched);
  int asked = 0;
  for (; system.run().status() == LiveStatus::kRunning; ++asked) {
    Ask();
    system.context().energy = {};  // the next one is not that of a moment ago
  }
  rows_of(plain, unwatched);
  ASSERT_TRUE(plain.PollUntil([&] { return plain.run().status() == LiveStatus::kPaused; }));
  EXPECT_GT(asked, 10);
  EXPECT_EQ(watched.size(), 2u * 90'001);
  EXPECT_EQ(watched, unwatched);
}

}  // namespace
}  // namespace davit
