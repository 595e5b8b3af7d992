#pragma once

#include "server/http_query.h"
#include "studio/studio_context.h"

namespace davit {

/// POST /api/share: takes the edits of a page, and answers those of the others and who they are
HttpAnswer AnswerShare(const StudioContext& context, const HttpQuery& query);

}  // namespace davit
