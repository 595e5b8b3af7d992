#include "server/studio_api_session.h"

#include <fmt/format.h>
#include <studio_api.pb.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/version.h"
#include "server/node_value.h"
#include "server/node_write.h"

namespace davit {
namespace {

using studio_api::Container;

constexpr std::uint32_t kCompatVersion = 2;
constexpr std::uint32_t kLoginExpired = 1;
constexpr std::uint32_t kInvalidRequest = 10;
constexpr std::uint32_t kUnsupportedType = 20;
constexpr std::uint32_t kThrottlingBegins = 30;
constexpr std::uint32_t kThrottlingEnds = 31;
constexpr std::uint32_t kChildAddFailed = 40;
constexpr std::uint32_t kChildRemoveFailed = 50;
constexpr std::uint32_t kNodeNotFound = 60;
constexpr std::uint32_t kReprise = 64;  ///< of an event: it has been sent before, or is of the past
constexpr std::chrono::minutes kTimeForLogin{5};
constexpr std::size_t kMostEventsAtOnce = 500;

/// Reads a message without the warnings that protobuf would print for a wrong one.
template <class Message>
bool Parse(std::string_view bytes, Message& message) {
  return message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
         message.IsInitialized();
}

}  // namespace

StudioApiSession::StudioApiSession(LiveContext& context, FrameSender& sender, std::string address,
                                   const User* user)
    : context_(context),
      sender_(sender),
      address_(std::move(address)),
      user_(user),
      name_(user != nullptr ? user->name + '@' + address_ : address_),
      is_logged_in_(user != nullptr || !context.authentication.is_required()),
      client_(context.dead_man.AddClient()),
      values_(std::make_unique<Container>()) {
  ++context_.clients;
}

StudioApiSession::~StudioApiSession() {
  --context_.clients;
  context_.dead_man.Lose(client_);
  for (const auto& [node, subscription] : subscriptions_) context_.values.Unwatch(node);
}

void StudioApiSession::Open() {
  studio_api::Hello hello;
  hello.set_system_name(context_.tree.Find(NodeTree::kSystemNode)->name);
  hello.set_compat_version(kCompatVersion);
  hello.set_incremental_version(0);
  hello.set_application_name(context_.tree.Find(NodeTree::kApplicationNode)->name);
  unsigned version[3] = {0, 0, 0};
  std::sscanf(kVersion, "%u.%u.%u", &version[0], &version[1], &version[2]);
  hello.set_version_major(version[0]);
  hello.set_version_minor(version[1]);
  hello.set_version_patch(version[2]);
  const auto idle = context_.authentication.idle_time();
  if (!is_logged_in_) {
    challenge_ = Authentication::MakeChallenge();
    hello.set_challenge(challenge_);
  }
  if (context_.authentication.is_required() && idle.count() > 0)
    hello.set_idle_lockout_period(static_cast<std::uint32_t>(idle.count()));
  sender_.SendFrame(hello.SerializeAsString());
}

void StudioApiSession::Send(const Container& container) { sender_.SendFrame(container.SerializeAsString()); }

void StudioApiSession::SendError(std::uint32_t code, std::string text, const std::uint32_t* node) {
  Container container;
  container.set_message_type(Container::REMOTE_ERROR);
  container.mutable_error()->set_code(code);
  container.mutable_error()->set_text(std::move(text));
  if (node != nullptr) container.mutable_error()->set_node_id(*node);
  Send(container);
}

void StudioApiSession::SendNoNode(std::uint32_t node) {
  SendError(kNodeNotFound, fmt::format("no node has the id {}; request the structure again", node), &node);
}

void StudioApiSession::Close(const std::string& reason) {
  if (std::exchange(is_closed_, true)) return;
  sender_.CloseFrames(reason);
}

void StudioApiSession::RefuseMessage(const std::string& why) {
  if (++bad_messages_ > kMostBadMessages) return Close("too many messages that cannot be read");
  SendError(kInvalidRequest, why);
}

void StudioApiSession::TakeSign() { context_.dead_man.TakeSign(client_, Clock::now()); }

void StudioApiSession::Take(std::string_view message) {
  if (is_closed_) return;
  TakeSign();
  if (!is_logged_in_) return TakeLogin(message);
  Container container;
  if (!Parse(message, container)) {
    if (is_locked_) return;
    return RefuseMessage("the message cannot be read; send a Container of StudioAPI");
  }
  if (is_locked_ && container.message_type() != Container::REAUTH_REQUEST) {
    if (bytes_held_ + message.size() > kMostBytesHeld) return;
    bytes_held_ += message.size();
    held_.emplace_back(message);
    return;
  }
  TakeContainer(container);
}

int StudioApiSession::CheckLogin(const studio_api::AuthRequest& request, std::string& text) {
  using studio_api::AuthResponse;
  for (const auto& response : request.challenge_response()) {
    if (response.type() != "PasswordHash") continue;
    switch (context_.authentication.Check(address_.substr(0, address_.rfind(':')), request.user_id(),
                                          challenge_, response.response(), Clock::now())) {
      case Authentication::Result::kGranted:
        text = "welcome";
        user_ = context_.authentication.FindUser(request.user_id());
        name_ = user_->name + '@' + address_;
        last_activity_ = Clock::now();
        return AuthResponse::GRANTED;
      case Authentication::Result::kBlocked:
        text = fmt::format("too many wrong passwords; wait {} s", Authentication::kBlockTime.count());
        return AuthResponse::TEMPORARILY_BLOCKED;
      case Authentication::Result::kWrong:
        text = "wrong user or password";
        return AuthResponse::INVALID_CHALLENGE_RESPONSE;
    }
  }
  text = "answer the challenge with a PasswordHash";
  return AuthResponse::CREDENTIALS_REQUIRED;
}

UserRole StudioApiSession::role() const {
  if (user_ != nullptr) return user_->role;
  return context_.authentication.is_required() ? UserRole::kView : UserRole::kEdit;
}

void StudioApiSession::TakeLogin(std::string_view message) {
  studio_api::AuthRequest request;
  if (!Parse(message, request)) return Close("log in first");
  studio_api::AuthResponse response;
  std::string text;
  const int code = CheckLogin(request, text);
  response.set_result_code(static_cast<studio_api::AuthResponse::ResultCode>(code));
  response.set_result_text(text);
  sender_.SendFrame(response.SerializeAsString());
  if (code == studio_api::AuthResponse::GRANTED) {
    is_logged_in_ = true;
  } else if (++bad_messages_ > kMostBadMessages) {
    Close("too many wrong passwords");
  }
}

void StudioApiSession::TakeReauthentication(const studio_api::AuthRequest& request) {
  Container container;
  container.set_message_type(Container::REAUTH_RESPONSE);
  std::string text;
  int code = studio_api::AuthResponse::GRANTED;
  if (is_locked_) code = CheckLogin(request, text);
  container.mutable_reauth_response()->set_result_code(
      static_cast<studio_api::AuthResponse::ResultCode>(code));
  container.mutable_reauth_response()->set_result_text(text);
  Send(container);
  if (code != studio_api::AuthResponse::GRANTED) {
    if (++bad_messages_ > kMostBadMessages) Close("too many wrong passwords");
    return;
  }
  is_locked_ = false;
  bytes_held_ = 0;
  for (const std::string& message : std::exchange(held_, {})) Take(message);
}

void StudioApiSession::Lock() {
  is_locked_ = true;
  context_.dead_man.Lose(client_);
  challenge_ = Authentication::MakeChallenge();
  Container container;
  container.set_message_type(Container::REMOTE_ERROR);
  studio_api::Error& error = *container.mutable_error();
  error.set_code(kLoginExpired);
  error.set_text("nothing was done for a while; log in again");
  error.set_challenge(challenge_);
  error.set_idle_lockout_period(static_cast<std::uint32_t>(context_.authentication.idle_time().count()));
  Send(container);
}

void StudioApiSession::TakeContainer(const Container& container) {
  if (container.message_type() != Container::CURRENT_TIME_REQUEST) last_activity_ = Clock::now();
  switch (container.message_type()) {
    case Container::STRUCTURE_REQUEST: return AnswerStructure(container);
    case Container::GETTER_REQUEST: return AnswerGetters(container);
    case Container::SETTER_REQUEST: return AnswerSetters(container);
    case Container::EVENT_REQUEST: return AnswerEvents(container);
    case Container::REAUTH_REQUEST: return TakeReauthentication(container.reauth_request());
    case Container::ACTIVITY_NOTIFICATION:
    case Container::SERVICE_MESSAGE: return;
    case Container::CURRENT_TIME_REQUEST: {
      Container answer;
      answer.set_message_type(Container::CURRENT_TIME_RESPONSE);
      answer.set_current_time_response(WallTime());
      return Send(answer);
    }
    case Container::SERVICES_REQUEST: {  // there are none
      Container answer;
      answer.set_message_type(Container::SERVICES_NOTIFICATION);
      return Send(answer);
    }
    case Container::CHILD_ADD_REQUEST:
      return SendError(kChildAddFailed,
                       "the structure of a system does not change while it runs; edit its file");
    case Container::CHILD_REMOVE_REQUEST:
      return SendError(kChildRemoveFailed,
                       "the structure of a system does not change while it runs; edit its file");
    default:
      if (++bad_messages_ > kMostBadMessages) return Close("too many messages of types that are not known");
      return SendError(kUnsupportedType,
                       fmt::format("messages of type {} are not supported", container.message_type()));
  }
}

void StudioApiSession::AnswerStructure(const Container& container) {
  const auto fill = [this](const LiveNode& node, studio_api::Info& info) {
    FillInfo(node, info);
    if (node.kind != LiveNode::Kind::kApplication) return;
    info.set_server_addr(context_.options.address);
    info.set_server_port(context_.port);
    info.set_is_local(true);
  };
  Container answer;
  answer.set_message_type(Container::STRUCTURE_RESPONSE);
  const auto add = [&](std::uint32_t id) {
    const LiveNode* node = context_.tree.Find(id);
    if (node == nullptr) return SendNoNode(id);
    studio_api::Node& shown = *answer.add_structure_response();
    fill(*node, *shown.mutable_info());
    for (const std::uint32_t child : node->children)
      fill(*context_.tree.Find(child), *shown.add_node()->mutable_info());
  };
  if (container.structure_request().empty()) add(NodeTree::kSystemNode);
  // Each once: the answer is not larger than the tree, whatever the request.
  std::vector<std::uint32_t> ids(container.structure_request().begin(), container.structure_request().end());
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  for (const std::uint32_t id : ids) add(id);
  if (!answer.structure_response().empty()) Send(answer);
}

void StudioApiSession::AnswerGetters(const Container& container) {
  for (const studio_api::ValueRequest& request : container.getter_request()) {
    const LiveNode* node = context_.tree.Find(request.node_id());
    if (request.stop()) {
      Unsubscribe(request.node_id());
      continue;
    }
    if (node == nullptr) {
      SendNoNode(request.node_id());
      continue;
    }
    if (node->value_type == NodeValueType::kNone) continue;
    const bool may_change = NodeTree::HasText(*node) || context_.tree.SourceOf(*node);
    if (!may_change) {
      SendFixed(*node);
      continue;
    }
    const double fs = request.has_fs() ? request.fs() : 0;
    const double rate = request.has_sample_rate() ? request.sample_rate() : 0;
    Subscribe(*node, fs > 0 ? fs : ValueSubscription::kMostFs, rate, !request.has_fs());
  }
}

void StudioApiSession::SendFixed(const LiveNode& node) {
  Container response;
  response.set_message_type(Container::GETTER_RESPONSE);
  studio_api::VariantValue& value = *response.add_getter_response();
  value.set_node_id(node.id);
  if (node.kind == LiveNode::Kind::kFixedNumber) {
    value.set_d_value(node.number);
  } else {  // a text, or a message that can only be sent
    value.set_str_value(node.kind == LiveNode::Kind::kFixedText ? node.text : std::string());
  }
  value.set_timestamp(WallTime());
  Send(response);
}

void StudioApiSession::Subscribe(const LiveNode& node, double fs, double sample_rate, bool is_once) {
  const auto found = subscriptions_.find(node.id);
  if (found == subscriptions_.end()) {
    if (subscriptions_.size() >= kMostSubscriptions) {
      return SendError(kInvalidRequest,
                       fmt::format("more than {} subscriptions; stop some first", kMostSubscriptions),
                       &node.id);
    }
    context_.values.Watch(node.id);
  }
  ValueSubscription& subscription = found == subscriptions_.end() ? subscriptions_[node.id] : found->second;
  const bool was_permanent = found != subscriptions_.end() && !subscription.is_once;
  subscription.has_sent = false;  // the last value comes at once, also again
  if (is_once && was_permanent) return;
  subscription.fs = std::clamp(fs, ValueSubscription::kLeastFs, ValueSubscription::kMostFs);
  subscription.sample_rate = sample_rate > 0 ? std::max(sample_rate, ValueSubscription::kLeastSampleRate) : 0;
  subscription.held.reset();
  subscription.is_once = is_once;
  subscription.is_text = NodeTree::HasText(node);
  subscription.sent_version = 0;
}

void StudioApiSession::Unsubscribe(std::uint32_t node) {
  if (subscriptions_.erase(node) > 0) context_.values.Unwatch(node);
}

void StudioApiSession::SendAgain(std::uint32_t node) {
  const auto found = subscriptions_.find(node);
  if (found == subscriptions_.end()) return;
  found->second.has_sent = false;
  found->second.sent_version = 0;
}

void StudioApiSession::AnswerSetters(const Container& container) {
  for (const studio_api::VariantValue& value : container.setter_request()) {
    const std::uint32_t id = value.node_id();
    const LiveNode* node = context_.tree.Find(id);
    if (node == nullptr) {
      SendNoNode(id);
      continue;
    }
    if (writes_ >= kMostWrites) {
      SendError(kInvalidRequest, "too many requests wait for their answer; wait for some", &id);
      continue;
    }
    std::string fault = RefusalOf(role(), UserRole::kOperate);
    if (fault.empty())
      fault = WriteNode(context_, *node, ReadWantedValue(value), name_, client_,
                        [session = weak_from_this(), id](const std::string& refusal) {
                          const auto self = session.lock();
                          if (self == nullptr || self->is_closed_) return;
                          --self->writes_;
                          self->context_.values.AskForTexts();
                          if (refusal.empty()) return;
                          self->SendError(kInvalidRequest, refusal, &id);
                          self->SendAgain(id);
                        });
    if (fault.empty()) {
      ++writes_;
    } else {
      SendError(kInvalidRequest, fault, &id);
      SendAgain(id);
    }
  }
}

bool StudioApiSession::IsWithin(std::uint32_t node, std::uint32_t ancestor) const {
  while (true) {
    if (node == ancestor) return true;
    if (node == NodeTree::kSystemNode) return false;
    node = context_.tree.Find(node)->parent;
  }
}

void StudioApiSession::FillEvent(const LiveEvent& event, studio_api::EventInfo& info) const {
  info.set_id(event.number + 1);
  const std::string& application = context_.tree.Find(NodeTree::kApplicationNode)->name;
  info.set_sender(event.path.empty() ? application : application + '.' + event.path);
  info.set_code(event.code);
  info.set_status(event.status);
  info.set_timestamp(event.wall);
  const auto add = [&](std::string_view name, std::string value) {
    studio_api::EventInfo::Data& data = *info.add_data();
    data.set_name(std::string(name));
    data.set_value(std::move(value));
  };
  add("Text", event.text);
  add("Kind", std::string(ToText(event.kind)));
  add("Time", fmt::format("{:.9g}", event.time));
  if (event.kind == LiveEvent::Kind::kAlarm)
    info.set_ack_handler_node_name(application + '.' + event.path + ".Acknowledge");
}

void StudioApiSession::AnswerEvents(const Container& container) {
  for (const studio_api::EventRequest& request : container.event_request()) {
    const std::uint32_t id = request.node_id();
    if (request.stop()) {
      events_.erase(id);
      continue;
    }
    if (context_.tree.Find(id) == nullptr) {
      SendNoNode(id);
      continue;
    }
    if (!events_.contains(id) && events_.size() >= kMostEventSubscriptions) {
      SendError(kInvalidRequest, "too many subscriptions to events; stop some first", &id);
      continue;
    }
    events_[id] = context_.events.next_event();
    if (request.starting_from() == 0) continue;
    Container history;
    history.set_message_type(Container::EVENT_RESPONSE);
    for (const LiveEvent& event : context_.events.events()) {
      if (event.wall < request.starting_from() || !IsWithin(event.node, id)) continue;
      studio_api::EventInfo& info = *history.add_event_response();
      info.add_node_id(id);
      FillEvent(event, info);
      info.set_code(info.code() | kReprise);
    }
    if (!history.event_response().empty()) Send(history);
  }
}

void StudioApiSession::Tick(Clock::time_point now) {
  if (is_closed_) return;
  if (!is_logged_in_) {
    if (now > opened_ + kTimeForLogin) Close("the login has timed out");
    return;
  }
  const auto idle = context_.authentication.idle_time();
  if (!is_locked_ && context_.authentication.is_required() && idle.count() > 0 && now > last_activity_ + idle)
    Lock();
  if (is_locked_) return;
  TickPing(now);
  TickEvents();
  TickValues(now);
}

void StudioApiSession::TickValues(Clock::time_point now) {
  const bool is_busy = sender_.waiting_bytes() > kBusyBytes;
  if (is_busy) return;  // rows wait, and are lost when they are too old
  Container& response = *values_;
  response.Clear();
  response.set_message_type(Container::GETTER_RESPONSE);
  loses_now_ = false;
  for (auto it = subscriptions_.begin(); it != subscriptions_.end();) {
    const std::uint32_t node = it->first;
    if (AddValues(node, it->second, now, response)) {
      it = subscriptions_.erase(it);
      context_.values.Unwatch(node);
    } else {
      ++it;
    }
  }
  if (!response.getter_response().empty()) Send(response);
  if (loses_now_ == is_losing_) return;
  is_losing_ = loses_now_;
  SendError(is_losing_ ? kThrottlingBegins : kThrottlingEnds,
            is_losing_ ? "values are skipped: they come faster than the client takes them"
                       : "values are no longer skipped");
}

bool StudioApiSession::AddValues(std::uint32_t node, ValueSubscription& subscription, Clock::time_point now,
                                 Container& response) {
  if (subscription.has_sent && now < subscription.next) return false;
  const LiveNode& shown = *context_.tree.Find(node);
  if (subscription.is_text) {
    const LiveValues::Text* text = context_.values.FindText(node);
    if (text == nullptr || text->version == 0 || text->version == subscription.sent_version) return false;
    studio_api::VariantValue& value = *response.add_getter_response();
    value.set_node_id(node);
    value.set_str_value(text->text);
    value.set_timestamp(text->wall);
    subscription.sent_version = text->version;
    subscription.has_sent = true;
    subscription.CountPacket(now);
    return subscription.is_once;
  }
  const std::deque<LiveRow>& rows = context_.values.rows();
  if (rows.empty()) return false;
  const std::uint64_t begin = rows.front().number;
  std::uint64_t from = subscription.next_row;
  if (!subscription.has_sent) {
    from = rows.back().number;  // the last value
  } else if (from < begin) {
    loses_now_ = true;
    from = begin;
  }
  bool has_any = false;
  const auto add = [&](double number, std::uint64_t wall) {
    studio_api::VariantValue& value = *response.add_getter_response();
    FillNumber(context_.tree, shown, number, value);
    value.set_timestamp(wall);
    has_any = true;
  };
  for (std::uint64_t n = from; n < context_.values.next_row(); ++n) {
    const LiveRow& row = rows[static_cast<std::size_t>(n - begin)];
    const int column = subscription.ColumnIn(row, node);
    if (column < 0) continue;
    const double number = row.values[static_cast<std::size_t>(column)];
    if (subscription.Takes(row.wall, number, now)) add(number, row.wall);
  }
  if (const auto held = subscription.TakeHeld(now)) add(held->value, held->wall);
  subscription.next_row = context_.values.next_row();
  if (!has_any) return false;
  subscription.CountPacket(now);
  return subscription.is_once;
}

void StudioApiSession::TickPing(Clock::time_point now) {
  const std::optional<Clock::duration> interval = context_.dead_man.FindInterval(client_);
  if (!interval || now < next_ping_) return;
  next_ping_ = now + *interval;
  sender_.Ping();
}

void StudioApiSession::TickEvents() {
  if (events_.empty()) return;
  const std::deque<LiveEvent>& all = context_.events.events();
  const std::uint64_t end = context_.events.next_event();
  std::uint64_t from = end;
  for (const auto& [node, next] : events_) from = std::min(from, next);
  if (from == end) return;
  Container response;
  response.set_message_type(Container::EVENT_RESPONSE);
  const std::uint64_t begin = all.empty() ? end : all.front().number;
  std::uint64_t last = std::max(from, begin);
  for (; last < end && static_cast<std::size_t>(response.event_response_size()) < kMostEventsAtOnce; ++last) {
    const LiveEvent& event = all[static_cast<std::size_t>(last - begin)];
    studio_api::EventInfo info;
    for (const auto& [node, next] : events_) {
      if (next <= last && IsWithin(event.node, node)) info.add_node_id(node);
    }
    if (info.node_id().empty()) continue;
    FillEvent(event, info);
    *response.add_event_response() = std::move(info);
  }
  for (auto& [node, next] : events_) next = std::max(next, last);
  if (!response.event_response().empty()) Send(response);
}

}  // namespace davit
