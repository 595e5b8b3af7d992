#include "io/net/mqtt_connection.h"

#include <fmt/format.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <pthread.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <stdexcept>
#include <utility>

namespace davit {
namespace {

constexpr int kKeepAlive = 10;                        // [s]
constexpr std::chrono::seconds kForAcceptance{5};     // of the broker
constexpr std::uint32_t kLargestPacket = 2 * 65'536;  // [bytes] that a broker of version 5 may send
constexpr int kVerifyPeer = 1;                        // SSL_VERIFY_PEER

/// The library counts those who need it, not for several threads.
void NeedLibrary() {
  struct Library {
    Library() { mosquitto_lib_init(); }
    ~Library() { mosquitto_lib_cleanup(); }
  };
  static const Library library;
}

const char* TextOrNull(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

/// What the library calls.
struct MqttConnection::Callbacks {
  static void Connect(mosquitto* /*client*/, void* self, int code) {
    auto& connection = *static_cast<MqttConnection*>(self);
    connection.is_accepted_ = code == 0;
    if (code != 0)
      connection.refusal_ =
          connection.login_.is_version_5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code);
  }
  static void Message(mosquitto* /*client*/, void* self, const mosquitto_message* message) {
    const auto size = static_cast<std::size_t>(message->payloadlen);
    static_cast<MqttConnection*>(self)->take_(
        message->topic,
        size == 0 ? std::string_view() : std::string_view(static_cast<const char*>(message->payload), size));
  }
  static void Publish(mosquitto* /*client*/, void* self, int message) {
    auto& connection = *static_cast<MqttConnection*>(self);
    if (connection.under_way_.erase(message) == 0) connection.sent_at_once_ = message;
  }
  static void Log(mosquitto* /*client*/, void* self, int level, const char* text) {
    if (level == MOSQ_LOG_ERR) static_cast<MqttConnection*>(self)->last_error_ = text;
  }
};

MqttConnection::MqttConnection(const MqttLogin& login, Take take) : login_(login), take_(std::move(take)) {
  NeedLibrary();
  client_ = mosquitto_new(TextOrNull(login.client_id), /*clean_session=*/true, this);
  if (client_ == nullptr) throw std::bad_alloc();
  mosquitto_connect_callback_set(client_, Callbacks::Connect);
  mosquitto_message_callback_set(client_, Callbacks::Message);
  mosquitto_publish_callback_set(client_, Callbacks::Publish);
  mosquitto_log_callback_set(client_, Callbacks::Log);
  mosquitto_int_option(client_, MOSQ_OPT_PROTOCOL_VERSION,
                       login.is_version_5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311);
  mosquitto_int_option(client_, MOSQ_OPT_TCP_NODELAY, 1);
  if (!login.user.empty()) mosquitto_username_pw_set(client_, login.user.c_str(), TextOrNull(login.password));
  if (!login.status.empty()) {
    constexpr std::string_view kWill = "offline";
    mosquitto_will_set(client_, login.status.c_str(), static_cast<int>(kWill.size()), kWill.data(), 1, true);
  }
  if (login.ca.empty()) return;
  if (mosquitto_tls_set(client_, login.ca.c_str(), nullptr, TextOrNull(login.certificate),
                        TextOrNull(login.key), nullptr) != MOSQ_ERR_SUCCESS) {
    mosquitto_destroy(client_);
    throw std::runtime_error("a file of ca, certificate or key cannot be read; name files in PEM format");
  }
  mosquitto_tls_opts_set(client_, kVerifyPeer, nullptr, nullptr);
}

MqttConnection::~MqttConnection() {
  if (is_accepted_ && !mosquitto_want_write(client_)) {
    if (!login_.status.empty()) Publish(login_.status, "offline", 0, true);
    mosquitto_disconnect(client_);
  }
  mosquitto_destroy(client_);
}

std::string MqttConnection::Open(const WakeUp& end) {
  opened_ = Clock::now();
  const Endpoint endpoint = *Endpoint::Read(login_.host, login_.port);
  if (!endpoint.is_loopback()) {
    // The library waits as long as the system tries, which may be minutes: it calls only who answers.
    const Descriptor trial = ConnectTcp(endpoint);
    if (!trial.is_open() || !WaitFor(trial, POLLOUT, end, opened_ + kForAcceptance) || !IsConnected(trial))
      return "it cannot be reached";
  }
  mosquitto_property* properties = nullptr;
  if (login_.is_version_5)
    mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, kLargestPacket);
  const int result =
      mosquitto_connect_bind_v5(client_, login_.host == "localhost" ? "127.0.0.1" : login_.host.c_str(),
                                login_.port, kKeepAlive, nullptr, properties);
  mosquitto_property_free_all(&properties);
  if (result == MOSQ_ERR_SUCCESS) return {};
  if (result == MOSQ_ERR_ERRNO) return "it cannot be reached";
  return last_error_.empty() ? mosquitto_strerror(result) : last_error_;
}

std::string MqttConnection::Serve(WakeUp& news, const WakeUp& end, Clock::time_point until) {
  if (!is_accepted_) {
    if (Clock::now() > opened_ + kForAcceptance) return "it does not answer";
    until = std::min(until, opened_ + kForAcceptance);
  }
  const short events = mosquitto_want_write(client_) ? POLLIN | POLLOUT : POLLIN;
  std::array<pollfd, 3> waits{
      {{mosquitto_socket(client_), events, 0}, {news.number(), POLLIN, 0}, {end.number(), POLLIN, 0}}};
  poll(waits.data(), waits.size(), MillisecondsUntil(until));
  if (waits[1].revents != 0) news.Reset();
  int result = MOSQ_ERR_SUCCESS;
  errno = 0;  // the library takes what is left there for its own
  if ((waits[0].revents & ~POLLOUT) != 0) result = mosquitto_loop_read(client_, 1);
  if (result == MOSQ_ERR_SUCCESS && (waits[0].revents & POLLOUT) != 0)
    result = mosquitto_loop_write(client_, 1);
  if (result == MOSQ_ERR_SUCCESS) result = mosquitto_loop_misc(client_);
  if (result == MOSQ_ERR_SUCCESS && mosquitto_socket(client_) >= 0) return {};
  is_accepted_ = false;
  if (!refusal_.empty()) return refusal_;
  return last_error_.empty() ? mosquitto_strerror(result) : last_error_;
}

void MqttConnection::Subscribe(const std::string& topic, int qos) {
  mosquitto_subscribe(client_, nullptr, topic.c_str(), qos);
}

int MqttConnection::Publish(const std::string& topic, std::string_view payload, int qos, bool is_retained) {
  int message = 0;
  sent_at_once_ = 0;
  const int result = mosquitto_publish(client_, &message, topic.c_str(), static_cast<int>(payload.size()),
                                       payload.data(), qos, is_retained);
  if (result != MOSQ_ERR_SUCCESS) return 0;
  if (sent_at_once_ != message) under_way_.insert(message);
  return message;
}

void IgnoreBrokenPipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace davit
