#pragma once

#include "server/http_query.h"
#include "studio/studio_context.h"

namespace davit {

// Each answers one kind of request about systems and models; in a thread that may take its time.

/// GET /api/models: of every system
HttpAnswer AnswerModels(const StudioContext& context, const HttpQuery& query);
/// POST /api/models: those that a system has besides, of plug-ins and in the components that it writes itself
HttpAnswer AnswerModelsOf(const StudioContext& context, const HttpQuery& query);
/// POST /api/check
HttpAnswer AnswerCheck(const StudioContext& context, const HttpQuery& query);
/// POST /api/scene
HttpAnswer AnswerScene(const StudioContext& context, const HttpQuery& query);
/// POST /api/layout
/// POST /api/compare: with another file of the folder, or with what is saved
HttpAnswer AnswerCompare(const StudioContext& context, const HttpQuery& query);
HttpAnswer AnswerLayout(const StudioContext& context, const HttpQuery& query);
/// POST /api/chart/check
HttpAnswer AnswerChartCheck(const StudioContext& context, const HttpQuery& query);

}  // namespace davit
