#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "server/http_query.h"
#include "studio/study_job.h"

namespace davit {

/// The studies of the studio, each in a thread of its own. They do not depend on who watches them. Used by
/// the thread of the server, but Stop.
class StudyList {
 public:
  static constexpr std::size_t kMostRunning = 2;
  static constexpr std::size_t kMostKept = 16;  ///< the first ones that have ended go

  /// `post` calls a task in the thread of the server.
  using Post = std::function<void(std::function<void()>)>;
  StudyList(std::shared_ptr<const StudioContext> context, Post post);
  ~StudyList();
  StudyList(const StudyList&) = delete;
  StudyList& operator=(const StudyList&) = delete;

  /// POST, GET and DELETE /api/studies
  void Answer(const HttpQuery& query, const AnswerHttp& answer);
  /// Ends all studies and waits for their threads. Any thread; no other call may follow.
  void Stop();

 private:
  struct Entry {
    std::shared_ptr<StudyJob> job;
    std::jthread thread;
  };

  void Begin(const HttpQuery& query, const AnswerHttp& answer);
  HttpAnswer End(const HttpQuery& query);
  /// Takes ended ones off the list beyond kMostKept.
  void DropOld();

  const std::shared_ptr<const StudioContext> context_;
  const Post post_;
  int next_number_ = 1;
  std::map<int, Entry> jobs_;
};

/// GET /api/studies/kinds: all kinds of studies with their options, as the command line has them.
HttpAnswer AnswerStudyKinds(const StudioContext& context, const HttpQuery& query);

}  // namespace davit
