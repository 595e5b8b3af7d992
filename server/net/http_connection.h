#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "server/authentication.h"
#include "server/http_api.h"
#include "server/live_context.h"
#include "server/net/client_connection.h"
#include "server/net/web_socket_connection.h"

namespace davit {

/// A client of HTTP: one request after the other, until it upgrades to WebSocket.
template <class Stream>
class HttpConnection final : public ClientConnection,
                             public std::enable_shared_from_this<HttpConnection<Stream>> {
 public:
  static constexpr std::uint32_t kLargestHeader = 16'384;
  static constexpr std::chrono::seconds kPatience{30};

  HttpConnection(HttpHost& host, ConnectionList& list, Stream stream, std::string address, std::string port)
      : host_(host),
        list_(list),
        stream_(std::move(stream)),
        address_(std::move(address)),
        port_(std::move(port)) {}

  void Begin() {
    if constexpr (kHasTls) {
      boost::beast::get_lowest_layer(stream_).expires_after(kPatience);
      stream_.async_handshake(boost::asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](boost::beast::error_code error) {
                                if (error) return self->End();
                                self->Read();
                              });
    } else {
      Read();
    }
  }

  void Close() override {
    boost::beast::get_lowest_layer(stream_).close();
    End();
  }

 private:
  static constexpr bool kHasTls = !std::is_same_v<Stream, boost::beast::tcp_stream>;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  void Read() {
    namespace http = boost::beast::http;
    parser_.emplace();
    parser_->header_limit(kLargestHeader);
    parser_->body_limit(HttpHost::kLargestSnapshot);
    boost::beast::get_lowest_layer(stream_).expires_after(kPatience);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                              if (error == http::error::header_limit)
                                return self->Refuse(431, "the header of the request is too long");
                              if (error && error != http::error::end_of_stream && IsFaultOfRequest(error))
                                return self->Refuse(400, "the request cannot be read");
                              if (error) return self->End();
                              self->TakeHeader();
                            });
  }

  static bool IsFaultOfRequest(boost::beast::error_code error) {
    return error.category() ==
           boost::beast::http::make_error_code(boost::beast::http::error::bad_method).category();
  }

  static std::string_view View(boost::beast::string_view text) { return {text.data(), text.size()}; }

  void TakeHeader() {
    namespace http = boost::beast::http;
    const auto& request = parser_->get();
    const std::string host(View(request[http::field::host]));
    const std::vector<std::string>& names = host_.options().host_names;
    if (!IsOwnHost(host, names))
      return Refuse(403, "the Host of the request is not a name of this server; --host-name NAME allows one");
    if (const auto origin = View(request[http::field::origin]);
        !origin.empty() && !IsOwnOrigin(origin, host, names))
      return Refuse(403, "requests of other web pages are refused");
    query_ = {};
    query_.method = std::string(View(request.method_string()));
    if (query_.method == "HEAD") query_.method = "GET";
    const std::string_view target = View(request.target());
    const bool is_below = ReadTarget(target, host_.options().prefix, query_);
    Authentication& authentication = host_.authentication();
    user_ = authentication.UserOfToken(FindCookie(View(request[http::field::cookie]), "davit_session"),
                                       Clock::now());
    query_.is_logged_in = !authentication.is_required() || user_ != nullptr;
    if (authentication.is_required()) query_.role = user_ != nullptr ? user_->role : UserRole::kView;
    if (user_ != nullptr) query_.user = user_->name;
    query_.address = address_;
    query_.sender = user_ != nullptr ? user_->name + '@' + address_ : address_;
    if (boost::beast::websocket::is_upgrade(request)) {
      const std::shared_ptr<LiveContext> run =
          is_below || target == "/" ? host_.FindRun(is_below ? query_.path : "/") : nullptr;
      if (run == nullptr)
        return Refuse(404, "no StudioAPI here; davit serve has it at " + host_.options().prefix + "/");
      return Upgrade(run);
    }
    if (!is_below) return Refuse(404, "this server serves below " + host_.options().prefix + "/");
    const std::uint64_t most = query_.is_logged_in ? host_.LargestBody(query_) : HttpHost::kLargestBody;
    const std::uint64_t length = parser_->content_length().value_or(0);
    if (length > most) return Refuse(413, "the body of the request is too large");
    parser_->body_limit(most);
    if (most > HttpHost::kLargestBody) boost::beast::get_lowest_layer(stream_).expires_after(10 * kPatience);
    if (View(request[http::field::expect]) == "100-continue") return SayContinue();
    ReadBody();
  }

  /// The client waits before it sends the body.
  void SayContinue() {
    namespace http = boost::beast::http;
    response_ = std::make_shared<Response>(http::status::continue_, 11);
    response_->set(http::field::server, "davit");
    http::async_write(stream_, *response_,
                      [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                        self->response_.reset();
                        if (error) return self->End();
                        self->ReadBody();
                      });
  }

  void ReadBody() {
    namespace http = boost::beast::http;
    http::async_read(stream_, buffer_, *parser_,
                     [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                       if (error == http::error::body_limit)
                         return self->Refuse(413, "the body of the request is too large");
                       if (error && IsFaultOfRequest(error))
                         return self->Refuse(400, "the request cannot be read");
                       if (error) return self->End();
                       self->TakeRequest();
                     });
  }

  void TakeRequest() {
    boost::beast::get_lowest_layer(stream_).expires_never();  // the answer may take its time
    query_.body = std::move(parser_->get().body());
    keeps_alive_ = parser_->get().keep_alive();
    is_head_ = parser_->get().method() == boost::beast::http::verb::head;
    // Not kept until the next request: the body may be large.
    const HttpQuery query = std::exchange(query_, {});
    host_.Answer(query, [weak = this->weak_from_this()](HttpAnswer answer) {
      if (const auto self = weak.lock()) self->Write(std::move(answer));
    });
  }

  /// Answers with a fault and ends.
  void Refuse(int status, const std::string& text) {
    keeps_alive_ = false;
    Write(HttpFault(status, text));
  }

  void Write(HttpAnswer answer) {
    namespace http = boost::beast::http;
    if (is_ended_) return;
    response_ = std::make_shared<Response>(static_cast<http::status>(answer.status), 11);
    Response& response = *response_;
    response.set(http::field::server, "davit");
    response.set(http::field::content_type, answer.type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Content-Security-Policy",
                 "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                 "connect-src 'self'; "
                 "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    for (const auto& [name, value] : answer.headers) response.set(name, value);
    response.keep_alive(keeps_alive_);
    const std::size_t size = answer.body.size();
    if (!is_head_) response.body() = std::move(answer.body);
    response.content_length(size);
    boost::beast::get_lowest_layer(stream_).expires_after(kPatience);
    http::async_write(stream_, response,
                      [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                        self->response_.reset();
                        if (error || !self->keeps_alive_) return self->Shutdown();
                        self->is_head_ = false;
                        self->Read();
                      });
  }

  void Upgrade(const std::shared_ptr<LiveContext>& run) {
    if (run->clients >= host_.options().most_connections) {
      TellOfRefused(*run);
      return Refuse(503, "too many clients");
    }
    const auto request = parser_->release();
    // Nothing of the client may be lost that has come after the request.
    if (buffer_.size() > 0) return Refuse(400, "messages were sent before the upgrade was answered");
    const auto connection = std::make_shared<WebSocketConnection<Stream>>(run, list_, std::move(stream_),
                                                                          address_ + ':' + port_, user_);
    is_ended_ = true;
    list_.Remove(this);
    list_.Add(connection);
    connection->Accept(request);
  }

  /// Clients try again for ever: a line a minute is enough.
  void TellOfRefused(LiveContext& run) {
    const Clock::time_point now = Clock::now();
    if (run.told_of_refused && now < *run.told_of_refused + std::chrono::minutes(1)) return;
    run.told_of_refused = now;
    run.run.Post([&live = run.run, address = address_, most = host_.options().most_connections] {
      live.Log("refused the client " + address + ": too many clients; the server takes " +
               std::to_string(most));
    });
  }

  void Shutdown() {
    boost::beast::error_code ignored;
    boost::beast::get_lowest_layer(stream_).socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send,
                                                              ignored);
    End();
  }

  void End() {
    if (std::exchange(is_ended_, true)) return;
    list_.Remove(this);
  }

  HttpHost& host_;
  ConnectionList& list_;
  Stream stream_;
  const std::string address_;
  const std::string port_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  HttpQuery query_;
  const User* user_ = nullptr;  ///< that has logged in
  std::shared_ptr<Response> response_;
  bool keeps_alive_ = false;
  bool is_head_ = false;
  bool is_ended_ = false;
};

}  // namespace davit
