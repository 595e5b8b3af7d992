#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/interface.h"
#include "io/mqtt_payload.h"
#include "io/net/mqtt_connection.h"

namespace davit {

/// `<Topic>`: an item in the messages of a topic, as a number or as a member of a JSON object.
class Topic final : public Mapping {
 public:
  /// What the partner does with the item.
  enum class Access : std::uint8_t { kRead, kWrite };
  static constexpr std::array<std::string_view, 2> kAccessNames{"read", "write"};
  static constexpr std::array<std::string_view, 2> kTypeNames{"number", "bool"};
  static constexpr ModelInfo kInfo{.name = "Topic",
                                   .text = "An item of the system in the messages of an MQTT topic"};

  bool is_written() const override { return access_ == Access::kWrite; }
  const std::string& topic() const { return topic_.value(); }
  int qos() const { return qos_; }
  bool is_retained() const { return retained_; }
  /// Pre: the item is known.
  mqtt::Field FieldOf(std::size_t item) const;

 private:
  Property<std::string> topic_{this, "topic", "Name of the topic, without wildcards"};
  Property<std::string> member_{this, "member",
                                "Member of the JSON object that a message is; none: it is the number alone"};
  Property<Access> access_{this, "access", "What the partner does with the item", Access::kRead,
                           kAccessNames};
  Property<mqtt::NumberType> type_{this, "type", "How the number is written; both are read",
                                   mqtt::NumberType::kNumber, kTypeNames};
  Property<int> qos_{this, "qos", "Quality of service: 0, at most once; 1, at least once; 2, exactly once", 0,
                     Range{0, 2}};
  Property<bool> retained_{this, "retained",
                           "Whether the broker keeps the last message for clients that come later", false,
                           Tunability::kStructural};
};

/// The mappings of one topic: its messages have all of them.
struct TopicMessage {
  std::string topic;
  bool is_written = false;  ///< by the partner
  int qos = 0;
  bool is_retained = false;
  std::vector<mqtt::Field> fields;
};

/// `<Mqtt>`: publishes items and takes values from others, by way of a broker.
class Mqtt final : public Interface {
 public:
  enum class Version : std::uint8_t { k311, k5 };
  static constexpr std::array<std::string_view, 2> kVersionNames{"3.1.1", "5"};
  static constexpr ModelInfo kInfo{.name = "Mqtt", .text = "Items of the system in topics of an MQTT broker"};

  const std::string& host() const override { return host_.value(); }
  std::string_view mapping_model() const override { return Topic::kInfo.name; }
  bool calls_partner() const override { return true; }
  Supervision* supervision() override { return &supervision_; }
  std::unique_ptr<Service> Open(ValueBoard& board) override;

 protected:
  void CheckPlaces(Diagnostics& diagnostics) const override;

 private:
  std::vector<TopicMessage> Messages() const;
  /// Throws std::runtime_error where the login cannot be read.
  MqttLogin ReadLogin() const;
  /// A file that an attribute names, seen from the system file.
  std::string FileOf(const Property<std::string>& name) const;

  Supervision supervision_{this};
  Property<std::string> host_{this, "host", "IP address of the broker", "127.0.0.1"};
  Property<int> port_{this, "port", "TCP port of the broker, usually 1883, with TLS 8883", 1883,
                      Range{1, 65535}};
  Property<Version> version_{this, "version", "Version of MQTT", Version::k311, kVersionNames};
  Property<std::string> client_id_{this, "client_id",
                                   "Client id, different for each client; none: the broker chooses one"};
  Property<std::string> status_{this, "status",
                                "Topic with the retained message online (birth) or offline (will)"};
  Property<std::string> login_{this, "login",
                               "File with user name and password, a line each; none: the environment "
                               "variables DAVIT_MQTT_USER and DAVIT_MQTT_PASSWORD"};
  Property<std::string> ca_{this, "ca", "File with the certificates (PEM) that are trusted; with it, TLS"};
  Property<std::string> certificate_{this, "certificate", "File with the certificate (PEM) of davit"};
  Property<std::string> key_{this, "key", "File with its private key (PEM)"};
};

}  // namespace davit
