#pragma once

#include "framework/tree/operator_panel.h"
#include "session/described_field.h"

namespace davit {

DescribedFields<PanelAxis> PanelAxisFields();
DescribedFields<PanelLimit> PanelLimitFields();
DescribedFields<PanelElement> PanelElementFields();
DescribedFields<OperatorPanel> PanelFields();

}  // namespace davit
