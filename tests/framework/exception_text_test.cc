#include "framework/exception_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

namespace davit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ExceptionText, AnExceptionOfDavitSaysItItself) {
  EXPECT_EQ(Explain(std::runtime_error("x.csv: the disk is full; make room")),
            "x.csv: the disk is full; make room");
}

TEST(ExceptionText, ThoseOfTheLibraryHaveARemedy) {
  EXPECT_THAT(Explain(std::bad_alloc()), StartsWith("out of memory; "));
  const auto again = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_THAT(Explain(std::system_error(again)), StartsWith("the operating system starts no further thread"));
  const auto denied = std::make_error_code(std::errc::permission_denied);
  EXPECT_EQ(Explain(std::filesystem::filesystem_error("cannot open", "a/b.xml", denied)),
            "a/b.xml: Permission denied; check the path and its permissions");
}

}  // namespace
}  // namespace davit
