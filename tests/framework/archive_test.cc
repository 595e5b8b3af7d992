#include "framework/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace davit {
namespace {

using testing::HasSubstr;

enum class Colour : std::uint8_t { kRed, kGreen };

/// One of everything that can be archived.
struct Memory {
  struct Inner {
    double a = 0;
    std::array<int, 2> b{};
    void ArchiveMemory(Archive& archive) { archive(a, b); }
    friend bool operator==(const Inner&, const Inner&) = default;
  };
  double x = 0;
  bool is_on = false;
  int n = 0;
  std::uint64_t big = 0;
  Colour colour = Colour::kRed;
  std::string text;
  std::vector<double> fixed{0, 0, 0};
  std::vector<std::string> list;
  Inner inner;

  void ArchiveMemory(Archive& archive) {
    archive(x, is_on, n, big, colour, text, fixed, inner);
    archive.List(list);
  }
  friend bool operator==(const Memory&, const Memory&) = default;
};

Memory Example() {
  return {-0.1,      true,      -7,          ~std::uint64_t{0}, Colour::kGreen, std::string("a\0b", 3),
          {1, 2, 3}, {"p", ""}, {5, {6, -7}}};
}

std::string BytesOf(Memory memory) {
  Archive archive;
  archive.Block("memory", [&] { archive(memory); });
  return archive.Take();
}

/// What is wrong with the bytes; empty if they could be read to the end.
std::string Read(const std::string& bytes, Memory& memory) {
  Archive archive(bytes);
  archive.Block("memory", [&] { archive(memory); });
  if (archive.is_good() && !archive.is_at_end()) return "rest";
  return archive.fault();
}

TEST(ArchiveTest, GivesBackWhatItWasGiven) {
  Memory read;
  EXPECT_EQ(Read(BytesOf(Example()), read), "");
  EXPECT_EQ(read, Example());
}

RC_GTEST_PROP(ArchiveTest, KeepsEveryBitOfANumber, (std::uint64_t word)) {
  double x = std::bit_cast<double>(word);
  Archive writer;
  writer(x);
  double y = 0;
  Archive reader(writer.Take());
  reader(y);
  RC_ASSERT(std::bit_cast<std::uint64_t>(y) == word);
}

TEST(ArchiveTest, BytesAreTheSameOnEveryMachine) {
  Archive archive;
  double one = 1;
  int minus_two = -2;
  std::string text = "ab";
  archive(one, minus_two, text);
  EXPECT_EQ(archive.Take(),
            std::string("\0\0\0\0\0\0\xF0\x3F\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\2\0\0\0\0\0\0\0ab", 26));
}

TEST(ArchiveTest, IsRefusedWhereverItIsCutOff) {
  const std::string bytes = BytesOf(Example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Memory memory;
    EXPECT_NE(Read(bytes.substr(0, size), memory), "") << size;
  }
}

TEST(ArchiveTest, SaysWhatDoesNotFit) {
  Memory memory;
  const std::string bytes = BytesOf(Example());
  memory.fixed.resize(4);
  EXPECT_EQ(Read(bytes, memory), "memory: a list has another length");
  Archive other(bytes);
  other.Block("state", [] {});
  EXPECT_EQ(other.fault(), "'memory' is found where 'state' is expected");
  Archive less(bytes);
  less.Block("memory", [] {});
  EXPECT_EQ(less.fault(), "memory contains more data than this version reads");
  Archive narrow;
  int big = 300;
  narrow(big);
  Archive reader(narrow.Take());
  Colour colour{};
  reader(colour);
  EXPECT_EQ(reader.fault(), "a number is out of range");
  EXPECT_EQ(colour, Colour::kRed);
}

// The checksum keeps such bytes away; without it they still must not be read past their end.
RC_GTEST_PROP(ArchiveTest, ReadsAnyBytesWithoutHarm, (std::string bytes)) {
  Memory memory;
  Read(bytes, memory);
  std::string changed = BytesOf(Example());
  for (const char byte : bytes) {
    changed[*rc::gen::inRange<std::size_t>(0, changed.size())] = byte;
  }
  Read(changed, memory);
}

TEST(SealedArchiveTest, OpensToWhatItWas) {
  for (const std::string& content : {std::string(), std::string("\0x", 2), std::string(5000, 'a')}) {
    std::string fault;
    EXPECT_EQ(OpenArchive(SealArchive(content), &fault), content);
    EXPECT_EQ(fault, "");
  }
}

TEST(SealedArchiveTest, RefusesEveryTruncationAndEveryAddition) {
  const std::string file = SealArchive(BytesOf(Example()));
  for (std::size_t size = 0; size < file.size(); ++size) {
    std::string fault;
    EXPECT_FALSE(OpenArchive(file.substr(0, size), &fault)) << size;
    EXPECT_THAT(fault, HasSubstr("cut off")) << size;
  }
  std::string fault;
  EXPECT_FALSE(OpenArchive(file + '\0', &fault));
}

TEST(SealedArchiveTest, RefusesEveryFlippedBit) {
  const std::string file = SealArchive(BytesOf(Example()));
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = file;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      std::string fault;
      EXPECT_FALSE(OpenArchive(changed, &fault)) << i << ' ' << bit;
      EXPECT_NE(fault, "");
    }
  }
}

RC_GTEST_PROP(SealedArchiveTest, RefusesForeignFiles, (const std::string& file)) {
  std::string fault;
  RC_ASSERT(!OpenArchive(file, &fault));
  RC_ASSERT(!fault.empty());
}

TEST(ArchiveTest, RefusesNumbersThatHaveBecomeNotFinite) {
  // Forged: the bytes of one number replaced by those of NaN.
  double limit = std::numeric_limits<double>::infinity(), x = 1.25;
  Archive written;
  const auto list = [&](Archive& archive) {
    archive.Block("outer", [&] { archive.Block("inner", [&] { archive(limit, x); }); });
  };
  list(written);
  std::string bytes = written.Take();
  Archive good(bytes);
  list(good);
  EXPECT_TRUE(good.is_good()) << good.fault();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto raw = [](double value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const std::size_t at = bytes.find(raw(1.25));
  ASSERT_NE(at, std::string::npos);
  Archive forged(bytes.replace(at, sizeof nan, raw(nan)));
  list(forged);
  EXPECT_EQ(forged.fault(), "outer: inner: a value is not a finite number");
}

}  // namespace
}  // namespace davit
