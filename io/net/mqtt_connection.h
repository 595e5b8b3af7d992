#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "io/net/socket.h"

struct mosquitto;

namespace davit {

/// Where a broker is, and who calls it. Empty texts: none.
struct MqttLogin {
  std::string host;  ///< IP address
  std::uint16_t port = 1883;
  bool is_version_5 = false;  ///< else 3.1.1
  std::string client_id;      ///< none: the broker chooses one
  std::string user;
  std::string password;
  std::string ca;           ///< file with the certificates that are trusted; with it, TLS
  std::string certificate;  ///< file
  std::string key;          ///< file
  std::string status;       ///< topic, retained: `online`, and `offline` once the connection has ended
};

/// One connection to an MQTT broker, by libmosquitto, used by one thread. The session of the broker ends with
/// it. Call sequence: Open, then Serve as long as both return an empty text.
///
/// What it sends waits in memory only as long as is_under_way says so: the caller limits that.
class MqttConnection {
 public:
  using Clock = std::chrono::steady_clock;
  using Take = std::function<void(std::string_view topic, std::string_view payload)>;

  /// `take` is called by Serve with each message. Throws std::runtime_error where a file cannot be read.
  MqttConnection(const MqttLogin& login, Take take);
  ~MqttConnection();
  MqttConnection(const MqttConnection&) = delete;
  MqttConnection& operator=(const MqttConnection&) = delete;

  // Both return what is wrong with the connection, as a part of a sentence.

  /// Calls the broker.
  std::string Open(const WakeUp& end);
  /// Does what is due; waits for that until `news` or `end` is set or the time is over. Resets `news`.
  std::string Serve(WakeUp& news, const WakeUp& end, Clock::time_point until);

  /// Whether the broker has accepted it.
  bool is_accepted() const { return is_accepted_; }
  // Pre: is_accepted.

  void Subscribe(const std::string& topic, int qos);
  /// Returns the number of the message; 0 where it cannot be sent.
  int Publish(const std::string& topic, std::string_view payload, int qos, bool is_retained);
  /// Whether a message waits to be sent or, above QoS 0, to be acknowledged.
  bool is_under_way(int message) const { return under_way_.contains(message); }

 private:
  struct Callbacks;

  MqttLogin login_;
  Take take_;
  mosquitto* client_;
  bool is_accepted_ = false;
  std::string refusal_;     ///< of the broker
  std::string last_error_;  ///< of the library
  std::set<int> under_way_;
  int sent_at_once_ = 0;  ///< message that was sent before the library told its number
  Clock::time_point opened_;
};

/// In the thread that calls it, a connection that the other end has closed is an error of the write alone.
void IgnoreBrokenPipes();

}  // namespace davit
