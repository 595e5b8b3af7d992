#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// A graph with weights, as graph partitioners take it: the neighbours of vertex v are
/// neighbours[first[v]] ... neighbours[first[v + 1] - 1], each edge is there from both ends.
struct WeightedGraph {
  std::vector<int> first{0}, neighbours;
  std::vector<int> weights;       ///< by vertex
  std::vector<int> edge_weights;  ///< by neighbour
};

/// Messages between the parts of one run, numbered by ranks from 0 on: threads of one process
/// (ThreadChannels), or processes of a parallel job. One thread of each part makes all calls. Messages from
/// one rank to another arrive in the order they were sent. Calls throw std::runtime_error where a message
/// cannot be passed on.
class PartChannel {
 public:
  struct Message {
    int from = 0;
    std::string bytes;
  };

  virtual ~PartChannel() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Does not wait for the receiver.
  virtual void Send(int to, std::string_view bytes) = 0;
  /// The next message where one has come; else nothing, at once.
  virtual std::optional<Message> Poll() = 0;
  /// Cuts a graph into one part for each rank, of about the same weight, with little weight of edges between
  /// them, where a graph partitioner comes with the channel; nothing otherwise. The part of each vertex.
  virtual std::optional<std::vector<int>> Cut(const WeightedGraph& /*graph*/) { return std::nullopt; }
};

}  // namespace davit
