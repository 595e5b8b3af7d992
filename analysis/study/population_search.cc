#include "analysis/study/population_search.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/study/portable_random.h"
#include "analysis/study/sampling.h"

namespace davit {
namespace {

using Points = std::vector<std::vector<double>>;

/// `size` points, the first of them `start`, the others a Latin hypercube.
Points FirstPopulation(const std::vector<double>& start, std::size_t size, std::uint64_t seed) {
  const std::size_t n = start.size();
  const std::vector<double> cube = SampleUnitCube(Sampling::kLatinHypercube, size, n, seed);
  Points points;
  for (std::size_t i = 0; i < size; ++i)
    points.emplace_back(cube.begin() + static_cast<std::ptrdiff_t>(i * n),
                        cube.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  points.front() = start;
  return points;
}

/// Ends searches that ask for the same points again and again, in a corner of the bounds.
class Progress {
 public:
  explicit Progress(const Objective& objective) : objective_(objective) {}
  /// To be asked once a generation.
  bool IsGoingOn() {
    constexpr int kMostWithoutNew = 20;
    idle_ = objective_.count() > count_ ? 0 : idle_ + 1;
    count_ = objective_.count();
    return idle_ < kMostWithoutNew;
  }

 private:
  const Objective& objective_;
  std::uint64_t count_ = 0;
  int idle_ = 0;
};

/// How far the population is spread along the axis that it is spread most.
double SpreadOf(const std::vector<Evaluation>& population) {
  double spread = 0;
  for (std::size_t d = 0; d < population.front().u.size(); ++d) {
    const auto [low, high] = std::ranges::minmax(population, {}, [d](const Evaluation& e) { return e.u[d]; });
    spread = std::max(spread, high.u[d] - low.u[d]);
  }
  return spread;
}

/// Ranks of NSGA-II: 0 the front, 1 what is the front without it ...
std::vector<std::size_t> RankByDominance(const std::vector<Evaluation>& population) {
  const std::size_t size = population.size();
  std::vector<std::size_t> ranks(size, size);
  std::vector<std::size_t> dominated_by(size, 0);
  std::vector<std::vector<std::size_t>> dominates(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      if (!Dominates(population[i], population[k])) continue;
      dominates[i].push_back(k);
      ++dominated_by[k];
    }
  }
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < size; ++i) {
    if (dominated_by[i] == 0) front.push_back(i);
  }
  for (std::size_t rank = 0; !front.empty(); ++rank) {
    std::vector<std::size_t> next;
    for (const std::size_t i : front) {
      ranks[i] = rank;
      for (const std::size_t k : dominates[i]) {
        if (--dominated_by[k] == 0) next.push_back(k);
      }
    }
    front = std::move(next);
  }
  return ranks;
}

/// Crowding distances within each rank.
std::vector<double> CrowdingOf(const std::vector<Evaluation>& population,
                               const std::vector<std::size_t>& ranks) {
  std::vector<double> crowding(population.size(), 0);
  const std::size_t last = *std::ranges::max_element(ranks);
  for (std::size_t rank = 0; rank <= last; ++rank) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] == rank) members.push_back(i);
    }
    for (std::size_t m = 0; m < population.front().objectives.size(); ++m) {
      const auto value = [&](std::size_t i) { return population[i].objectives[m]; };
      std::ranges::stable_sort(members, {}, value);
      const double width = value(members.back()) - value(members.front());
      crowding[members.front()] = crowding[members.back()] = std::numeric_limits<double>::infinity();
      for (std::size_t k = 1; k + 1 < members.size(); ++k) {
        if (width > 0 && std::isfinite(width))
          crowding[members[k]] += (value(members[k + 1]) - value(members[k - 1])) / width;
      }
    }
  }
  return crowding;
}

/// Simulated binary crossover of one coordinate, index 15.
double Cross(double a, double b, double p) {
  constexpr double kIndex = 15;
  const double base = p <= 0.5 ? 2 * p : 1 / (2 * (1 - p));
  const double beta = std::pow(base, 1 / (kIndex + 1));
  return std::clamp(0.5 * ((1 + beta) * a + (1 - beta) * b), 0.0, 1.0);
}

