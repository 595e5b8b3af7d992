#include "server/http_listener.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>

#include "server/http_host.h"
#include "server/live_server.h"
#include "server/net/client_connection.h"

namespace davit {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kBetweenTicks{10};
constexpr std::chrono::milliseconds kBetweenTicksAlone{50};
constexpr std::chrono::milliseconds kTimeToClose{300};

asio::ip::address ReadAddress(const LiveServerOptions& options) {
  boost::system::error_code error;
  const std::string& text = options.address;
  const asio::ip::address address = asio::ip::make_address(text == "localhost" ? "127.0.0.1" : text, error);
  if (error)
    throw std::runtime_error(fmt::format(
        "--listen {}: error: not an IP address; write one of this machine, such as 127.0.0.1", text));
  if (!address.is_loopback() && options.user.empty() && options.users.empty())
    throw std::runtime_error(fmt::format(
        "--listen {}: error: any client that reaches this address could control the run; add --user "
        "NAME or --users FILE, or listen on "
        "127.0.0.1",
        text));
  return address;
}

std::unique_ptr<asio::ssl::context> MakeTls(const LiveServerOptions& options) {
  if (!options.tls_certificate && !options.tls_key) return nullptr;
  if (!options.tls_certificate || !options.tls_key)
    throw std::runtime_error("--tls-cert and --tls-key: error: one needs the other; give both files");
  auto tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                   asio::ssl::context::no_tlsv1_1);
  boost::system::error_code error;
  tls->use_certificate_chain_file(options.tls_certificate->string(), error);
  if (error)
    throw std::runtime_error(
        fmt::format("--tls-cert {}: error: no certificate ({}); give a PEM file with the chain",
                    options.tls_certificate->string(), error.message()));
  tls->use_private_key_file(options.tls_key->string(), asio::ssl::context::pem, error);
  if (error)
    throw std::runtime_error(
        fmt::format("--tls-key {}: error: no private key of the certificate ({}); give its PEM file",
                    options.tls_key->string(), error.message()));
  return tls;
}

}  // namespace

class HttpListener::Net final : public ConnectionList {
 public:
  explicit Net(LiveServerOptions options)
      : options_(std::move(options)), tls_(MakeTls(options_)), acceptor_(io_), timer_(io_) {
    const tcp::endpoint endpoint(ReadAddress(options_), options_.port);
    boost::system::error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      const bool is_in_use = error == asio::error::address_in_use;
      throw std::runtime_error(fmt::format(
          "--listen {} --port {}: error: {}; {}", options_.address, options_.port,
          is_in_use ? "the port is in use" : error.message(),
          is_in_use ? "end the program that has it, or give another one with --port (0: any that is free)"
                    : "give an address of this machine, and a port that you may open"));
    }
    port_ = acceptor_.local_endpoint().port();
  }
  ~Net() override { Stop(); }

  std::uint16_t port() const { return port_; }
  std::string address() const {
    const std::string& host = options_.address;
    return fmt::format("{}://{}:{}{}/", tls_ ? "https" : "http",
                       host.find(':') != std::string::npos ? '[' + host + ']' : host, port_, options_.prefix);
  }

  void Start(HttpHost& host) {
    host_ = &host;
    Accept();
    Tick();
    thread_ = std::thread([this] { Serve(); });
  }

  void Post(std::function<void()> task) { asio::post(io_, std::move(task)); }

  void Stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      is_stopping_ = true;
      const auto open = connections_;
      for (const auto& [key, connection] : open) connection->Close();
      timer_.expires_after(kTimeToClose);
      timer_.async_wait([this](boost::system::error_code) { io_.stop(); });
      StopWhenAlone();
    });
    thread_.join();
    connections_.clear();
  }

  void Add(std::shared_ptr<ClientConnection> connection) override {
    const ClientConnection* const key = connection.get();
    connections_.emplace(key, std::move(connection));
  }
  void Remove(const ClientConnection* connection) override {
    const auto found = connections_.find(connection);
    if (found == connections_.end()) return;
    // Not at once: its functions are running.
    asio::post(io_, [kept = std::move(found->second)] {});
    connections_.erase(found);
    StopWhenAlone();
  }

 private:
  void Serve() {
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::exception& fault) {  // of one request; the others go on
        host_->NoteFault(fault.what());
      }
    }
  }

  void StopWhenAlone() {
    if (is_stopping_ && connections_.empty()) asio::post(io_, [this] { io_.stop(); });
  }

  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (is_stopping_ || error == asio::error::operation_aborted) return;
      // Browsers open several connections each; beyond that the client is closed at once.
      if (!error && connections_.size() < 3 * options_.most_connections + 50)
        OpenConnection(*host_, *this, std::move(socket), tls_.get());
      if (!error) return Accept();
      // No more files: later there may be some again.
      accept_timer_.expires_after(std::chrono::milliseconds(100));
      accept_timer_.async_wait([this](boost::system::error_code) { Accept(); });
    });
  }

  void Tick() {
    if (is_stopping_) return;
    host_->Tick();
    const auto now = ClientConnection::Clock::now();
    if (host_->is_watched()) {
      std::vector<std::shared_ptr<ClientConnection>> open;
      open.reserve(connections_.size());
      for (const auto& [key, connection] : connections_) open.push_back(connection);
      for (const std::shared_ptr<ClientConnection>& connection : open) connection->Tick(now);
    }
    timer_.expires_after(host_->is_watched() ? kBetweenTicks : kBetweenTicksAlone);
    timer_.async_wait([this](boost::system::error_code error) {
      if (!error) Tick();
    });
  }

  const LiveServerOptions options_;
  HttpHost* host_ = nullptr;
  std::unique_ptr<asio::ssl::context> tls_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  asio::steady_timer accept_timer_{io_};
  std::unordered_map<const ClientConnection*, std::shared_ptr<ClientConnection>> connections_;
  std::uint16_t port_ = 0;
  bool is_stopping_ = false;
  std::thread thread_;
};

HttpListener::HttpListener(const LiveServerOptions& options) : net_(std::make_unique<Net>(options)) {}
HttpListener::~HttpListener() = default;
std::string HttpListener::address() const { return net_->address(); }
std::uint16_t HttpListener::port() const { return net_->port(); }
void HttpListener::Start(HttpHost& host) { net_->Start(host); }
void HttpListener::Post(std::function<void()> task) { net_->Post(std::move(task)); }
void HttpListener::Stop() { net_->Stop(); }

}  // namespace davit
