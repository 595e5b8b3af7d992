#pragma once

#include <memory>

#include "statecharts/data_model.h"

namespace davit {

/// Whether davit was built with Duktape.
bool HasEcmascript();

/// The data model `ecmascript`, for charts from elsewhere: each session has a Duktape of its own, which takes
/// memory and time as it likes. Events between sessions carry their data as JSON. Pre: HasEcmascript().
std::unique_ptr<DataModel> MakeEcmascriptDataModel(const SessionView& session);

}  // namespace davit