/// Polynomial mutation of one coordinate, index 20.
double Mutate(double x, double p) {
  constexpr double kIndex = 20;
  const double delta =
      p < 0.5 ? std::pow(2 * p, 1 / (kIndex + 1)) - 1 : 1 - std::pow(2 * (1 - p), 1 / (kIndex + 1));
  return std::clamp(x + delta, 0.0, 1.0);
}

}  // namespace

void SearchByDifferentialEvolution(Objective& objective, const std::vector<double>& start, double tolerance,
                                   std::uint64_t seed) {
  const std::size_t n = start.size();
  const std::size_t size = std::clamp<std::size_t>(10 * n, 20, 100);
  constexpr double kCrossover = 0.9;
  PortableRandom random(seed);
  std::vector<Evaluation> population = objective.Evaluate(FirstPopulation(start, size, seed));
  Progress progress(objective);
  while (SpreadOf(population) > tolerance && progress.IsGoingOn()) {
    Points trials;
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t a = i, b = i, c = i;
      while (a == i) a = random.Below(size);
      while (b == i || b == a) b = random.Below(size);
      while (c == i || c == a || c == b) c = random.Below(size);
      const double scale = 0.5 + 0.5 * random.Uniform();
      const std::size_t always = random.Below(n);
      std::vector<double> trial = population[i].u;
      for (std::size_t d = 0; d < n; ++d) {
        if (random.Uniform() >= kCrossover && d != always) continue;
        const double x = population[a].u[d] + scale * (population[b].u[d] - population[c].u[d]);
        // Beyond a bound: half the way from where the first one was, so that bounds are approached.
        trial[d] = x < 0 ? population[a].u[d] / 2 : x > 1 ? (1 + population[a].u[d]) / 2 : x;
      }
      trials.push_back(std::move(trial));
    }
    std::vector<Evaluation> next = objective.Evaluate(trials);
    for (std::size_t i = 0; i < size; ++i) {
      if (!IsBetter(population[i], next[i])) population[i] = std::move(next[i]);
    }
  }
}

void SearchByCovariance(Objective& objective, const std::vector<double>& start, double tolerance,
                        std::uint64_t seed) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  const auto n = static_cast<Eigen::Index>(start.size());
  const double size = static_cast<double>(n);
  const std::size_t lambda = 4 + static_cast<std::size_t>(3 * std::log(size));
  const std::size_t mu = lambda / 2;
  VectorXd weights(static_cast<Eigen::Index>(mu));
  for (std::size_t i = 0; i < mu; ++i)
    weights[static_cast<Eigen::Index>(i)] =
        std::log(static_cast<double>(lambda + 1) / 2) - std::log(static_cast<double>(i + 1));
  weights /= weights.sum();
  const double mu_eff = 1 / weights.squaredNorm();
  const double cc = (4 + mu_eff / size) / (size + 4 + 2 * mu_eff / size);
  const double cs = (mu_eff + 2) / (size + mu_eff + 5);
  const double c1 = 2 / ((size + 1.3) * (size + 1.3) + mu_eff);
  const double cmu = std::min(1 - c1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((size + 2) * (size + 2) + mu_eff));
  const double damping = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (size + 1)) - 1) + cs;
  const double expected = std::sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size * size));
  PortableRandom random(seed);
  VectorXd mean = Eigen::Map<const VectorXd>(start.data(), n);
  double sigma = 0.3;
  MatrixXd covariance = MatrixXd::Identity(n, n);
  VectorXd path_c = VectorXd::Zero(n), path_s = VectorXd::Zero(n);
  objective.Evaluate(start);
  Progress progress(objective);
  for (int generation = 1; progress.IsGoingOn(); ++generation) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(covariance);
    const VectorXd lengths = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
    if (sigma * lengths.maxCoeff() < tolerance) return;
    Points points;
    for (std::size_t k = 0; k < lambda; ++k) {
      VectorXd z(n);
      for (double& number : z) number = random.Normal();
      const VectorXd x =
          (mean + sigma * (eigen.eigenvectors() * lengths.cwiseProduct(z))).cwiseMax(0).cwiseMin(1);
      points.emplace_back(x.begin(), x.end());
    }
    std::vector<Evaluation> generation_points = objective.Evaluate(points);
    std::ranges::stable_sort(generation_points, IsBetter);
    const VectorXd before = mean;
    mean.setZero();
    for (std::size_t i = 0; i < mu; ++i)
      mean += weights[static_cast<Eigen::Index>(i)] *
              Eigen::Map<const VectorXd>(generation_points[i].u.data(), n);
    const VectorXd step = (mean - before) / sigma;
    const MatrixXd inverse_root =
        eigen.eigenvectors() * lengths.cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
    path_s = (1 - cs) * path_s + std::sqrt(cs * (2 - cs) * mu_eff) * (inverse_root * step);
    const bool is_fast =
        path_s.norm() / std::sqrt(1 - std::pow(1 - cs, 2 * generation)) < (1.4 + 2 / (size + 1)) * expected;
    path_c = (1 - cc) * path_c;
    if (is_fast) path_c += std::sqrt(cc * (2 - cc) * mu_eff) * step;
    covariance *= 1 - c1 - cmu + (is_fast ? 0 : c1 * cc * (2 - cc));
    covariance += c1 * path_c * path_c.transpose();
    for (std::size_t i = 0; i < mu; ++i) {
      const VectorXd y = (Eigen::Map<const VectorXd>(generation_points[i].u.data(), n) - before) / sigma;
      covariance += cmu * weights[static_cast<Eigen::Index>(i)] * y * y.transpose();
    }
    sigma *= std::exp(std::min(1.0, cs / damping * (path_s.norm() / expected - 1)));
  }
}

