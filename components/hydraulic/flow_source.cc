#include "components/hydraulic/flow_source.h"

namespace davit {

FlowSource::FlowSource() { EffortsRead({}); }

}  // namespace davit
