#pragma once

#include <memory>
#include <string>

#include "analysis/study/case_runner.h"
#include "analysis/study/rank_channel.h"

namespace davit {

/// Whether this process runs cases for another one: its rank is not 0.
bool ServesOthers(const CaseSetup& setup);

/// Runs the cases that rank 0 hands out, one after the other, until the CasePool there is gone. Pre: the rank
/// is not 0, and the worker is as those of rank 0. After DismissRanks it returns at once.
void ServeCases(RankChannel& ranks, const MakeCaseWorker& make);
/// The same with a CaseRunner. Pre: ServesOthers. `first` as CaseRunner takes it.
void ServeCases(const CaseSetup& setup, const Registry& registry,
                std::unique_ptr<Simulation> first = nullptr);

/// Of rank 0, at the end of the program: the others run no more cases. Waits until all have heard it.
void DismissRanks(RankChannel& ranks);
/// Of the others, at the end of their program: waits for DismissRanks. `fault`: why this one runs no cases;
/// empty where nothing is wrong.
void LeaveRanks(RankChannel& ranks, const std::string& fault);

}  // namespace davit
