// What the equations read: they are known one by one, so nothing needs to be declared in the file.

#include <algorithm>
#include <map>
#include <utility>

#include "components/user/equation_reader.h"

namespace davit {
namespace {

/// The elements of a reader that read an input or a port.
struct Readers {
  const void* id;
  std::size_t first;
  std::size_t last;
};

void AddReader(std::vector<Readers>& items, const void* id, std::size_t element) {
  const auto known = std::ranges::find(items, id, &Readers::id);
  if (known == items.end()) {
    items.push_back({id, element, element});
  } else {
    known->first = std::min(known->first, element);
    known->last = std::max(known->last, element);
  }
}

void AddItems(const std::vector<Readers>& items, std::size_t count, ReachDeclaration& reach) {
  for (const Readers& item : items) {
    const Elements by = count == 1                ? Elements::kAll
                        : item.last == 0          ? Elements::kFirst
                        : item.first + 1 == count ? Elements::kLast
                                                  : Elements::kAll;
    reach.reads.push_back({.of = Readable(item.id), .by = by});
  }
}

}  // namespace

void EquationReader::FindAllReads(std::size_t definition, std::vector<Variable>& reads) {
  reads.clear();
  ++searches_;
  visited_.resize(definitions_.size());
  std::vector<std::size_t> open{definition};
  visited_[definition] = searches_;
  while (!open.empty()) {
    const std::size_t next = open.back();
    open.pop_back();
    visits_ += 1 + definitions_[next].reads.size();
    for (const Variable read : definitions_[next].reads) {
      const Source& source = sources_[read];
      if (source.kind != Source::Kind::kDefined) {
        reads.push_back(read);
      } else if (std::exchange(visited_[source.index], searches_) != searches_) {
        open.push_back(source.index);
      }
    }
  }
}

void EquationReader::DeclareReaches() {
  // Where most read most, as in a long chain of outputs, nothing is declared: everything counts as read.
  const std::size_t most_visits = 100'000 + 200 * definitions_.size();
  std::vector<ReachDeclaration> reaches;
  std::map<const void*, std::vector<Variable>> written;  // by port or output
  std::vector<Variable> reads;
  std::vector<Readers> items;
  const auto add_states = [&](ReachDeclaration& reach, std::size_t element) {
    const std::size_t begin = reach.states.size();
    for (const Variable read : reads) {
      const Source& source = sources_[read];
      if (source.kind == Source::Kind::kState)
        reach.states.push_back(static_cast<std::uint32_t>(source.index));
      if (source.kind == Source::Kind::kInput)
        AddReader(items, equations_.inputs[source.index].id(), element);
      if (source.kind == Source::Kind::kBond) AddReader(items, source.port, element);
    }
    const auto first = reach.states.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, reach.states.end());
    reach.states.erase(std::unique(first, reach.states.end()), reach.states.end());
    reach.begin.push_back(reach.states.size());
  };
  const auto end_reach = [&] {
    if (!reaches.empty()) AddItems(items, reaches.back().begin.size() - 1, reaches.back());
    items.clear();
  };
  for (std::size_t d = 0; d < definitions_.size(); ++d) {
    const Definition& definition = definitions_[d];
    if (visits_ > most_visits) return;
    if (definition.reader != nullptr) {
      if (reaches.empty() || reaches.back().reader != definition.reader) {
        end_reach();
        reaches.push_back({definition.reader, {}, {0}, {}});
      }
      FindAllReads(d, reads);
      add_states(reaches.back(), definition.element);
    }
    if (definition.output != nullptr || definition.port != nullptr) {
      FindAllReads(d, reads);
      std::vector<Variable>& all =
          written[definition.output != nullptr ? definition.output->id() : definition.port];
      all.insert(all.end(), reads.begin(), reads.end());
    }
  }
  end_reach();
  if (visits_ > most_visits) return;
  for (auto& [writer, all] : written) {
    reads = std::move(all);
    reaches.push_back({writer, {}, {0}, {}});
    add_states(reaches.back(), 0);
    end_reach();
  }
  component_.mutable_declarations().reaches = std::move(reaches);
}

}  // namespace davit
