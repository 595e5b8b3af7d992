#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hopsan/import/hmf_graph.h"
#include "hopsan/import/native_rules.h"

namespace davit::hopsan {

/// Which components of a file become davit's own models, and how.
///
/// A component stays as it is where no rule fits, where something is connected that its model does not have,
/// and where the other side of a connection stays, except at hydraulic connections, which get a border.
class NativeMap {
 public:
  /// Of a unit: a value by its name, as NativeRule means it.
  using Values = std::function<std::optional<double>(int unit, std::string_view name)>;

  struct Model {
    const NativeRule* rule = nullptr;
    std::string name;
    std::string text;
    std::map<std::string, std::string, std::less<>> ports;  ///< of Hopsan, of davit
  };

  NativeMap(const HmfGraph& graph, const Values& values);

  /// Null where the component stays.
  const Model* Find(int unit) const;
  /// The port or signal of davit; empty where the component stays or needs nothing.
  std::string PathOf(const HmfGraph::End& end) const;
  bool IsNative(int end) const;
  bool has_natives() const;
  bool has_hopsan() const;
  /// A line for each component: what it became and how it differs, or why it stays.
  std::string Report() const;

 private:
  void Choose(int unit, const Values& values);
  bool Demote(int unit, std::string why);
  bool SettleNode(const HmfGraph::Node& node);
  std::string Fill(std::string_view text, int unit, const Values& values, std::string* fault) const;
  std::string NameOf(int unit) const;
  double ShiftAt(int unit, const std::string& port, const Values& values) const;

  const HmfGraph& graph_;
  std::vector<std::optional<Model>> models_;  ///< by unit
  std::vector<std::string> reasons_;          ///< why it stays, by unit
  std::vector<std::map<std::string, int>>
      connected_;  ///< by unit: what leads to or from somewhere, an end of it
};

}  // namespace davit::hopsan
