#pragma once

#include <string_view>
#include <vector>

#include "statecharts/chart.h"

namespace davit {

/// What the interpreter looks up in a step, made once the document is read: which descriptors an event
/// matches, where to look for transitions, and what each transition enters.
void MakeTables(Chart& chart);

/// Appends the descriptors that match an event, sorted: the event's own name, its prefixes up to a '.', and
/// `*`. Allocates nothing where `matches` has room for Chart::most_matches.
void AppendMatches(const Chart& chart, std::string_view event, std::vector<Index>& matches);

}  // namespace davit
