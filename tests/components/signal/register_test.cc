#include "components/signal/register.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "framework/xml/system_loader.h"

namespace davit {
namespace {

TEST(RegisterSignalTest, KnowsItsModelsAndWhichOfThemBreak) {
  Registry registry;
  RegisterSignal(registry);
  std::set<std::string_view> with_breaks;
  for (const ModelEntry* entry : registry.entries()) {
    EXPECT_EQ(entry->info->name.substr(0, 7), "signal.");
    // A threshold has events only.
    EXPECT_EQ(entry->evaluate_flows == nullptr, entry->info->name == "signal.Threshold");
    EXPECT_FALSE(entry->info->text.empty());
    EXPECT_TRUE(std::string_view(entry->info->equations).ends_with('\n'));
    if (entry->has_break_times) with_breaks.insert(entry->info->name);
  }
  EXPECT_EQ(registry.names().size(), 20U);
  EXPECT_EQ(with_breaks, (std::set<std::string_view>{"signal.Pulse", "signal.Ramp", "signal.Sine",
                                                     "signal.Step", "signal.Table"}));
}

std::vector<std::string> Load(std::string_view content) {
  Registry registry;
  RegisterSignal(registry);
  Diagnostics diagnostics;
  const std::string text = "<System name=\"test\">" + std::string(content) + "</System>";
  LoadSystemText(text, "test.xml", registry, {}, diagnostics);
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics.all()) messages.push_back(ToText(diagnostic));
  return messages;
}

TEST(RegisterSignalTest, ASystemOfAllModelsLoads) {
  EXPECT_EQ(Load(R"(
    <signal.Constant name="constant" value="3 bar"/>
    <signal.Step name="step" start_time="100 ms" before="0 mm" after="5 mm"/>
    <signal.Ramp name="ramp" start_time="1 s" duration="2 s" from="0" to="1"/>
    <signal.Sine name="sine" amplitude="0.1 m" frequency="60 rpm" phase="90 deg" offset="1 m" start_time="1 s"/>
    <signal.Pulse name="pulse" period="100 ms" width="30 ms" low="-1" high="1" start_time="1 s"/>
    <signal.Table name="table" times="0, 5, 10" values="0 1 0.5" interpolation="step"/>
    <signal.Jonswap name="jonswap" significant_height="2 m" peak_period="8 s" response="0.02 rad/m" seed="3"/>
    <signal.DeadBand name="dead_band" band="0.1"/>
    <signal.Maximum name="maximum"/>
    <signal.RateLimiter name="rate_limiter" rise="2" fall="3" time_constant="50 ms"/>
    <signal.Gain name="gain" gain="10 1/m"/>
    <signal.Sum name="sum" signs="+-"/>
    <signal.Product name="product"/>
    <signal.Quotient name="quotient" smallest="1e-3" otherwise="1"/>
    <signal.Limiter name="limiter" low="-1 MPa" high="2 bar"/>
    <signal.LowPass name="low_pass" time_constant="20 ms" gain="2"><Start y="1 bar"/></signal.LowPass>
    <signal.Integrator name="integrator" gain="2" low="0 m" high="2 m"><Start y="1 m"/></signal.Integrator>
    <signal.PID name="pid" kp="1" ki="2" kd="0.1" derivative_filter="5 ms" low="-1" high="1" tracking_time="1 s"/>
    <Route from="ramp.y" to="maximum.u"/>
    <Route from="constant.y" to="limiter.u"/>
    <Route from="sine.y" to="gain.u"/>
    <Route from="step.y" to="sum.u"/>
    <Route from="integrator.y" to="sum.u"/>
    <Route from="pulse.y" to="product.u"/>
    <Route from="table.y" to="product.u"/>
    <Route from="limiter.y" to="low_pass.u"/>
    <Route from="ramp.y" to="integrator.u"/>
    <Route from="sum.y" to="pid.setpoint"/>
    <Route from="low_pass.y" to="pid.measurement"/>)"),
            std::vector<std::string>{});
}

TEST(RegisterSignalTest, FaultsNameLineComponentAndRemedy) {
  const std::vector<std::string> messages = Load(R"(
    <signal.Constant name="one" value="1"/>
    <signal.Sum name="sum" signs="+-+"/>
    <signal.Table name="table" times="0 1 nan" values="0 1 2"/>
    <signal.Sine name="sine" frequency="5 Hz"/>
    <Route from="one.y" to="sum.u"/>
    <Route from="one.y" to="sum.u"/>)");
  std::string all;
  for (const std::string& message : messages) all += message + '\n';
  EXPECT_EQ(messages.size(), 3U) << all;
  EXPECT_NE(all.find("test.xml:3: error: /sum: signs: 3 signs for 2 routes"), std::string::npos) << all;
  EXPECT_NE(all.find("test.xml:4: error: /table: times: entry 3, 'nan', is not finite"), std::string::npos)
      << all;
  EXPECT_NE(all.find("test.xml:5: error: /sine: frequency: '5 Hz'"), std::string::npos) << all;
}

}  // namespace
}  // namespace davit
