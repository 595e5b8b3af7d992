#include "server/live_service.h"

#include <utility>

#include "server/http_api.h"

namespace davit {

LiveService::LiveService(const LiveServerOptions& options, LiveRun& run, HandOver<RunNote>& notes,
                         SystemTexts texts, LiveValues::PostToServer post,
                         std::shared_ptr<Authentication> login)
    : notes_(notes), context_(options, run, std::move(texts), std::move(post), std::move(login)) {
  const auto watch = [&](const std::string& path) {
    if (const NodeTree::LiveItem* live = context_.tree.FindItem(path))
      run.writable_history().Watch(path, ValueSource(live->item), run.simulation().time());
  };
  for (const Item& item : run.simulation().system().record_plan().columns) watch(item.path());
  for (const std::string& path : context_.texts.scene_signals) watch(path);
  context_.system_json = DescribeSystem(context_);
  for (const NodeTree::LiveChart& chart : context_.tree.charts())
    context_.chart_texts.push_back(DescribeChart(*chart.chart->chart()));
}

void LiveService::Tick() {
  std::uint64_t dropped = 0;
  for (const RunNote& note : notes_.Take(dropped)) context_.events.Add(note);
  context_.events.AddDropped(dropped);
  context_.values.Poll();
  context_.dead_man.Tick(DeadMan::Clock::now());
}

}  // namespace davit
