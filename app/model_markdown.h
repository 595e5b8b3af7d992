#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "session/model_description.h"

namespace davit {

/// Plain text for a line or a table of Markdown: nothing in it is read as markup.
std::string EscapeMarkdown(std::string_view text);

/// The description of a model as Markdown. `depth` is that of the heading with its name: 1 for a page of its
/// own.
/// `figure` comes below its text.
void WriteModelMarkdown(const ModelDescription& description, std::size_t depth, std::ostream& out,
                        std::string_view figure = {});

}  // namespace davit
