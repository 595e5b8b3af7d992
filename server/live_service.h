#pragma once

#include <memory>

#include "server/hand_over.h"
#include "server/live_context.h"
#include "server/run_note.h"

namespace davit {

/// A run as clients see it: what its context knows, kept up to date with what the run notes.
class LiveService {
 public:
  /// In the thread that drives, or before it does. `run` and `notes` must outlive the service; `post` and
  /// `login` are those of LiveContext.
  LiveService(const LiveServerOptions& options, LiveRun& run, HandOver<RunNote>& notes, SystemTexts texts,
              LiveValues::PostToServer post, std::shared_ptr<Authentication> login);

  // The thread of the server.
  LiveContext& context() { return context_; }
  const LiveContext& context() const { return context_; }
  /// Takes what the run has noted and published.
  void Tick();

 private:
  HandOver<RunNote>& notes_;
  LiveContext context_;
};

}  // namespace davit
