#pragma once

#include "framework/alarm.h"
#include "framework/aspect.h"
#include "framework/component.h"
#include "framework/message.h"
#include "framework/mode.h"
#include "session/described_field.h"

namespace davit {

DescribedFields<PortDeclaration> PortFields();
DescribedFields<InputDeclaration> InputFields();
DescribedFields<OutputDeclaration> OutputFields();
DescribedFields<StateDeclaration> StateFields();
DescribedFields<Message> MessageFields();
DescribedFields<Alarm> AlarmFields();
DescribedFields<FaultModeDeclaration> FaultModeFields();
DescribedFields<ModeBase> ModeFields();

/// An aspect and the model whose levels set it.
struct AspectOfModel {
  const AspectBase& aspect;
  const ModelInfo& model;
};
DescribedFields<AspectOfModel> AspectFields();

/// A component of a system.
DescribedFields<Component> ComponentFields();
/// Its model; a component that a file describes may have more than that.
DescribedFields<Component> ModelFields();

/// When equations use something: `[{"of": "friction", "options": ["LuGre"]}]`; always: empty.
DescribedList DescribeUses(const OptionCondition& when);

}  // namespace davit
