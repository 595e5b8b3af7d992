#pragma once

#include <span>

#include "statecharts/chart.h"

namespace davit {

/// The least common compound ancestor: the nearest proper ancestor of `state` that is compound, or the root,
/// and has all `others` below it. Of the root it is the root.
StateId FindLcca(const Chart& chart, StateId state, std::span<const StateId> others);

/// The state whose proper descendants a transition leaves. `targets` are its effective targets: histories are
/// replaced by their states. Pre: there is a target.
StateId GetTransitionDomain(const Chart& chart, const Transition& transition,
                            std::span<const StateId> targets);

}  // namespace davit
