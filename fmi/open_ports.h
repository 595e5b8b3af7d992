#pragma once

#include <filesystem>
#include <string>

#include "framework/registry.h"

namespace davit {

/// The text of a system file, with `<fmi.PortC>` or `<fmi.PortQ>` at each open port: one that nothing is
/// connected to though it must be, or that the file itself exposes. Its name outside is the exposed one, else
/// its path. The text as it is where there are no open ports, or the system cannot be read.
std::string CloseOpenPorts(const std::string& text, const std::filesystem::path& file,
                           const Registry& registry);

}  // namespace davit
