#include "analysis/study/serve_cases.h"

#include <utility>

#include "analysis/study/case_message.h"

namespace davit {

bool ServesOthers(const CaseSetup& setup) { return setup.ranks != nullptr && setup.ranks->rank() != 0; }

void ServeCases(RankChannel& ranks, const MakeCaseWorker& make) {
  using enum CaseMessage::Kind;
  if (ranks.is_over) return;
  const std::unique_ptr<CaseWorker> worker = make();
  ranks.Send(0, ToBytes({.kind = kReady}));
  for (;;) {
    const CaseMessage asked = ReadCaseMessage(ranks.Receive().bytes);
    ranks.is_over = asked.kind == kQuit;
    if (asked.kind != kCase) return;
    ranks.Send(
        0, ToBytes(
               {.kind = kResult, .number = asked.number, .result = worker->Run(asked.number, asked.values)}));
  }
}

void ServeCases(const CaseSetup& setup, const Registry& registry, std::unique_ptr<Simulation> first) {
  ServeCases(*setup.ranks, [&] { return std::make_unique<CaseRunner>(setup, registry, std::move(first)); });
}

void DismissRanks(RankChannel& ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank)
    ranks.Send(rank, ToBytes({.kind = CaseMessage::Kind::kQuit}));
  while (ranks.gone.size() + 1 < static_cast<std::size_t>(ranks.size())) {
    const RankChannel::Message message = ranks.Receive();
    if (ReadCaseMessage(message.bytes).kind == CaseMessage::Kind::kGone) ranks.gone.insert(message.from);
  }
}

void LeaveRanks(RankChannel& ranks, const std::string& fault) {
  ranks.Send(0, ToBytes({.kind = CaseMessage::Kind::kGone, .text = fault}));
  while (!ranks.is_over)
    ranks.is_over = ReadCaseMessage(ranks.Receive().bytes).kind == CaseMessage::Kind::kQuit;
}

}  // namespace davit
