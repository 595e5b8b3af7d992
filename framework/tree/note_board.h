#pragma once

#include <span>
#include <utility>
#include <vector>

#include "framework/component.h"
#include "framework/drawing_note.h"

namespace davit {

/// What a system file is read into: the root and each sub-system. It has the notes of the `<Layout>` of that
/// file. Nothing but drawings depends on them. A class that derives from Component derives from this too.
class NoteBoard {
 public:
  std::span<const DrawingNote> notes() const { return notes_; }
  void AddNote(DrawingNote note) { notes_.push_back(std::move(note)); }

 protected:
  NoteBoard() = default;
  ~NoteBoard() = default;
  NoteBoard(const NoteBoard&) = default;
  NoteBoard& operator=(const NoteBoard&) = default;

 private:
  std::vector<DrawingNote> notes_;
};

/// The notes on the drawing of a system or sub-system, in the order of its file.
inline std::span<const DrawingNote> NotesOf(const Component& component) {
  const auto* board = dynamic_cast<const NoteBoard*>(&component);
  return board == nullptr ? std::span<const DrawingNote>() : board->notes();
}

}  // namespace davit
