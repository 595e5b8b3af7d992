#pragma once

#include <functional>

namespace davit {

/// Runs `call`, which takes long, without the interpreter's lock; it has the lock before and after. In the
/// main thread of Python signals are handled meanwhile: where a handler raises, as that of Ctrl-C does,
/// `interrupt(false)` asks the call to end soon and, half a second later, `interrupt(true)` to end at once;
/// when it has ended the exception of the handler is raised. Else what the call throws is thrown.
void CallWatched(const std::function<void()>& call, const std::function<void(bool is_urgent)>& interrupt);

}  // namespace davit
