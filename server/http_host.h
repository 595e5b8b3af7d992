#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "server/http_query.h"

namespace davit {

class Authentication;
struct LiveContext;
struct LiveServerOptions;

/// What a listener serves, and by which rules. All calls come in the thread of the server.
class HttpHost {
 public:
  static constexpr std::uint64_t kLargestBody = 65'536;
  static constexpr std::uint64_t kLargestSnapshot = 268'435'456;

  virtual ~HttpHost() = default;
  virtual const LiveServerOptions& options() const = 0;
  virtual Authentication& authentication() = 0;
  /// The query has a path below the prefix; who is not logged in may ask, too.
  virtual void Answer(const HttpQuery& query, AnswerHttp answer) = 0;
  /// Of a query without its body: how many bytes that may have.
  virtual std::uint64_t LargestBody(const HttpQuery& query) const = 0;
  /// The run whose StudioAPI is served at a path below the prefix; null where there is none. It lives as long
  /// as a connection has it.
  virtual std::shared_ptr<LiveContext> FindRun(std::string_view path) = 0;
  /// Every few milliseconds.
  virtual void Tick() = 0;
  /// Whether clients wait for values, so that ticks come often.
  virtual bool is_watched() const = 0;
  /// An answer that has thrown an exception; others go on.
  virtual void NoteFault(std::string_view text) = 0;
};

}  // namespace davit
