#include "tests/support/dae_models.h"

namespace davit {

void RegisterDaeModels(Registry& registry) {
  registry.Add<TestPendulum, TestForgetful, TestNoResidual, TestChainLink, TestSquare, TestClock, TestDip,
               TestRestless>();
}

}  // namespace davit
