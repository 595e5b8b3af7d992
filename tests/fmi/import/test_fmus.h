#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/registry.h"
#include "session/simulation.h"

namespace davit {

/// All models of davit, and fmi.Fmu.
const Registry& ModelsWithFmus();

/// The description of the ball of tests/fmus: `kinds` are its elements ModelExchange and CoSimulation.
std::string BallDescription2(const std::string& kinds = {});
std::string BallDescription3();
/// Of tests/fmus/types3.cc.
std::string TypesDescription3();
/// Of tests/fmus/wrong2.cc.
std::string WrongDescription2();

/// Packs an FMU in the folder of the test: `library` is the name of a file in tests/fmus, `platform` the
/// folder of its binary.
std::filesystem::path PackFmu(const std::string& name, const std::string& description,
                              const std::string& library, const std::string& platform = "linux64");
std::filesystem::path PackBall2(const std::string& kinds = {});
std::filesystem::path PackBall3();
std::filesystem::path PackTypes3();
std::filesystem::path PackWrong2();

/// The text with `to` instead of the first `from`, which must be there.
std::string Replaced(std::string text, const std::string& from, const std::string& to);

/// Loads a system with this content and TimeStep = 10 ms, StopTime = 2 s, whose files are those of the test.
/// What is wrong fails the test.
std::unique_ptr<Simulation> LoadWithFmus(const std::string& content, const std::string& manager = {});
/// What is wrong with such a system.
std::string FaultsWithFmus(const std::string& content);
/// What ends the run of such a system.
std::string FailureWithFmus(const std::string& content);

}  // namespace davit
