#include "hopsan/component_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace davit::hopsan {

bool ComponentList::Members::Sort() {
  const std::size_t count = components.size();
  std::vector<std::vector<std::size_t>> readers(count), neighbours(count);
  std::vector<std::size_t> waits_for(count, 0), left(count);
  for (const Edge& edge : edges) {
    neighbours[edge.writer].push_back(edge.reader);
    neighbours[edge.reader].push_back(edge.writer);
    if (!edge.is_binding) continue;
    readers[edge.writer].push_back(edge.reader);
    ++waits_for[edge.reader];
  }
  struct Placed {
    std::size_t level = 0;  ///< behind all neighbours that run before; 0 while it has no place
    HopsanComponent* component = nullptr;
  };
  std::vector<Placed> sorted;
  std::vector<std::size_t> levels(count, 0);
  // Hopsan goes through the list again and again, and takes what does not wait any more.
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    std::vector<std::size_t> next;
    for (const std::size_t i : left) {
      if (waits_for[i] > 0) {
        next.push_back(i);
        continue;
      }
      for (const std::size_t other : neighbours[i]) levels[i] = std::max(levels[i], levels[other]);
      sorted.push_back({++levels[i], components[i]});
      for (const std::size_t reader : readers[i]) --waits_for[reader];
    }
    if (next.size() == left.size()) return false;
    left = std::move(next);
  }
  // Components of one phase see each other through signals only, so types may follow each other; what is
  // inside of a sub-system may see more. Which type comes first is free; downwards a servo takes 2 % less
  // time.
  if (std::ranges::none_of(components, [](auto* one) { return dynamic_cast<Subsystem*>(one) != nullptr; })) {
    std::ranges::stable_sort(sorted, [](const Placed& a, const Placed& b) {
      return a.level != b.level ? a.level < b.level : a.component->model().name > b.component->model().name;
    });
  }
  std::ranges::transform(sorted, components.begin(), &Placed::component);
  return true;
}

void ComponentList::Plan(double T) {
  clock_.T = owner_ != nullptr && owner_->time_step() > 0 ? owner_->time_step() : T;
  order_.clear();
  calls_.clear();
  std::size_t first_q = 0;
  for (Members& members : phases_) {
    first_q = order_.size();
    std::ranges::copy_if(members.components, std::back_inserter(order_),
                         [](const HopsanComponent* one) { return !one->is_disabled() && one->HasStep(); });
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i == first_q) first_q_call_ = calls_.size();
    const auto inner =
        std::ranges::find_if(inner_, [&](const auto& list) { return list->owner() == order_[i]; });
    if (inner != inner_.end()) {
      (*inner)->Plan(clock_.T);
      calls_.push_back({.inner = inner->get()});
      continue;
    }
    const BatchStep run = order_[i]->entry().simulate_one_timestep;
    if (calls_.empty() || calls_.back().run != run || i == first_q)
      calls_.push_back({run, &order_[i], 0, nullptr});
    ++calls_.back().count;
  }
  if (first_q == order_.size()) first_q_call_ = calls_.size();
}

void ComponentList::Begin(double t) {
  clock_.t = t;
  clock_.is_stop_asked = false;
  for (Component* component : order_) static_cast<HopsanComponent*>(component)->set_clock(clock_);
  for (auto& list : inner_) list->Begin(t);
}

void ComponentList::Initialize() {
  for (const Call& call : calls_) {
    if (call.inner != nullptr) {
      call.inner->Initialize();
      continue;
    }
    for (std::size_t i = 0; i < call.count; ++i)
      static_cast<HopsanComponent*>(call.components[i])->Initialize();
  }
}

void ComponentList::StepSAndC() {
  clock_.t += clock_.T;
  Run(0, first_q_call_);
}

void ComponentList::StepQ() { Run(first_q_call_, calls_.size()); }

void ComponentList::Run(std::size_t begin, std::size_t end) {
  const double t = clock_.t;
  const Call* call = calls_.data() + begin;
  for (const Call* const last = calls_.data() + end; call != last; ++call) {
    if (call->run != nullptr) [[likely]] {
      call->run(call->components, call->count, t);
    } else {
      call->inner->RunTo(t);
    }
  }
}

void ComponentList::RunTo(double t) {
  if (!owner_->is_on()) {
    clock_.t = t;
    return;
  }
  const auto steps = static_cast<long long>(std::floor((t - clock_.t) / clock_.T + 0.5));
  for (long long n = 0; n < steps; ++n) {
    StepSAndC();
    StepQ();
  }
}

bool ComponentList::is_stop_asked() const {
  return clock_.is_stop_asked ||
         std::ranges::any_of(inner_, [](const auto& list) { return list->is_stop_asked(); });
}

void ComponentList::ArchiveMemory(Archive& archive) {
  archive(clock_.t);
  for (auto& list : inner_) list->ArchiveMemory(archive);
}

}  // namespace davit::hopsan
