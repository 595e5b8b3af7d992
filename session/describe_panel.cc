#include "session/describe_panel.h"

namespace davit {
namespace {

using Ax = const PanelAxis&;
constexpr DescribedField<PanelAxis> kAxis[] = {
    {"item", "string", [](Ax a) { return AsText(a.item.path()); }, "Its path"},
    {"low", "number", [](Ax a) { return Described(a.low); },
     "SI, like all numbers; the off value of a switch"},
    {"high", "number", [](Ax a) { return Described(a.high); }, "The on value of a switch"},
    {"neutral", "number", [](Ax a) { return Described(a.neutral); }},
};

Described AxesOf(const PanelElement& element) { return DescribeAll(PanelAxisFields(), element.axes); }

using Li = const PanelLimit&;
constexpr DescribedField<PanelLimit> kLimit[] = {
    {"severity", "'warning' | 'alarm'", [](Li l) { return AsText(l.severity); }},
    {"value", "number", [](Li l) { return Described(l.value); }, "SI; without an item"},
    {"item", "string", [](Li l) { return AsText(l.item ? l.item->path() : ""); },
     "The path of an item that has the value; may be empty"},
};

Described LimitsOf(const PanelElement& element) { return DescribeAll(PanelLimitFields(), element.limits); }

using El = const PanelElement&;
constexpr DescribedField<PanelElement> kElement[] = {
    {"kind", "string", [](El e) { return AsText(e.kind); }, "The name of its element: Lever"},
    {"name", "string", [](El e) { return AsText(e.name); }},
    {"label", "string", [](El e) { return AsText(e.label); }},
    {"axes", "DescribedPanelAxis[]", AxesOf, "A joystick has x and y"},
    {"dead_band", "number", [](El e) { return Described(e.dead_band); },
     "Fraction of the way from neutral to an end that has no effect"},
    {"has_spring", "boolean", [](El e) { return Described(e.has_spring); }},
    {"is_writable", "boolean", [](El e) { return Described(e.is_writable); },
     "Whether a field can be edited"},
    {"command", "string", [](El e) { return AsText(e.command); }, "What a button sends to /api/command"},
    {"chart", "string", [](El e) { return AsText(e.chart); }, "The chart of a chart state"},
    {"alarms", "string", [](El e) { return AsText(e.alarms); }, "The glob of an alarm list"},
    {"limits", "DescribedPanelLimit[]", LimitsOf, "Marks on the scale of a gauge"},
    {"is_bad_below", "boolean", [](El e) { return Described(e.is_bad_below); },
     "What is below the limits of a gauge is bad, not what is above"},
    {"above", "number", [](El e) { return Described(e.above); }, "A lamp is lit above it"},
    {"color", "string", [](El e) { return AsText(e.color); }, "Colour of a lamp"},
    {"gamepad", "string", [](El e) { return AsText(e.gamepad); }, "What moves it on a gamepad: left_y, a"},
};

Described ElementsOf(const OperatorPanel& panel) {
  return DescribeAll(PanelElementFields(), panel.content().elements);
}

using Pa = const OperatorPanel&;
constexpr DescribedField<OperatorPanel> kPanel[] = {
    {"path", "string", [](Pa p) { return AsText(p.path()); }},
    {"title", "string", [](Pa p) { return AsText(p.content().title); }},
    {"timeout", "number", [](Pa p) { return Described(p.content().timeout); },
     "Without a sign of life for so long, its operator is lost [s]"},
    {"elements", "DescribedPanelElement[]", ElementsOf},
};

}  // namespace

DescribedFields<PanelAxis> PanelAxisFields() { return kAxis; }
DescribedFields<PanelLimit> PanelLimitFields() { return kLimit; }
DescribedFields<PanelElement> PanelElementFields() { return kElement; }
DescribedFields<OperatorPanel> PanelFields() { return kPanel; }

}  // namespace davit
