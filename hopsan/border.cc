#include "hopsan/border.h"

#include "hopsan/scheduler.h"

namespace davit::hopsan {

void HydraulicBorderC::InitializeWaves() {
  SimulateOneTimestep(0);
  PostIntegrate();
}

void HydraulicBorderC::SimulateOneTimestep(double /*t*/) {
  gauge->c = absolute->c - atmospheric_pressure;
  gauge->Zc = absolute->Zc;
  gauge->p_min = -atmospheric_pressure;
}

void HydraulicBorderC::PostIntegrate() {
  absolute->q = gauge->q;
  absolute->p = gauge->p() + atmospheric_pressure;
}

void HydraulicBorderQ::BringWave() {
  absolute->c = gauge->c + atmospheric_pressure;
  absolute->Zc = gauge->Zc;
}

void HydraulicBorderQ::BringStart() {
  BringWave();
  absolute->q = 0;
  absolute->p = absolute->c;
}

void HydraulicBorderQ::CheckConnections(Diagnostics& diagnostics) {
  if (scheduler_ == nullptr)
    diagnostics.Error(location(), DisplayPath(),
                      "nothing steps the Hopsan components; add <hopsan.Scheduler "
                      "name=\"hopsan_scheduler\"/>");
}

void HydraulicBorderQ::SimulateOneTimestep(double /*t*/) {
  scheduler_->StepQ();
  gauge->q = absolute->q;
}

}  // namespace davit::hopsan
