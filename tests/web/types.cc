// Prints the types of TypeScript that C++ describes: generated/described_item.ts of the page.

#include <iostream>

#include "session/describe_item.h"

int main() { std::cout << davit::ItemTypeScript(); }
