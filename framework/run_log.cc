#include "framework/run_log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <string>
#include <utility>

namespace davit {

RunLog::RunLog(Severity threshold)
    : threshold_(threshold),
      logger_(std::make_shared<spdlog::logger>("davit", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_pattern("%v");
}

RunLog::RunLog(Severity threshold, std::function<void(Severity, std::string_view)> sink)
    : threshold_(threshold),
      sink_([sink = std::move(sink)](const Entry& entry) { sink(entry.severity, entry.line); }) {}

RunLog::RunLog(Severity threshold, Sink sink) : threshold_(threshold), sink_(std::move(sink)) {}

RunLog::~RunLog() = default;

void RunLog::Write(Severity severity, std::string_view path, std::string_view what, Kind kind,
                   const Cause& cause) {
  if (!Keeps(severity)) return;
  std::string text(what);
  if (!cause.sender.empty()) text = fmt::format("by {}: {}", cause.sender, what);
  for (const Operand& operand : cause.operands) {
    if (operand.value.empty()) continue;
    text += fmt::format("{}{} = {}", &operand == cause.operands.data() ? " with " : ", ", operand.name,
                        operand.value);
  }
  const std::string_view word = severity == Severity::kError     ? "error: "
                                : severity == Severity::kWarning ? "warning: "
                                                                 : "";
  const std::string line =
      fmt::format("t = {:.9g} s: {}{}{}{}", time_, word, path, path.empty() ? "" : ": ", text);
  const Entry entry{severity, kind, time_, path, text, line, cause};
  if (watcher_) watcher_(entry);
  if (is_muted_ || severity < threshold_) return;
  if (sink_) {
    sink_(entry);
  } else {
    logger_->info(fmt::runtime(line) /* never a format of its own */);
  }
}

}  // namespace davit
