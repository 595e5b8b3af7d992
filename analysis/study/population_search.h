#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/study/objective.h"

namespace davit {

/// Searches with populations. Each generation is asked for at once, so its cases run at the same time; random
/// numbers are those of PortableRandom. A search that finds no new points any more ends. `start`, a
/// point of the unit cube, is one of the first population. Constraints are held as IsBetter says. All throw
/// SearchEnded.

/// Differential evolution, rand/1/bin with a random scale in 0.5 ... 1 (Storn and Price, Journal of Global
/// Optimization 11, 1997), until all coordinates of the population are within `tolerance`.
void SearchByDifferentialEvolution(Objective& objective, const std::vector<double>& start, double tolerance,
                                   std::uint64_t seed);

/// CMA-ES with rank-mu update and cumulative step length (Hansen, The CMA Evolution Strategy: A Tutorial,
/// 2016), until the largest standard deviation is below `tolerance`. Points outside of the bounds are set
/// onto them.
void SearchByCovariance(Objective& objective, const std::vector<double>& start, double tolerance,
                        std::uint64_t seed);

/// NSGA-II with simulated binary crossover and polynomial mutation (Deb et al., IEEE Transactions on
/// Evolutionary Computation 6, 2002), until the budget is used up.
void SearchFront(Objective& objective, const std::vector<double>& start, std::uint64_t seed);

/// Those that no other one dominates, by their first objective; each value once.
std::vector<Evaluation> FrontOf(const std::vector<Evaluation>& evaluations);

}  // namespace davit
