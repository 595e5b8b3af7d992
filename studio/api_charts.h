#pragma once

#include <map>
#include <memory>

#include "server/http_query.h"
#include "studio/chart_trial.h"
#include "studio/studio_context.h"

namespace davit {

/// The charts that run alone, each a session of a number. Used by one thread.
class ChartTrials {
 public:
  static constexpr std::size_t kMostSessions = 20;  ///< beyond, the oldest one goes

  explicit ChartTrials(std::shared_ptr<const StudioContext> context) : context_(std::move(context)) {}

  /// POST and DELETE /api/chart/run, POST /api/chart/send
  HttpAnswer Answer(const HttpQuery& query);

 private:
  HttpAnswer Begin(const HttpQuery& query);
  HttpAnswer Send(const HttpQuery& query);

  const std::shared_ptr<const StudioContext> context_;
  int next_session_ = 1;
  std::map<int, std::unique_ptr<ChartTrial>> sessions_;
};

}  // namespace davit
