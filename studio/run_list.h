#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "server/http_query.h"
#include "studio/studio_run.h"

namespace davit {

/// The runs of the studio, each in a thread of its own. Used by the thread of the server, but Stop.
class RunList {
 public:
  static constexpr std::size_t kMostRuns = 16;  ///< that are kept, finished ones too

  /// `post` calls a task in the thread of the server.
  using Post = std::function<void(std::function<void()>)>;
  RunList(std::shared_ptr<const StudioContext> context, const LiveServerOptions& server,
          std::shared_ptr<Authentication> login, Post post);
  ~RunList();
  RunList(const RunList&) = delete;
  RunList& operator=(const RunList&) = delete;

  /// POST, GET and DELETE /api/runs
  void Answer(const HttpQuery& query, const AnswerHttp& answer);
  /// A query below /run/: to the run that its path names.
  void AnswerRun(const HttpQuery& query, const AnswerHttp& answer);
  /// The run at `/run/3/`; null where there is none.
  std::shared_ptr<LiveContext> FindRun(std::string_view path);
  /// Whether a query sends a snapshot.
  bool TakesSnapshot(const HttpQuery& query) const;
  void Tick();
  bool is_watched() const;
  /// Ends all runs and waits for their threads. Any thread; no other call may follow.
  void Stop();

 private:
  struct Entry {
    std::shared_ptr<StudioRun> run;
    std::thread thread;
  };

  void Begin(const HttpQuery& query, const AnswerHttp& answer);
  HttpAnswer Delete(const HttpQuery& query);
  Json Describe(StudioRun& run) const;
  /// The run of `/run/3/api/state` and the rest of the path; null where there is none.
  std::shared_ptr<StudioRun> RunAt(std::string_view path, std::string& rest) const;
  /// Takes a run that cannot begin, or has ended, off the list.
  void Leave(int number);
  /// Waits for the threads of runs that have ended.
  void JoinEnded();

  const std::shared_ptr<const StudioContext> context_;
  const LiveServerOptions& server_;
  const std::shared_ptr<Authentication> login_;
  const Post post_;
  int next_number_ = 1;
  std::map<int, Entry> runs_;
  std::list<Entry> leaving_;
};

}  // namespace davit
