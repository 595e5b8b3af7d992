#include "io/mqtt.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::chrono::milliseconds kBetweenCalls{500};  // of the broker

/// Publishes the newest values and takes messages. Where the broker is lost, calls it again.
class MqttService final : public Service {
 public:
  using Clock = ValueBoard::Clock;
  using Accepts = std::function<bool(std::size_t item, double value)>;

  /// Publishes a topic at most once in `period`. Throws as MqttConnection.
  MqttService(MqttLogin login, Clock::duration period, const std::vector<TopicMessage>& messages,
              ValueBoard& board, Accepts accepts)
      : login_(std::move(login)), period_(period), board_(board), accepts_(std::move(accepts)) {
    for (const TopicMessage& message : messages) {
      if (message.is_written) {
        taken_.emplace(message.topic, message);
      } else {
        given_.push_back({message});
      }
    }
    const MqttConnection trial(login_, {});
  }

  ~MqttService() override {
    end_.Set();
    if (thread_.joinable()) thread_.join();
  }

  void Start() override {
    thread_ = std::thread([this] {
      IgnoreBrokenPipes();
      while (!end_.is_set()) {
        if (std::string trouble = Talk(); !trouble.empty()) board_.set_trouble("broker: " + trouble);
        SleepUntil(end_, Clock::now() + kBetweenCalls);
      }
    });
  }

  void Published() override {
    publications_.fetch_add(1, std::memory_order_release);
    news_.Set();
  }

 private:
  struct Given {
    TopicMessage message;
    bool is_due = false;
    int last = 0;  ///< number of its last message
  };

  /// Until the connection ends; returns why.
  std::string Talk() {
    MqttConnection connection(
        login_, [this](std::string_view topic, std::string_view payload) { Take(topic, payload); });
    bool is_greeted = false;
    std::string trouble = connection.Open(end_);
    Clock::time_point next = Clock::now();
    while (trouble.empty() && !end_.is_set()) {
      const Clock::time_point now = Clock::now();
      if (connection.is_accepted()) {
        if (!std::exchange(is_greeted, true)) Greet(connection);
        if (taken_.empty()) board_.SetHeard(now);
        if (now >= next && GiveAll(connection)) next = now + period_;
      }
      trouble = connection.Serve(news_, end_,
                                 std::min(now + kBetweenCalls, next > now ? next : Clock::time_point::max()));
    }
    return trouble;
  }

  void Greet(MqttConnection& connection) {
    for (const auto& [topic, message] : taken_) connection.Subscribe(topic, message.qos);
    if (!login_.status.empty()) connection.Publish(login_.status, "online", 1, true);
    for (Given& given : given_) given = {given.message, true, 0};
  }

  /// Publishes what is due, except for topics whose last message is under way: they get the newest values
  /// later. Returns whether one was published.
  bool GiveAll(MqttConnection& connection) {
    const std::uint64_t publications = publications_.load(std::memory_order_acquire);
    if (std::exchange(seen_publications_, publications) != publications) {
      for (Given& given : given_) given.is_due = true;
    }
    board_.Look([&](std::span<const double> values) { values_.assign(values.begin(), values.end()); });
    bool has_given = false;
    for (Given& given : given_) {
      if (!given.is_due || connection.is_under_way(given.last)) continue;
      given.is_due = false;
      const TopicMessage& message = given.message;
      const std::optional<std::string> payload = mqtt::Write(message.fields, values_);
      if (!payload) continue;
      given.last = connection.Publish(message.topic, *payload, message.qos, message.is_retained);
      has_given = true;
    }
    return has_given;
  }

  void Take(std::string_view topic, std::string_view payload) {
    const auto found = taken_.find(topic);
    if (found == taken_.end()) return;
    const auto refuse = [&](std::string_view why) {
      board_.Refuse(fmt::format("topic {}: {}", found->first, why));
    };
    if (const std::string fault = mqtt::Read(payload, found->second.fields, writes_); !fault.empty())
      return refuse(fault);
    for (const auto& [item, value] : writes_) {
      if (!accepts_(item, value)) return refuse(fmt::format("{:.9g} is not a value of its item", value));
    }
    const Clock::time_point now = Clock::now();
    board_.WriteAll(writes_, now);
    board_.SetHeard(now);
  }

