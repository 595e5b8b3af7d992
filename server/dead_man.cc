#include "server/dead_man.h"

namespace davit {

DeadMan::DeadMan(LiveRun& run) : run_(run) {
  for (Component* component : run.simulation().system().components()) {
    auto* const panel = dynamic_cast<OperatorPanel*>(component);
    if (panel == nullptr) continue;
    const std::chrono::duration<double> timeout(panel->content().timeout);
    Watched watched{panel, std::chrono::duration_cast<Clock::duration>(timeout)};
    for (const PanelElement& element : panel->content().elements) {
      if (!element.has_spring) continue;
      for (const PanelAxis& axis : element.axes) watched.levers.push_back({axis});
    }
    if (!watched.levers.empty()) panels_.push_back(std::move(watched));
  }
}

void DeadMan::TakeWrite(const Item& item, std::optional<double> number, Client client,
                        Clock::time_point now) {
  for (Watched& watched : panels_) {
    for (Lever& lever : watched.levers) {
      if (lever.axis.item.target() != item.target()) continue;
      lever.client = number == lever.axis.neutral ? 0 : client;
      lever.sign = now;
      if (!watched.is_lost) continue;
      watched.is_lost = !run_.Post([panel = watched.panel] { panel->operator_lost().Clear(); });
    }
  }
}

void DeadMan::TakeSign(Client client, Clock::time_point now) {
  for (Watched& watched : panels_) {
    for (Lever& lever : watched.levers) {
      if (lever.client == client && lever.sign != Clock::time_point()) lever.sign = now;
    }
  }
}

void DeadMan::Lose(Client client) {
  for (Watched& watched : panels_) {
    for (Lever& lever : watched.levers) {
      if (lever.client == client) lever.sign = {};
    }
  }
}

std::optional<DeadMan::Clock::duration> DeadMan::FindInterval(Client client) const {
  std::optional<Clock::duration> interval;
  for (const Watched& watched : panels_) {
    for (const Lever& lever : watched.levers) {
      if (lever.client != client) continue;
      if (!interval || watched.timeout / 4 < *interval) interval = watched.timeout / 4;
    }
  }
  return interval;
}

void DeadMan::Tick(Clock::time_point now) {
  for (Watched& watched : panels_) {
    std::vector<Lever*> lost;
    for (Lever& lever : watched.levers) {
      if (lever.client != 0 && now - lever.sign > watched.timeout) lost.push_back(&lever);
    }
    if (lost.empty() || !Return(watched, lost)) continue;
    watched.is_lost = true;
    for (Lever* lever : lost) lever->client = 0;
  }
}

bool DeadMan::Return(const Watched& watched, const std::vector<Lever*>& levers) {
  std::vector<std::string> paths;
  std::vector<double> values;
  for (const Lever* lever : levers) {
    paths.push_back(lever->axis.item.path());
    values.push_back(lever->axis.neutral);
  }
  return run_.Post(
      [&run = run_, panel = watched.panel, paths = std::move(paths), values = std::move(values)] {
        const std::string sender = "dead man of " + panel->path();
        run.Log("by " + sender + ": levers return to neutral");
        panel->operator_lost().Set();
        Request request{.sender = sender};
        request.items = run.simulation().Items(paths);
        request.values = values;
        run.Submit(request);
        const std::string& event = panel->content().lost_event;
        if (!event.empty()) run.Submit({.sender = sender, .command = "event " + event});
      });
}

}  // namespace davit