void SearchFront(Objective& objective, const std::vector<double>& start, std::uint64_t seed) {
  const std::size_t n = start.size();
  constexpr std::size_t kSize = 40;
  constexpr double kCrossover = 0.9;
  PortableRandom random(seed);
  std::vector<Evaluation> population = objective.Evaluate(FirstPopulation(start, kSize, seed));
  Progress progress(objective);
  while (progress.IsGoingOn()) {
    const std::vector<std::size_t> ranks = RankByDominance(population);
    const std::vector<double> crowding = CrowdingOf(population, ranks);
    const auto chosen = [&] {
      const std::size_t a = random.Below(kSize), b = random.Below(kSize);
      if (ranks[a] != ranks[b]) return ranks[a] < ranks[b] ? a : b;
      return crowding[a] >= crowding[b] ? a : b;
    };
    Points children;
    while (children.size() < kSize) {
      std::vector<double> one = population[chosen()].u;
      std::vector<double> two = population[chosen()].u;
      if (random.Uniform() < kCrossover) {
        for (std::size_t d = 0; d < n; ++d) {
          const double a = one[d], b = two[d], p = random.Uniform();
          if (random.Uniform() < 0.5) continue;
          one[d] = Cross(a, b, p);
          two[d] = Cross(b, a, p);
        }
      }
      for (std::vector<double>* child : {&one, &two}) {
        for (std::size_t d = 0; d < n; ++d) {
          double& x = (*child)[d];
          if (random.Uniform() >= 1.0 / static_cast<double>(n)) continue;
          const double p = random.Uniform();
          x = objective.IsChoice(d) ? p : Mutate(x, p);
        }
      }
      children.push_back(std::move(one));
      if (children.size() < kSize) children.push_back(std::move(two));
    }
    std::vector<Evaluation> both = objective.Evaluate(children);
    both.insert(both.end(), population.begin(), population.end());
    const std::vector<std::size_t> all_ranks = RankByDominance(both);
    const std::vector<double> all_crowding = CrowdingOf(both, all_ranks);
    std::vector<std::size_t> order(both.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return all_ranks[a] != all_ranks[b] ? all_ranks[a] < all_ranks[b] : all_crowding[a] > all_crowding[b];
    });
    population.clear();
    for (std::size_t i = 0; i < kSize; ++i) population.push_back(both[order[i]]);
  }
}

std::vector<Evaluation> FrontOf(const std::vector<Evaluation>& evaluations) {
  std::vector<Evaluation> front;
  for (const Evaluation& one : evaluations) {
    if (!one.is_valid || one.violation > 0) continue;
    const auto is_beaten = [&](const Evaluation& other) {
      return Dominates(other, one) || (other.objectives == one.objectives && other.number < one.number);
    };
    if (std::ranges::none_of(evaluations, is_beaten)) front.push_back(one);
  }
  std::ranges::stable_sort(front, {}, [](const Evaluation& e) { return e.objectives.front(); });
  return front;
}

}  // namespace davit
