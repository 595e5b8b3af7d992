#include "server/net/client_connection.h"

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <string>
#include <utility>

#include "server/net/http_connection.h"

namespace davit {

void OpenConnection(HttpHost& host, ConnectionList& list, boost::asio::ip::tcp::socket socket,
                    boost::asio::ssl::context* tls) {
  boost::beast::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return;
  socket.set_option(boost::asio::ip::tcp::no_delay(true), error);
  std::string address = remote.address().to_string();
  std::string port = std::to_string(remote.port());
  const auto begin = [&]<class Stream>(Stream stream) {
    const auto connection = std::make_shared<HttpConnection<Stream>>(host, list, std::move(stream),
                                                                     std::move(address), std::move(port));
    list.Add(connection);
    connection->Begin();
  };
  boost::beast::tcp_stream stream(std::move(socket));
  if (tls != nullptr) {
    begin(boost::beast::ssl_stream<boost::beast::tcp_stream>(std::move(stream), *tls));
  } else {
    begin(std::move(stream));
  }
}

}  // namespace davit
