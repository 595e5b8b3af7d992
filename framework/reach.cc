#include "framework/reach.h"

#include "framework/port.h"
#include "framework/signal.h"

namespace davit {

Readable::Readable(const Input& input) : Readable(input.id()) {}
Readable::Readable(const InputArray& input) : Readable(input.id()) {}
Readable::Readable(const PortBase& port) : Readable(static_cast<const void*>(&port)) {}

}  // namespace davit
