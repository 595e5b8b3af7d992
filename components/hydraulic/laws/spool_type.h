#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace davit {

/// One number for each edge of a 4/3 valve, named after the ports it joins.
struct ValveEdges {
  double pa = 0, pb = 0, at = 0, bt = 0, pt = 0, ab = 0;

  friend bool operator==(const ValveEdges&, const ValveEdges&) = default;
  friend constexpr ValveEdges operator*(const ValveEdges& x, double by) {
    return {
        .pa = x.pa * by, .pb = x.pb * by, .at = x.at * by, .bt = x.bt * by, .pt = x.pt * by, .ab = x.ab * by};
  }
};

/// Which ports of a 4/3 valve meet while its spool is in neutral.
enum class SpoolType : std::uint8_t { kO, kB, kY, kK, kM, kX, kP };
inline constexpr std::array<std::string_view, 7> kSpoolTypeNames{"O", "B", "Y", "K", "M", "X", "P"};

/// What a spool does in neutral.
struct SpoolNeutral {
  std::array<bool, 4> is_open;  ///< the ports P, A, B, T
  ValveEdges edges;             ///< 1 where both ports are open
  double usual_opening;         ///< of these edges, as a share of the full opening
  std::string_view text;
};

inline constexpr std::array<SpoolNeutral, 7> kSpoolNeutrals{{
    {{false, false, false, false}, {}, 0, "all ports shut: pump under load, cylinder locked"},
    {{true, true, true, true},
     {.pa = 1, .pb = 1, .at = 1, .bt = 1, .pt = 1, .ab = 1},
     1,
     "all ports open: pump unloaded, cylinder floats"},
    {{false, true, true, true},  // A and B meet in T, so AB adds nothing
     {.at = 1, .bt = 1},
     0.01,
     "A and B to T: pump under load, cylinder floats"},
    {{true, true, false, true}, {.pa = 1, .at = 1, .pt = 1}, 1, "B shut: pump unloaded, cylinder locked"},
    {{true, false, false, true}, {.pt = 1}, 1, "P to T: pump unloaded, cylinder locked; valves in series"},
    {{true, true, true, true},
     {.pa = 1, .pb = 1, .at = 1, .bt = 1, .pt = 1, .ab = 1},
     0.5,
     "all ports half open: pump almost unloaded, slight pressure kept"},
    {{true, true, true, false}, {.pa = 1, .pb = 1, .ab = 1}, 1, "T shut: differential circuit"},
}};

inline constexpr const SpoolNeutral& NeutralOf(SpoolType type) {
  return kSpoolNeutrals[static_cast<std::size_t>(type)];
}

}  // namespace davit
