#include "tests/support/dae_models.h"

namespace davit {

void RegisterDaeModels(Registry& registry) {
  registry
      .Add<TestPendulum, TestForgetful, TestRootOfTime, TestChainLink, TestSquare, TestClock, TestRelay>();
}

}  // namespace davit
