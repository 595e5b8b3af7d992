#include "components/register.h"

#include "components/electrical/register.h"
#include "components/hydraulic/register.h"
#include "components/marine/register.h"
#include "components/mechanical/register.h"
#include "components/mechanism/register.h"
#include "components/operators/register.h"
#include "components/pneumatic/register.h"
#include "components/signal/register.h"
#include "components/thermal/register.h"
#include "components/user/register.h"
#include "simulator/simulator_manager.h"

namespace davit {

void RegisterComponents(Registry& registry) {
  RegisterElectrical(registry);
  RegisterHydraulic(registry);
  RegisterMarine(registry);
  RegisterMechanical(registry);
  RegisterMechanism(registry);
  RegisterOperators(registry);
  RegisterPneumatic(registry);
  RegisterSignal(registry);
  RegisterThermal(registry);
  RegisterUser(registry);
}

Registry AllModels() {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  return registry;
}

}  // namespace davit
