// The Brusselator with diffusion in one dimension (E. Hairer, G. Wanner, Solving Ordinary Differential
// Equations II, 2nd ed., Springer 1996, p. 6), alpha = 1/50, t from 0 to 10, of N cells:
//
//     u_i' = 1 + u_i^2 v_i - 4 u_i + alpha (N+1)^2 (u_(i-1) - 2 u_i + u_(i+1)),  u_0 = u_(N+1) = 1
//     v_i' = 3 u_i - u_i^2 v_i     + alpha (N+1)^2 (v_(i-1) - 2 v_i + v_(i+1)),  v_0 = v_(N+1) = 3
//     u_i(0) = 1 + sin(2 pi x_i),  v_i(0) = 3,  x_i = i/(N+1)
//
// It is stiff, and more so the more cells there are: the fastest of them decay at 4 alpha (N+1)^2 per second.
//
// In four forms: one component with arrays, and N components; in C++ (with the declared reach of the arrays)
// and in XML. Load: from the text of the system to before the first step. FirstStep: the same, and a first
// step of method euler with all states and derivatives recorded. Run: the whole run with method ida, rtol
// 1e-6. Target: linear in N, so `per_cell` the same for every N.
//
// brusselator_lsoda.py compares with the banded LSODA of SciPy.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>

#include "components/register.h"
#include "framework/signal.h"
#include "session/simulation.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/state_variable.h"

namespace davit {
namespace {

constexpr double kAlpha = 1.0 / 50;

class Brusselator final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "benchmark.Brusselator", .text = "All cells in one component"};

  Brusselator() {
    Reads(u, {{.of = u, .from = -1, .to = 1}, {.of = v}});
    Reads(v, {{.of = v, .from = -1, .to = 1}, {.of = u}});
  }
  void Configure(Diagnostics& /*diagnostics*/) override {
    u.SetSize(static_cast<std::uint32_t>(cells));
    v.SetSize(static_cast<std::uint32_t>(cells));
  }
  void Reset() override {
    DynamicSimComponent::Reset();
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double x = static_cast<double>(i + 1) / static_cast<double>(u.size() + 1);
      u[i].OverrideStateValue(1 + std::sin(2 * std::numbers::pi * x));
    }
  }
  void EvaluateDiffEquations(double /*t*/) override {
    const std::size_t n = u.size();
    const double k = kAlpha * static_cast<double>((n + 1) * (n + 1));
    double u_before = 1;
    double v_before = 3;
    for (std::size_t i = 0; i < n; ++i) {
      const double u_i = u[i];
      const double v_i = v[i];
      const double u_behind = i + 1 < n ? static_cast<double>(u[i + 1]) : 1;
      const double v_behind = i + 1 < n ? static_cast<double>(v[i + 1]) : 3;
      u[i].ddt = 1 + u_i * u_i * v_i - 4 * u_i + k * (u_before - 2 * u_i + u_behind);
      v[i].ddt = 3 * u_i - u_i * u_i * v_i + k * (v_before - 2 * v_i + v_behind);
      u_before = u_i;
      v_before = v_i;
    }
  }

 private:
  Property<int> cells{this, "cells", "N", 50, Range{.low = 1, .high = 1'000'000}};
  StateVariableArray u{this, "u", "", "Concentrations"};
  StateVariableArray v{this, "v", "", "Concentrations", Start{.value = 3}};
};

class BrusselatorCell final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "benchmark.Cell", .text = "One cell"};

  void EvaluateDiffEquations(double /*t*/) override {
    u.ddt = 1 + u * u * v - 4 * u + k * (u_before - 2 * u + u_behind);
    v.ddt = 3 * u - u * u * v + k * (v_before - 2 * v + v_behind);
  }

 private:
  Parameter k{this, "k", "1/s", "alpha (N+1)^2", 1.0};
  Input u_before{this, "u_before", "", "Of the cell before", 1};
  Input v_before{this, "v_before", "", "Of the cell before", 3};
  Input u_behind{this, "u_behind", "", "Of the cell behind", 1};
  Input v_behind{this, "v_behind", "", "Of the cell behind", 3};
  StateVariable u{this, "u", "", "Concentration", 1};
  StateVariable v{this, "v", "", "Concentration", 3};
};

std::string System(const std::string& content) {
  return "<System name=\"brusselator\"><SimulatorManager TimeStep=\"1 s\" StopTime=\"10 s\">"
         "<Integration solver=\"ODE\" method=\"ida\" rtol=\"1e-6\" atol=\"1e-6\"/></SimulatorManager>\n" +
         content + "</System>";
}

double Diffusion(std::int64_t n) { return kAlpha * static_cast<double>((n + 1) * (n + 1)); }

std::string OneComponent(std::int64_t n) {
  return System(fmt::format("<benchmark.Brusselator name=\"b\" cells=\"{}\"/>\n", n));
}

/// N cells, each of them `cell`, which has the inputs u_before, v_before, u_behind and v_behind.
std::string Cells(std::int64_t n, const std::string& cell) {
  std::string routes;
  for (const char* name : {"u", "v"}) {
    routes += fmt::format(
        "<Route from=\"c{{i-1}}.{0}\" to=\"c{{i}}.{0}_before\"/>"
        "<Route from=\"c{{i}}.{0}\" to=\"c{{i-1}}.{0}_behind\"/>\n",
        name);
  }
  return System(
      fmt::format("<Parameter name=\"n\" value=\"{}\"/><Parameter name=\"k\" value=\"{}\"/>\n"
                  "<For name=\"i\" from=\"1\" to=\"${{n}}\">{}</For>\n"
                  "<For name=\"i\" from=\"2\" to=\"${{n}}\">{}</For>\n",
                  n, Diffusion(n), cell, routes));
}

