#pragma once

#include "server/http_query.h"
#include "studio/studio_context.h"

namespace davit {

// Each answers one kind of request about the files of the folder; in a thread that may wait for a disk.

/// GET /api/studio
HttpAnswer AnswerStudio(const StudioContext& context, const HttpQuery& query);
/// GET /api/files
HttpAnswer AnswerFiles(const StudioContext& context, const HttpQuery& query);
/// GET /api/file
HttpAnswer AnswerFile(const StudioContext& context, const HttpQuery& query);
/// GET /api/picture: a PNG or SVG of the folder, as it is
HttpAnswer AnswerPicture(const StudioContext& context, const HttpQuery& query);
/// GET /api/texts: of several files; null for one that cannot be read
HttpAnswer AnswerFileTexts(const StudioContext& context, const HttpQuery& query);
/// PUT /api/file
HttpAnswer AnswerWrite(const StudioContext& context, const HttpQuery& query);
/// GET /api/templates
HttpAnswer AnswerTemplates(const StudioContext& context, const HttpQuery& query);

}  // namespace davit