  const MqttLogin login_;
  const Clock::duration period_;
  ValueBoard& board_;
  Accepts accepts_;
  std::map<std::string, TopicMessage, std::less<>> taken_;
  std::vector<Given> given_;
  std::vector<double> values_;
  std::vector<ValueBoard::Write> writes_;
  std::atomic<std::uint64_t> publications_ = 0;
  std::uint64_t seen_publications_ = 0;
  WakeUp news_;
  WakeUp end_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

mqtt::Field Topic::FieldOf(std::size_t item) const {
  return {member_.value(), type_, format().scale, format().offset, item};
}

std::vector<TopicMessage> Mqtt::Messages() const {
  std::vector<TopicMessage> messages;
  for (std::size_t i = 0; i < mappings().size(); ++i) {
    const auto& topic = dynamic_cast<const Topic&>(*mappings()[i]);
    auto message = std::ranges::find(messages, topic.topic(), &TopicMessage::topic);
    if (message == messages.end())
      message =
          messages.insert(message, {topic.topic(), topic.is_written(), topic.qos(), topic.is_retained(), {}});
    message->fields.push_back(topic.FieldOf(i));
  }
  return messages;
}

void Mqtt::CheckPlaces(Diagnostics& diagnostics) const {
  std::map<std::string_view, std::vector<const Topic*>> topics;
  for (std::size_t i = 0; i < mappings().size(); ++i) {
    const auto& topic = dynamic_cast<const Topic&>(*mappings()[i]);
    const auto refuse = [&](const Fault& fault) {
      diagnostics.Error(topic.location(), topic.DisplayPath(), fault);
    };
    if (const Fault fault = mqtt::FaultOfTopic(topic.topic())) {
      refuse(fault);
      continue;
    }
    if (topic.topic() == status_.value())
      refuse({"the topic of status", "use another one: its messages are online and offline"});
    if (topic.is_written() && topic.is_retained())
      refuse({"retained is for an item that davit publishes", "leave it out: the partner decides that"});
    const std::string member = topic.FieldOf(i).member;
    for (const Topic* const other : topics[topic.topic()]) {
      const std::string others = other->FieldOf(0).member;
      const std::string place = fmt::format("line {}, which has the same topic", other->location().line);
      if (others.empty() || member.empty())
        refuse({"a second item in a message that is a number: see " + place,
                "give both a member, so that the message is a JSON object"});
      else if (others == member)
        refuse({fmt::format("member {} is in {}, too", Quoted(member), place), "use another name"});
      else if (other->is_written() != topic.is_written() || other->qos() != topic.qos() ||
               other->is_retained() != topic.is_retained())
        refuse({"access, qos or retained differs from " + place,
                "use the same ones, or another topic: a message has all of its items"});
      else
        continue;
      break;
    }
    topics[topic.topic()].push_back(&topic);
  }
  const auto refuse = [&](const Fault& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  if (!status_.value().empty()) {
    if (const Fault fault = mqtt::FaultOfTopic(status_.value()))
      refuse({"status: " + fault.what, fault.remedy});
  }
  if (certificate_.value().empty() != key_.value().empty())
    refuse({"certificate and key belong together", "name both files, or none"});
  if (ca_.value().empty() && !certificate_.value().empty())
    refuse({"a certificate without ca", "name with ca the certificates that are trusted"});
}

std::string Mqtt::FileOf(const Property<std::string>& name) const {
  if (name.value().empty()) return {};
  const std::filesystem::path file = location().file ? *location().file : std::string();
  return (file.parent_path() / name.value()).string();
}

MqttLogin Mqtt::ReadLogin() const {
  MqttLogin login{.host = host(),
                  .port = static_cast<std::uint16_t>(int{port_}),
                  .is_version_5 = version_ == Version::k5,
                  .client_id = client_id_.value(),
                  .user = {},
                  .password = {},
                  .ca = FileOf(ca_),
                  .certificate = FileOf(certificate_),
                  .key = FileOf(key_),
                  .status = status_.value()};
  if (login_.value().empty()) {
    const char* const user = std::getenv("DAVIT_MQTT_USER");
    const char* const password = std::getenv("DAVIT_MQTT_PASSWORD");
    if (user != nullptr) login.user = user;
    if (password != nullptr) login.password = password;
    return login;
  }
  std::ifstream file(FileOf(login_));
  if (!std::getline(file, login.user) || login.user.empty())
    throw std::runtime_error(
        fmt::format("login: {} cannot be read; write a file with the user name and the "
                    "password, a line each",
                    Quoted(FileOf(login_))));
  std::getline(file, login.password);
  return login;
}

std::unique_ptr<Service> Mqtt::Open(ValueBoard& board) {
  using Clock = ValueBoard::Clock;
  // Half of what is due in a paced run: none of its exchanges is left out.
  const auto period =
      supervision_.is_lock_step()
          ? Clock::duration::zero()
          : std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(0.5 / rate()));
  return std::make_unique<MqttService>(
      ReadLogin(), period, Messages(), board,
      [this](std::size_t item, double value) { return Accepts(item, value); });
}

}  // namespace davit
