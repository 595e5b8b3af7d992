// Replaces ecmascript_data_model.cc where Duktape is not installed.

#include "statecharts/ecmascript_data_model.h"

namespace davit {

bool HasEcmascript() { return false; }
std::unique_ptr<DataModel> MakeEcmascriptDataModel(const SessionView& /*session*/) { return nullptr; }

}  // namespace davit
