#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "framework/system.h"
#include "simulator/call_watch.h"
#include "simulator/charts/behaviour_mirror.h"
#include "simulator/charts/chart_set.h"
#include "simulator/network/network.h"
#include "simulator/requests/behaviour_switcher.h"
#include "simulator/requests/handed_down_values.h"
#include "simulator/requests/parameter_routes.h"
#include "simulator/requests/request_queue.h"
#include "simulator/requests/value_keeper.h"
#include "simulator/requests/value_writer.h"
#include "simulator/requests/written_values.h"
#include "simulator/run/request_runner.h"
#include "simulator/run/run_clock.h"
#include "simulator/run/run_reporter.h"
#include "simulator/run/run_settings.h"
#include "simulator/run/step_loop.h"

namespace davit {

/// What a run consists of, for the classes that do its work.
struct RunContext {
  RunContext(Component& manager, RunSettings of_manager, RunClock& of_run)
      : root(manager),
        settings(std::move(of_manager)),
        clock(of_run),
        runner(manager, settings, queue, writer, charts),
        reporter(manager) {}

  Component& root;  ///< the manager: it has the run log and the places of faults
  RunSettings settings;
  RunClock& clock;
  System* system = nullptr;
  std::vector<DynamicSimComponent*> components;
  std::vector<DynamicSimComponent*> processed;  ///< have Process

  // Made for each TimeStep.
  std::unique_ptr<Network> network;
  std::unique_ptr<StepLoop> loop;
  std::unique_ptr<BehaviourSwitcher> switcher;
  std::unique_ptr<BehaviourMirror> mirror;

  ChartSet charts;
  RequestQueue queue;
  ValueWriter writer;
  WrittenValues written;
  std::unique_ptr<ValueKeeper> keeper;
  HandedDownValues handed_down;
  ParameterRoutes parameter_routes;
  RequestRunner runner;
  RunReporter reporter;
  CallWatch* watch = nullptr;
};

}  // namespace davit
