#include "components/hydraulic/pipe.h"

namespace davit {

Pipe::Pipe() { EffortsRead({inlet}); }

}  // namespace davit
