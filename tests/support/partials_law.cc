#include "tests/support/partials_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>

#include "simulator/partial_derivatives.h"

namespace davit {
namespace {

/// A number that a component reads or writes.
struct PartialsNumber {
  std::string name;
  PartialDerivatives::Variable variable;
  double* read = nullptr;     ///< null: it is only written
  double* written = nullptr;  ///< null: it is only read
  double size = 1;
};

std::vector<PartialsNumber> NumbersOf(const Component& component, bool has_outputs) {
  std::vector<PartialsNumber> numbers;
  for (const StateDeclaration& state : component.declarations().states) {
    for (std::uint32_t i = 0; state.is_active && i < state.count; ++i) {
      const StateSlot& slot = state.slots[i];
      numbers.push_back({fmt::format("{}[{}]", state.label.name, i), PartialDerivatives::Variable(slot),
                         &slot.memory->y[slot.offset], &slot.memory->ddt[slot.offset], state.nominal});
    }
  }
  for (const PortDeclaration& port : component.declarations().ports) {
    for (std::size_t b = 0; b < port.port->bond_count(); ++b) {
      Bond& bond = port.port->bond(b);
      const auto add = [&](std::string_view name, double& value, double size) {
        numbers.push_back({fmt::format("{}[{}].{}", port.label.name, b, name), &value, &value, &value, size});
      };
      add("c", bond.c, port.domain->effort.scale);
      add("Zc", bond.Zc, 1);
      for (const DomainVariable& variable : port.domain->variables) {
        add(variable.name, variable.of(bond), 1e-3);
      }
    }
  }
  for (const OutputDeclaration& output : component.declarations().outputs) {
    if (!has_outputs || output.value == nullptr) continue;
    numbers.push_back({std::string(output.label.name), output.value, nullptr, output.value, 1});
  }
  return numbers;
}

std::vector<std::string> FindWrong(const std::function<void()>& evaluate,
                                   const DynamicSimComponent& component, bool has_outputs) {
  evaluate();
  const std::vector<PartialsNumber> numbers = NumbersOf(component, has_outputs);
  const std::size_t n = numbers.size();
  std::deque<double> known(n * n, 0.0);
  PartialDerivatives partials;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      partials.Want(numbers[i].variable, numbers[j].variable, &known[i * n + j]);
  }
  // The second time as in a run, where the calls are remembered.
  for (int i = 0; i < 2; ++i) {
    std::ranges::fill(known, 0.0);
    partials.Begin();
    if (!component.WritePartials(partials)) return {"it writes no partial derivatives at this point"};
  }
  const auto read_all = [&] {
    evaluate();
    std::vector<double> values;
    values.reserve(numbers.size());
    for (const PartialsNumber& number : numbers)
      values.push_back(number.written == nullptr ? 0.0 : *number.written);
    return values;
  };
  const std::vector<double> base = read_all();
  std::vector<std::vector<double>> changes(n);
  std::vector<double> shifts(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double* const at = numbers[j].read;
    if (at == nullptr || !std::isfinite(*at)) continue;
    const double kept = *at;
    const double h = 1e-6 * std::max(numbers[j].size, std::abs(kept));
    *at = kept + h;
    std::vector<double> above = read_all();
    const bool is_written = at == numbers[j].written && *at != kept + h;  // by this component
    *at = kept - h;
    const std::vector<double> below = read_all();
    *at = kept;
    if (is_written) continue;
    shifts[j] = h;
    for (std::size_t i = 0; i < n; ++i) above[i] = (above[i] - below[i]) / 2;
    changes[j] = std::move(above);
  }
  read_all();
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(base[i])) continue;  // a limit that nobody sets
    // Sums of large terms that cancel leave their rounding.
    double terms = std::abs(base[i]);
    for (std::size_t j = 0; j < n; ++j) {
      if (shifts[j] > 0 && numbers[j].read != numbers[i].written)
        terms = std::max(terms, 1e6 * std::abs(changes[j][i]));
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (!(shifts[j] > 0) || numbers[j].read == numbers[i].written) continue;
      const double expected = changes[j][i], found = known[i * n + j] * shifts[j];
      if (std::abs(found - expected) <= 1e-4 * std::abs(expected) + 1e-13 * terms) continue;
      faults.push_back(fmt::format("{} over {} is {:.6g}, WritePartials has {:.6g}", numbers[i].name,
                                   numbers[j].name, expected / shifts[j], known[i * n + j]));
    }
  }
  return faults;
}

}  // namespace

std::vector<std::string> WrongPartials(ComponentHarness& harness, const DynamicSimComponent& component) {
  return FindWrong([&] { harness.Evaluate(); }, component, true);
}

std::vector<std::string> WrongPartials(const std::function<void()>& evaluate,
                                       const DynamicSimComponent& component) {
  return FindWrong(evaluate, component, false);
}

}  // namespace davit
