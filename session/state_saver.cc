#include "session/state_saver.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace davit {

std::string StateSaver::FaultOf(double time) const {
  const double begin = manager_.is_started() ? manager_.time() : manager_.begin_time();
  if (time >= begin && time <= manager_.stop_time()) return {};
  return fmt::format("the run goes from {:.9g} s to {:.9g} s; write a time between", begin,
                     manager_.stop_time());
}

void StateSaver::Add(DueSnapshot snapshot) {
  const auto place = std::ranges::upper_bound(due_, snapshot.time, {}, &DueSnapshot::time);
  due_.insert(place, std::move(snapshot));
}

void StateSaver::SaveFirst() {
  const std::filesystem::path file = std::move(due_.front().file);
  due_.erase(due_.begin());
  Save(file);
}

void StateSaver::Save(const std::filesystem::path& file) {
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream stream(part, std::ios::binary);
  manager_.SaveState(stream);
  stream.close();
  std::error_code fault;
  if (stream) std::filesystem::rename(part, file, fault);
  if (!stream || fault) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw std::runtime_error(file.string() +
                             ": cannot write the snapshot; check the path and the space left");
  }
}

}  // namespace davit
