// Balance of energy.

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "results/display_unit.h"
#include "server/described_json.h"
#include "server/http_api.h"
#include "session/describe_energy.h"

namespace davit {
namespace {

using Json = nlohmann::json;

Json BandsOf(const std::vector<EnergyBand>& bands) {
  return ToJson(DescribeAll<EnergyBand>(EnergyBandFields(), bands));
}

Json DescribeUnit(std::string_view unit, double largest) {
  const DisplayUnit shown = FindDisplayUnit(unit, largest);
  return {{"unit", shown.unit}, {"factor", shown.factor}};
}

HttpAnswer DescribeEnergy(const EnergyBalance& balance) {
  Json json = ToJson(EnergyFields(), balance);
  json["is_accounted"] = true;
  for (const EnergyTable& table : EnergyTables()) {
    std::vector<EnergyOf> rows = table.rows(balance);
    std::erase_if(rows, [&](const EnergyOf& one) { return IsTrifle(one, balance); });
    json["tables"].push_back({{"name", table.name},
                              {"title", table.title},
                              {"rows", ToJson(DescribeAll<EnergyOf>(EnergyRowFields(), rows))}});
  }
  const double length = balance.end - balance.begin;
  json["shown"] = {{"energy", DescribeUnit("J", balance.turnover)},
                   // Of the mean power: that of the moment would change the unit all the time.
                   {"power", DescribeUnit("W", length > 0 ? balance.turnover / length : 0)}};
  const EnergyFlow flow = FlowOf(balance);
  json["from"] = BandsOf(flow.from);
  json["to"] = BandsOf(flow.to);
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// In the thread that drives.
HttpAnswer MakeEnergyAnswer(const Simulation& simulation) {
  if (!simulation.is_initialized())
    return HttpFault(409, "the run has failed, and has no balance of energy; reset it, or load a snapshot");
  return DescribeEnergy(simulation.energy()->Balance());
}

}  // namespace

void AnswerEnergy(LiveContext& context, const HttpQuery& /*query*/, const AnswerHttp& answer) {
  using Clock = EnergyAnswers::Clock;
  const Simulation& simulation = context.run.simulation();
  if (simulation.energy() == nullptr) {
    const Json json{{"is_accounted", false}, {"remedy", context.texts.energy_remedy}};
    return answer({.body = json.dump()});
  }
  EnergyAnswers& energy = context.energy;
  if (energy.last && Clock::now() < energy.made + EnergyAnswers::kHolds) return answer(*energy.last);
  if (const auto waiting = energy.waiting.lock()) return waiting->push_back(answer);
  const auto waiting = std::make_shared<std::vector<AnswerHttp>>(1, answer);
  energy.waiting = waiting;
  const bool is_posted = context.run.Post([&context, &simulation, waiting] {
    context.post_to_server([&context, waiting, made = MakeEnergyAnswer(simulation)] {
      context.energy = {.last = made, .made = Clock::now()};
      for (const AnswerHttp& one : std::exchange(*waiting, {})) one(made);
    });
  });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

}  // namespace davit
