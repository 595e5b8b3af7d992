#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {

/// A test of a file in systems/, as a user runs it. Load first.
class ShippedSystemTest : public testing::Test {
 protected:
  void Load(const std::string& name, const LoadOptions& options = {}) {
    LoadedSimulation loaded =
        Simulation::Load(DAVIT_SOURCE_DIR "/systems/" + name + ".xml", registry_, {.load = options});
    ASSERT_EQ(loaded.ToText(), "");
    simulation_ = std::move(loaded).Take();
    simulation_->Initialize();
  }
  void RunUntil(double t) { simulation_->RunUntil(t); }
  double Read(std::string_view path) const { return simulation_->Read(path); }
  const Simulation& simulation() const { return *simulation_; }

 private:
  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace davit
