#pragma once

#include <string>
#include <string_view>

namespace davit {

/// The function that a metered script calls. It takes nothing and returns true.
inline constexpr const char* kMeterFunction = "davit_meter";

/// ECMAScript 5 that does what `script` does, and calls kMeterFunction in each pass of a `while`, `do` or
/// `for` and at the beginning of each function. What counts these calls and throws ends a script that does
/// not end by itself, which Duktape as Debian builds it cannot. Lines stay where they are.
///
///     while (x > 0) x--;        ->  while (davit_meter(),x > 0) x--;
///     for (;;) f();             ->  for (;davit_meter();) f();
///     function f(n) {...}       ->  function f(n) {davit_meter();...}
///
/// It reads the words of the language, not its grammar. Where it takes a division for a regular expression
/// the result may not compile although `script` does. Texts that the script gives to `eval` are not metered.
std::string MeterScript(std::string_view script);

}  // namespace davit
