#include "framework/xml/xml_file.h"

#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

std::string FaultOf(std::string_view text) {
  const XmlResult result = ParseXml(text);
  EXPECT_NE(result.document == nullptr, result.fault.empty());
  return result.fault.empty() ? "" : std::to_string(result.line) + ": " + result.fault;
}

TEST(XmlFileTest, ReadsElementsAttributesAndLines) {
  const XmlResult result =
      ParseXml("<?xml version='1.0'?>\n<!-- a > b -->\n<a x='1 &lt; \"2\"'>\r\n  <b/>\n</a>\n<!-- end -->");
  ASSERT_NE(result.document, nullptr) << result.fault;
  const tinyxml2::XMLElement* root = result.document->RootElement();
  EXPECT_STREQ(root->Attribute("x"), "1 < \"2\"");
  EXPECT_EQ(root->FirstChildElement("b")->GetLineNum(), 4);
}

TEST(XmlFileTest, AByteOrderMarkIsNoText) { EXPECT_EQ(FaultOf("\xef\xbb\xbf<a/>"), ""); }

TEST(XmlFileTest, CharactersByNumber) {
  const XmlResult result = ParseXml("<a x='&#107;&#x67;&#xb0;'/>");
  ASSERT_NE(result.document, nullptr) << result.fault;
  EXPECT_STREQ(result.document->RootElement()->Attribute("x"), "kg\u00b0");
  EXPECT_EQ(FaultOf("<a x='&#0;'/>"), "1: unknown entity '&#0;'; write the character itself");
  EXPECT_EQ(FaultOf("<a x='&#x110000;'/>"), "1: unknown entity '&#x110000;'; write the character itself");
  EXPECT_EQ(FaultOf("<a x='&#;'/>"), "1: unknown entity '&#;'; write the character itself");
  EXPECT_EQ(FaultOf("<a x='a & b'/>"), "1: a lone '&' in a value; write &amp; for it");
}

TEST(XmlFileTest, FaultsHaveTheLineWhereTheyBegin) {
  EXPECT_EQ(FaultOf("<a>\n<b>\n</a>"),
            "3: the element 'b' of line 2 is closed by 'a'; close each element by its own name");
  EXPECT_EQ(FaultOf("<a>\n<b>\n"),
            "2: the element 'b' is not closed before the file ends; the file seems to be cut off");
  EXPECT_EQ(FaultOf("<a>\n<!-- </a>\n"),
            "2: the comment that begins here is not closed; write --> at its end");
  EXPECT_EQ(FaultOf("<a/>\n</a>"), "2: </a> closes nothing; remove it");
  EXPECT_EQ(FaultOf("<a/>\n<b/>"), "2: there is more than one root element; put all into one <System>");
  EXPECT_EQ(FaultOf("\n\na = 1"), "3: the file begins with text, so it is not XML; begin with <System>");
  EXPECT_EQ(FaultOf("<a>\n<!DOCTYPE b>\n</a>"),
            "2: document types and entities are not allowed in a system file; remove the <!...>");
}

TEST(XmlFileTest, EveryBeginOfADocumentIsRefused) {
  const std::string text = "<a x='1'>\n  <b y=\"2\"><!-- c --></b>\n  <d/>\n</a>";
  EXPECT_EQ(FaultOf(text), "");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(FaultOf(std::string_view(text).substr(0, size)), "") << size;
  }
}

TEST(XmlFileTest, DepthIsLimited) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "<a>";
    for (int i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  EXPECT_EQ(FaultOf(nested(64)), "");
  EXPECT_EQ(FaultOf(nested(65)), "1: elements are nested too deeply; a system file needs about three levels");
}

}  // namespace
}  // namespace davit
