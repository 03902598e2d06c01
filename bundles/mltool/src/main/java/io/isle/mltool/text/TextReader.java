package io.isle.mltool.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON. A name that is there twice is refused, and so is a number with a fraction. */
final class TextReader {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser parser;

  private TextReader(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * The one value of a text.
   *
   * @throws TextException no JSON, or more than one value
   */
  static TextNode read(byte[] bytes) throws IOException {
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      TextReader reader = new TextReader(parser);
      if (parser.nextToken() == null) {
        throw new TextException("line 1: the text is empty");
      }
      TextNode node = reader.node("");
      if (parser.nextToken() != null) {
        throw reader.error("more than one value");
      }
      return node;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new TextException("line " + line + ": " + e.getOriginalMessage());
    }
  }

  private TextException error(String message) {
    return new TextException("line " + line() + ": " + message);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private TextNode node(String place) throws IOException {
    int line = line();
    Object value =
        switch (parser.currentToken()) {
          case START_OBJECT -> map(place);
          case START_ARRAY -> list(place);
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT -> number(place);
          case VALUE_NULL -> null;
          case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
          default -> throw error(place + " is not a whole number");
        };
    return new TextNode(place, line, value);
  }

  private Long number(String place) throws IOException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw error(place + " is too large a number");
    }
    return parser.getLongValue();
  }

  private Map<String, TextNode> map(String place) throws IOException {
    Map<String, TextNode> map = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      map.put(name, node(place.isEmpty() ? name : place + "." + name));
    }
    return map;
  }

  private List<TextNode> list(String place) throws IOException {
    List<TextNode> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(node(place + "[" + list.size() + "]"));
    }
    return list;
  }
}
