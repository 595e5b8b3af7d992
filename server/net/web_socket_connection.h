#pragma once

#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "server/live_context.h"
#include "server/net/client_connection.h"
#include "server/studio_api_session.h"

namespace davit {

/// A client that has upgraded to WebSocket: frames to and from its session.
template <class Stream>
class WebSocketConnection final : public ClientConnection,
                                  public FrameSender,
                                  public std::enable_shared_from_this<WebSocketConnection<Stream>> {
 public:
  static constexpr std::size_t kLargestMessage = 262'144;  ///< of a client
  static constexpr std::size_t kMostWaiting = 1'048'576;   ///< bytes for a client; above it is not read
  /// Above that many it is taken for dead.
  static constexpr std::size_t kTooMuchWaiting = 67'108'864;
  static constexpr std::chrono::seconds kLongestWrite{15};

  WebSocketConnection(std::shared_ptr<LiveContext> run, ConnectionList& list, Stream stream,
                      std::string address, const User* user)
      : run_(std::move(run)),
        list_(list),
        stream_(std::move(stream)),
        session_(std::make_shared<StudioApiSession>(*run_, *this, std::move(address), user)) {}

  void Accept(const boost::beast::http::request<boost::beast::http::string_body>& request) {
    namespace websocket = boost::beast::websocket;
    boost::beast::get_lowest_layer(stream_).expires_never();
    stream_.set_option(
        websocket::stream_base::timeout{std::chrono::seconds(30), std::chrono::seconds(60), true});
    stream_.read_message_max(kLargestMessage);
    stream_.binary(true);
    // Clients end where none of the protocols that they offer is chosen.
    if (const auto offered = request[boost::beast::http::field::sec_websocket_protocol]; !offered.empty()) {
      const std::string first(offered.substr(0, offered.find(',')));
      stream_.set_option(websocket::stream_base::decorator([first](websocket::response_type& response) {
        response.set(boost::beast::http::field::sec_websocket_protocol, first);
      }));
    }
    stream_.async_accept(request, [self = this->shared_from_this()](boost::beast::error_code error) {
      if (error) return self->End();
      self->is_open_ = true;
      self->session_->Open();
      self->Read();
    });
    // Called while it is read, so that it need not be kept.
    stream_.control_callback([this](boost::beast::websocket::frame_type type, boost::beast::string_view) {
      if (type == boost::beast::websocket::frame_type::pong && session_ != nullptr) session_->TakeSign();
    });
  }

  void Tick(Clock::time_point now) override {
    if (!is_open_) return;
    if (is_writing_ && now > write_began_ + kLongestWrite) return Abort();  // it reads too slowly
    if (run_->is_deleted) CloseFrames("the run was deleted");
    if (!is_closing_) session_->Tick(now);
  }

  void Close() override {
    code_ = boost::beast::websocket::close_code::going_away;
    if (is_open_) CloseFrames("the server ends");
  }

  void SendFrame(std::string bytes) override {
    if (is_closing_ || is_ended_) return;
    waiting_ += bytes.size();
    queue_.push_back(std::move(bytes));
    if (waiting_ > kTooMuchWaiting) return Abort();
    if (!is_writing_) Write();
  }
  void Ping() override {
    if (is_closing_ || is_ended_ || std::exchange(is_pinging_, true)) return;
    stream_.async_ping({}, [self = this->shared_from_this()](boost::beast::error_code error) {
      self->is_pinging_ = false;
      if (error) self->End();
    });
  }
  std::size_t waiting_bytes() const override { return waiting_; }
  void CloseFrames(const std::string& reason) override {
    if (std::exchange(is_closing_, true)) return;
    reason_ = reason;
    if (!is_writing_) SendClose();
  }

 private:
  void Read() {
    if (is_closing_ || is_ended_ || is_reading_) return;
    is_reading_ = true;
    stream_.async_read(buffer_,
                       [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                         self->is_reading_ = false;
                         if (error) return self->End();
                         const auto bytes = self->buffer_.cdata();
                         if (self->stream_.got_binary()) {
                           self->session_->Take({static_cast<const char*>(bytes.data()), bytes.size()});
                         } else {
                           self->CloseFrames("binary messages only");
                         }
                         self->buffer_.consume(bytes.size());
                         if (self->waiting_ <= kMostWaiting) self->Read();
                       });
  }

  void Write() {
    is_writing_ = true;
    write_began_ = Clock::now();
    stream_.async_write(boost::asio::buffer(queue_.front()),
                        [self = this->shared_from_this()](boost::beast::error_code error, std::size_t) {
                          self->is_writing_ = false;
                          if (error) return self->End();
                          self->waiting_ -= self->queue_.front().size();
                          self->queue_.pop_front();
                          if (!self->queue_.empty()) {
                            self->Write();
                          } else if (self->is_closing_) {
                            self->SendClose();
                          }
                          if (self->waiting_ <= kMostWaiting) self->Read();
                        });
  }

  void SendClose() {
    namespace websocket = boost::beast::websocket;
    const websocket::close_reason reason(code_, reason_);
    stream_.async_close(reason, [self = this->shared_from_this()](boost::beast::error_code) { self->End(); });
  }

  /// Without the closing handshake.
  void Abort() {
    boost::beast::get_lowest_layer(stream_).close();
    End();
  }

  void End() {
    if (std::exchange(is_ended_, true)) return;
    is_open_ = false;
    // Not at once: the session may be the caller.
    boost::asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->session_.reset(); });
    list_.Remove(this);
  }

  const std::shared_ptr<LiveContext> run_;
  ConnectionList& list_;
  boost::beast::websocket::stream<Stream> stream_;
  boost::beast::flat_buffer buffer_;
  std::shared_ptr<StudioApiSession> session_;
  std::deque<std::string> queue_;
  std::size_t waiting_ = 0;
  boost::beast::websocket::close_code code_ = boost::beast::websocket::close_code::policy_error;
  std::string reason_;
  Clock::time_point write_began_;
  bool is_open_ = false;
  bool is_reading_ = false;
  bool is_writing_ = false;
  bool is_pinging_ = false;
  bool is_closing_ = false;
  bool is_ended_ = false;
};

}  // namespace davit
