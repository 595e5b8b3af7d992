// A shared library that is no plug-in.

extern "C" [[gnu::visibility("default")]] int AnswerOfALibrary();

int AnswerOfALibrary() { return 42; }
