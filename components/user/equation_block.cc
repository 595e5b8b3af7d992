#include "components/user/equation_block.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "components/user/equations.h"

namespace davit {
namespace {

// Numbers of lanes that the compiler supports.
constexpr std::integral_constant<std::size_t, 1> kOne;
constexpr std::integral_constant<std::size_t, RegisterCode::kLanes> kAll;

}  // namespace

void EquationBlock::Join(std::span<EquationComponent* const> members) {
  const std::shared_ptr<EquationBlock> block(new EquationBlock(members));
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    Equations& member = *members[lane]->equations_;
    for (std::uint32_t place = 0; member.block != nullptr && place < block->value_count_; ++place)
      block->ValueAt(place, lane) = member.ValueAt(place);
    member.block = block;
    member.lane = lane;
    block->Bind(lane);
  }
}

EquationBlock::EquationBlock(std::span<EquationComponent* const> members)
    : first_(members[0]->equations_.get()),
      stride_(members.size() == 1 ? 1 : kLanes),
      members_(members.begin(), members.end()),
      value_count_(first_->code->memory_size()),
      rows_((stride_ * value_count_ + kLanes - 1) / kLanes) {
  static_assert(std::tuple_size_v<decltype(links_)> == Equations::kSteps);
  assert(members.size() <= kLanes);
  values_ = rows_.data()->values.data();
  time_ = values_ + stride_ * first_->time_place;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Equations::Step& step = first_->steps[i];
    Links& links = links_[i];
    const auto add = [this](const auto& items, auto& rows, auto& outside) {
      for (const auto& item : items) rows.push_back(values_ + stride_ * item.place);
      outside.resize(stride_ * items.size());
    };
    add(step.reads, links.read_rows, links.reads);
    add(step.states, links.state_rows, links.states);
    add(step.written, links.written_rows, links.written);
    add(step.derivatives, links.derivative_rows, links.derivatives);
    links.code = step.code;
  }
  slot_ = first_->first_state;
}

void EquationBlock::Bind(std::size_t lane) {
  Equations& member = *members_[lane]->equations_;
  for (Equations::BondValue& bond : member.bonds) bond.value = &bond.member(bond.port->bond(0));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Equations::Step& step = member.steps[i];
    for (std::size_t k = 0; k < step.reads.size(); ++k)
      links_[i].reads[stride_ * k + lane] = *step.reads[k].source;
    for (std::size_t k = 0; k < step.written.size(); ++k) {
      const Equations::Written& to = step.written[k];
      links_[i].written[stride_ * k + lane] = to.port == nullptr ? to.value : &to.member(to.port->bond(0));
    }
  }
  states_ = nullptr;
}

[[gnu::noinline]] void EquationBlock::BindStates() {
  states_ = slot_->memory;
  arrangement_ = states_->arrangement;
  for (std::size_t lane = 0; lane < members_.size(); ++lane) {
    const Equations& member = *members_[lane]->equations_;
    assert(member.first_state->memory == states_);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Equations::Step& step = member.steps[i];
      for (std::size_t k = 0; k < step.states.size(); ++k)
        links_[i].states[stride_ * k + lane] = step.states[k].slot->offset;
      for (std::size_t k = 0; k < step.derivatives.size(); ++k)
        links_[i].derivatives[stride_ * k + lane] = step.derivatives[k].slot->offset;
    }
  }
}

template <std::size_t stride, class Count>
inline void EquationBlock::FetchLanes(const Links& links, std::size_t lane, Count count) {
  const double* const* from = links.reads.data() + lane;
  for (double* const row : links.read_rows) {
    for (std::size_t i = 0; i < count; ++i) row[lane + i] = *from[i];
    from += stride;
  }
  if (slot_ == nullptr) return;
  if (slot_->memory != states_ || states_->arrangement != arrangement_) BindStates();
  const double* const y = states_->y;
  const std::uint32_t* offsets = links.states.data() + lane;
  for (double* const row : links.state_rows) {
    for (std::size_t i = 0; i < count; ++i) row[lane + i] = y[offsets[i]];
    offsets += stride;
  }
}

template <std::size_t stride, class Count>
inline void EquationBlock::WriteLanes(const Links& links, std::size_t lane, Count count) {
  double* const* to = links.written.data() + lane;
  for (const double* const row : links.written_rows) {
    for (std::size_t i = 0; i < count; ++i) *to[i] = row[lane + i];
    to += stride;
  }
  if (links.derivatives.empty()) return;
  double* const ddt = states_->ddt;
  const std::uint32_t* offsets = links.derivatives.data() + lane;
  for (const double* const row : links.derivative_rows) {
    for (std::size_t i = 0; i < count; ++i) ddt[offsets[i]] = row[lane + i];
    offsets += stride;
  }
}

std::size_t EquationBlock::Evaluate(std::size_t step, std::size_t lane, Component* const* components,
                                    std::size_t count, double t) {
  const std::size_t lanes = members_.size();
  if (lanes > count || !std::equal(members_.begin(), members_.end(), components)) {
    EvaluateOne(step, lane, t);
    return 1;
  }
  lanes == kLanes ? EvaluateLanes(step, kAll, t) : EvaluateLanes(step, lanes, t);
  return lanes;
}

// In one function: the cost of a call matters here.
[[gnu::flatten]] void EquationBlock::EvaluateAlone(std::size_t step, double t) {
  const Links& links = links_[step];
  *time_ = t;
  FetchLanes<1>(links, 0, kOne);
  first_->code->Run(links.code, values_);
  WriteLanes<1>(links, 0, kOne);
}

template <class Count>
inline void EquationBlock::EvaluateLanes(std::size_t step, Count count, double t) {
  const Links& links = links_[step];
  std::fill_n(time_, kLanes, t);
  FetchLanes<kLanes>(links, 0, count);
  first_->code->RunLanes(links.code, values_, count);
  WriteLanes<kLanes>(links, 0, count);
}

void EquationBlock::EvaluateOne(std::size_t step, std::size_t lane, double t) {
  time_[lane] = t;
  Fetch(step, lane);
  Run(links_[step].code, lane);
  Write(step, lane);
}

void EquationBlock::Fetch(std::size_t step, std::size_t lane) {
  is_alone() ? FetchLanes<1>(links_[step], 0, kOne) : FetchLanes<kLanes>(links_[step], lane, kOne);
}

void EquationBlock::Write(std::size_t step, std::size_t lane) {
  is_alone() ? WriteLanes<1>(links_[step], 0, kOne) : WriteLanes<kLanes>(links_[step], lane, kOne);
}

void EquationBlock::Run(CodeRange range, std::size_t lane) {
  is_alone() ? first_->code->Run(range, values_) : first_->code->RunLane(range, values_, lane);
}

}  // namespace davit
