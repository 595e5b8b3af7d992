#include "statecharts/data_model.h"

#include "statecharts/davit_data_model.h"
#include "statecharts/ecmascript_data_model.h"

namespace davit {

std::unique_ptr<DataModel> MakeDataModel(const SessionView& session) {
  if (session.chart->data_model == DataModelKind::kEcmascript) return MakeEcmascriptDataModel(session);
  return std::make_unique<DavitDataModel>(session);
}

}  // namespace davit