std::string ManyComponents(std::int64_t n) {
  return Cells(
      n,
      R"xml(<benchmark.Cell name="c{i}" k="${k}"><Start u="{1 + sin(2*pi*i/(${n}+1))}"/></benchmark.Cell>)xml");
}

std::string ManyEquations(std::int64_t n) {
  return Cells(n, R"xml(<user.Equation name="c{i}">
    <Parameter name="k" value="${k}"/>
    <Input name="u_before" value="1"/><Input name="u_behind" value="1"/>
    <Input name="v_before" value="3"/><Input name="v_behind" value="3"/>
    <State name="u" start="{1 + sin(2*pi*i/(${n}+1))}" der="1 + u*u*v - 4*u + k*(u_before - 2*u + u_behind)"/>
    <State name="v" start="3" der="3*u - u*u*v + k*(v_before - 2*v + v_behind)"/>
  </user.Equation>)xml");
}

std::string OneEquation(std::int64_t n) {
  return System(fmt::format(R"xml(<Parameter name="n" value="{}"/><Parameter name="k" value="{}"/>)xml", n,
                            Diffusion(n)) +
                R"xml(<user.Equation name="b"><Parameter name="k" value="${k}"/>
    <State name="u" size="${n}" start="1 + sin(2*pi*(i+1)/(${n}+1))" before="1" after="1"
           der="1 + u[i]*u[i]*v[i] - 4*u[i] + k*(u[i-1] - 2*u[i] + u[i+1])"/>
    <State name="v" size="${n}" start="3" before="3" after="3"
           der="3*u[i] - u[i]*u[i]*v[i] + k*(v[i-1] - 2*v[i] + v[i+1])"/>
  </user.Equation>)xml");
}

const Registry& Models() {
  static const Registry registry = [] {
    Registry models = AllModels();
    models.Add<Brusselator, BrusselatorCell>();
    return models;
  }();
  return registry;
}

std::unique_ptr<Simulation> LoadBrusselator(const std::string& text) {
  return Simulation::LoadText(text, "brusselator.xml", Models()).Take();
}

void Count(benchmark::State& state, double runs) {
  const double cells = static_cast<double>(state.range(0));
  state.counters["per_cell"] =
      benchmark::Counter(runs * cells, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Load(benchmark::State& state, std::string (*make)(std::int64_t)) {
  const std::string text = make(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(LoadBrusselator(text));
  Count(state, static_cast<double>(state.iterations()));
}

void FirstStep(benchmark::State& state, std::string (*make)(std::int64_t)) {
  std::string text = make(state.range(0));
  const std::string_view method = "method=\"ida\"";
  text.replace(text.find(method), method.size(), "method=\"euler\"");
  std::size_t values = 0;
  for (auto _ : state) {
    const std::unique_ptr<Simulation> simulation = LoadBrusselator(text);
    simulation->StartRecording(
        {.signals = {"*", "*.ddt"},
         .on_row = [&](double /*t*/, std::span<const double> row) { values = row.size(); }});
    simulation->Initialize();
    simulation->Step();
  }
  state.counters["recorded"] = static_cast<double>(values);
  Count(state, static_cast<double>(state.iterations()));
}

void Run(benchmark::State& state, std::string (*make)(std::int64_t)) {
  const std::unique_ptr<Simulation> simulation = LoadBrusselator(make(state.range(0)));
  RunStatistics statistics;
  for (auto _ : state) {
    simulation->Initialize();
    simulation->Run();
    statistics = simulation->statistics();
  }
  state.counters["steps"] = static_cast<double>(statistics.solver_steps);
  state.counters["evaluations"] = static_cast<double>(statistics.evaluations);
  Count(state, static_cast<double>(state.iterations()));
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t n : {50, 500, 2000, 10'000}) benchmark->Arg(n);
  benchmark->Unit(benchmark::kMillisecond);
}

void Most(benchmark::internal::Benchmark* benchmark) {
  Sizes(benchmark);
  benchmark->Arg(100'000);
}

BENCHMARK_CAPTURE(Load, component, OneComponent)->Apply(Most);
BENCHMARK_CAPTURE(Load, equation, OneEquation)->Apply(Most);
BENCHMARK_CAPTURE(Load, components, ManyComponents)->Apply(Most);
BENCHMARK_CAPTURE(Load, equations, ManyEquations)->Apply(Most);
BENCHMARK_CAPTURE(FirstStep, component, OneComponent)->Apply(Most);
BENCHMARK_CAPTURE(FirstStep, equation, OneEquation)->Apply(Most);
BENCHMARK_CAPTURE(FirstStep, components, ManyComponents)->Apply(Most);
BENCHMARK_CAPTURE(FirstStep, equations, ManyEquations)->Apply(Most);
BENCHMARK_CAPTURE(Run, component, OneComponent)->Apply(Sizes);
BENCHMARK_CAPTURE(Run, equation, OneEquation)->Apply(Sizes);
BENCHMARK_CAPTURE(Run, components, ManyComponents)->Apply(Sizes);
BENCHMARK_CAPTURE(Run, equations, ManyEquations)->Apply(Sizes);

}  // namespace
}  // namespace davit
