#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "server/frame_sender.h"
#include "server/live_context.h"
#include "server/value_subscription.h"

namespace davit {

namespace studio_api {
class AuthRequest;
class Container;
class EventInfo;
class VariantValue;
}  // namespace studio_api

/// One client of StudioAPI: takes its messages and sends what it wants. It knows no sockets. Used by the
/// thread of the server alone.
///
/// Call sequence: Open, then Take for each message and Tick every few milliseconds.
class StudioApiSession : public std::enable_shared_from_this<StudioApiSession> {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostSubscriptions = 10'000;
  static constexpr std::size_t kMostEventSubscriptions = 1'000;
  static constexpr std::size_t kMostWrites = 1'000;  ///< that wait for their answer
  static constexpr std::size_t kMostBytesHeld =
      262'144;                                        ///< of messages that wait until it has logged in again
  static constexpr int kMostBadMessages = 20;         ///< before the connection is closed
  static constexpr std::size_t kBusyBytes = 131'072;  ///< of answers that wait: values are left out then

  /// `address` is where the client is, for the log and the lock; `user` has logged in by other means, such as
  /// a cookie; null: nobody has.
  StudioApiSession(LiveContext& context, FrameSender& sender, std::string address, const User* user);
  ~StudioApiSession();
  StudioApiSession(const StudioApiSession&) = delete;
  StudioApiSession& operator=(const StudioApiSession&) = delete;

  void Open();
  void Take(std::string_view message);
  void Tick(Clock::time_point now);
  /// The client has answered a ping.
  void TakeSign();
  /// It was closed by this side, or will be.
  bool is_closed() const { return is_closed_; }

 private:
  void Send(const studio_api::Container& container);
  void SendError(std::uint32_t code, std::string text, const std::uint32_t* node = nullptr);
  void SendNoNode(std::uint32_t node);
  void Close(const std::string& reason);
  /// A message that cannot be read; after many of them the connection is closed.
  void RefuseMessage(const std::string& why);

  void TakeLogin(std::string_view message);
  void TakeContainer(const studio_api::Container& container);
  void TakeReauthentication(const studio_api::AuthRequest& request);
  UserRole role() const;
  /// The result code; 1 is granted.
  int CheckLogin(const studio_api::AuthRequest& request, std::string& text);
  void Lock();
  void AnswerStructure(const studio_api::Container& container);
  void AnswerGetters(const studio_api::Container& container);
  void AnswerSetters(const studio_api::Container& container);
  void AnswerEvents(const studio_api::Container& container);
  void Subscribe(const LiveNode& node, double fs, double sample_rate, bool is_once);
  void Unsubscribe(std::uint32_t node);
  /// The value of a node that never changes.
  void SendFixed(const LiveNode& node);
  /// After a refusal the client gets the value that holds.
  void SendAgain(std::uint32_t node);
  void TickValues(Clock::time_point now);
  /// Adds what is new for one node to `response`; returns whether the subscription is over.
  bool AddValues(std::uint32_t node, ValueSubscription& subscription, Clock::time_point now,
                 studio_api::Container& response);
  void TickEvents();
  /// A client that holds a lever is asked for a sign of life.
  void TickPing(Clock::time_point now);
  bool IsWithin(std::uint32_t node, std::uint32_t ancestor) const;
  void FillEvent(const LiveEvent& event, studio_api::EventInfo& info) const;

  LiveContext& context_;
  FrameSender& sender_;
  const std::string address_;
  const User* user_ = nullptr;  ///< null: nobody yet, or the server asks for no user
  std::string name_;            ///< for the log
  bool is_logged_in_ = false;
  bool is_locked_ = false;
  bool is_closed_ = false;
  std::string challenge_;
  Clock::time_point last_activity_ = Clock::now();
  const Clock::time_point opened_ = Clock::now();
  std::deque<std::string> held_;
  std::size_t bytes_held_ = 0;
  int bad_messages_ = 0;
  std::size_t writes_ = 0;
  const DeadMan::Client client_;
  Clock::time_point next_ping_;
  bool is_losing_ = false;  ///< as the client knows it
  bool loses_now_ = false;  ///< in this Tick
  std::unordered_map<std::uint32_t, ValueSubscription> subscriptions_;
  std::unordered_map<std::uint32_t, std::uint64_t> events_;  ///< by node: the next event
  std::unique_ptr<studio_api::Container> values_;            ///< kept for its memory
};

}  // namespace davit
