#pragma once

#include <functional>
#include <string_view>

#include "server/http_query.h"
#include "server/live_context.h"

namespace davit {

/// Of the HTTP interface of server and studio: one more for each change that a client can notice.
inline constexpr int kApiVersion = 2;

/// Answers a request below `/api/` and for the files of the page. In the thread of the server.
void AnswerQuery(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);

/// What `/api/system` says; it does not change while the system runs. In the thread that drives.
std::string DescribeSystem(const LiveContext& context);

/// Whether a chart is that of a component, or stands in its place itself.
bool IsChartOf(const ChartBinding& chart, const Component& component);

/// The members `transitions` and `events` of `/api/chart`. In the thread that drives.
std::string DescribeChart(const Chart& chart);

/// `{"error":"text"}`
HttpAnswer HttpFault(int status, std::string_view text);

/// What a request gets that the run does not take.
inline constexpr std::string_view kNoTime = "too many requests wait, or the run has ended; try again later";

/// Answers with what `make` gives, between two runs; what it throws is a fault of status 409. 503 if too many
/// requests wait.
void AnswerBetweenRuns(LiveContext& context, const AnswerHttp& answer, std::function<HttpAnswer()> make);

// Each answers one kind of request; writes are refused before.
void AnswerState(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerValues(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerControl(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerCommand(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerAcknowledge(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerHistory(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerLog(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerEvents(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerChart(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerSnapshots(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerTravel(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerRecording(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerEnergy(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
void AnswerWhy(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer);
HttpAnswer AnswerLogin(Authentication& authentication, const LiveServerOptions& options,
                       const HttpQuery& query);
/// A file of the page; `front` is what "/" means.
HttpAnswer AnswerPage(const HttpQuery& query, std::string_view front = "index.html");

}  // namespace davit
