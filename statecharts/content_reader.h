#pragma once

#include <tinyxml2.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "statecharts/chart_build.h"
#include "statecharts/state_reader.h"

namespace davit {

/// Reads what the states and transitions of a chart do: data, executable content, invocations.
class ContentReader {
 public:
  explicit ContentReader(ChartBuild& build) : build_(build), chart_(build.chart) {}

  /// All `<data>`, in document order; their expressions see the data before them.
  void ReadData();
  /// onentry, onexit, donedata and invoke of all states, and the scripts of `<scxml>`.
  void ReadStates();
  void ReadTransition(const StateReader::PendingTransition& pending);

 private:
  // data_reader.cc
  void ReadDataItem(const tinyxml2::XMLElement& element, StateId state);
  void ReadDavitData(const tinyxml2::XMLElement& element, DataItem& item, StateId state);
  void ReadDataContent(const tinyxml2::XMLElement& element, DataItem& item, StateId state);

  // connector_path_reader.cc
  /// Of a transition that leads through connectors.
  void ReadPath(const StateReader::PendingTransition& pending);
  std::string GuardOf(const tinyxml2::XMLElement& branch) const;
  Index ReadPathCondition(const StateReader::PendingTransition& pending,
                          const std::vector<std::string>& guards);
  void ReportPathFault(const StateReader::PendingTransition& pending, const Fault& fault);

  // content_reader.cc
  void ReadDuring(StateId state);
  /// All child elements of `element` as one block; kNoIndex where there is none.
  Index ReadBlock(const tinyxml2::XMLElement& element, StateId state);
  void ReadContent(const tinyxml2::XMLElement& element, StateId state);
  void ReadElement(const tinyxml2::XMLElement& element, StateId state);
  void ReadRaise(const tinyxml2::XMLElement& element, StateId state);
  void ReadIf(const tinyxml2::XMLElement& element, StateId state);
  void ReadForeach(const tinyxml2::XMLElement& element, StateId state);
  void ReadLog(const tinyxml2::XMLElement& element, StateId state);
  void ReadAssign(const tinyxml2::XMLElement& element, StateId state);
  void ReadDavitAssign(const tinyxml2::XMLElement& element, AssignElement& assignment, StateId state);
  void ReadScript(const tinyxml2::XMLElement& element, StateId state);
  void ReadDavitScript(const tinyxml2::XMLElement& element, std::string_view text, StateId state);
  void ReadCancel(const tinyxml2::XMLElement& element, StateId state);
  /// Children that executable content may not have.
  void CheckNoChildren(const tinyxml2::XMLElement& element, StateId state);
  std::size_t Emit(Op op, Index index, const tinyxml2::XMLElement& element);

  // send_reader.cc
  void ReadSend(const tinyxml2::XMLElement& element, StateId state);
  void ReadSendTarget(const tinyxml2::XMLElement& element, Send& send, StateId state);
  void ReadReceiver(const tinyxml2::XMLElement& element, Send& send, StateId state);
  void ReadDoneData(const tinyxml2::XMLElement& element, StateId state);
  /// <param>, namelist and <content> of an element.
  Payload ReadPayload(const tinyxml2::XMLElement& element, StateId state);
  void ReadParam(const tinyxml2::XMLElement& element, Payload& payload, StateId state);
  void ReadNamelist(const tinyxml2::XMLElement& element, Payload& payload, StateId state);
  void ReadContentElement(const tinyxml2::XMLElement& element, Payload& payload, StateId state);

  // invoke_reader.cc
  void ReadInvoke(const tinyxml2::XMLElement& element, StateId state, std::size_t number);
  void ReadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state);
  void LoadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state,
                 const tinyxml2::XMLElement* inline_chart);

  SymbolId Event(std::string_view name) { return chart_.symbols->Add(name); }

  ChartBuild& build_;
  Chart& chart_;
  std::set<const tinyxml2::XMLElement*> faulty_;  ///< on ways through connectors: already reported
};

}  // namespace davit
