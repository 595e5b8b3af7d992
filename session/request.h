#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/item_list.h"

namespace davit {

/// What somebody wants of a running system: a line of text, or numbers for a list of items.
///
///     {.sender = "panel", .command = "set load.mass 8 t"}
///     {.sender = "panel", .command = "2.5 s level pump Advanced"}
///     {.sender = "host", .items = inputs, .values = {0.2, 1e5}}
struct Request {
  std::string sender = {};   ///< named in answers and in the log: a client, a file
  int line = 0;              ///< of the sender's file; 0: none
  std::string command = {};  ///< `[T] set PATH VALUE | level PATH LEVEL | message PATH NAME | event NAME`
  std::optional<double> time = {};  ///< [s] at which items are written; nothing: at the next step point
  ItemList items = {};              ///< written instead of `command`, all of them or none
  std::vector<double> values = {};  ///< one for each item: SI, or the number of a level or option
};

/// What becomes of a request.
struct RequestAnswer {
  bool is_accepted = false;
  /// Of a refusal, as the same mistake in a file is reported: `panel: error: /load: what is wrong; what would
  /// be right`, one line for each fault. Of an accepted request empty, or a remark: it came late.
  std::string text;
};

/// Takes the answer; called once, in the thread that drives the simulation.
using AnswerTaker = std::function<void(const RequestAnswer&)>;

}  // namespace davit
