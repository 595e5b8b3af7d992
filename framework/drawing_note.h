#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/diagnostics.h"

namespace davit {

/// A picture as its file has it, PNG or SVG.
struct DrawingPicture {
  std::string type;  ///< `image/png` or `image/svg+xml`
  std::string bytes;
};

/// A text or a picture on a drawing: `<Note>` of a system file. Units are those of the drawing, x to the
/// right and y down; its upper left corner lies there. A picture has its text below.
struct DrawingNote {
  double x = 0;
  double y = 0;
  std::string text;             ///< no markup; may have several lines
  std::optional<double> width;  ///< lines are broken to fit; of a picture always there
  double height = 0;            ///< of a picture, without its text
  std::string file;             ///< of the picture, as it is written; empty: a text only
  std::shared_ptr<const DrawingPicture> picture;
  SourceLocation location;
};

}  // namespace davit
