package io.isle.mltool.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A value of a text, with its place for messages.
 *
 * @param place names and indexes that lead to it
 * @param line in the text
 * @param value null, a text, number or truth, a list of nodes, or a map of names to nodes
 */
record TextNode(String place, int line, Object value) {
  /** Refuses this value. */
  TextException error(String message) {
    String where = place.isEmpty() ? "the text" : place;
    return new TextException("line " + line + ": " + where + " " + message);
  }

  private Map<?, ?> map() {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw error("is not an object");
  }

  /** Refuses names that are not known: a misspelt one would be ignored. */
  TextNode only(String... known) {
    Set<Object> unknown = new HashSet<>(map().keySet());
    unknown.removeAll(Set.of(known));
    if (!unknown.isEmpty()) {
      throw error("has the unknown name '" + unknown.iterator().next() + "'");
    }
    return this;
  }

  boolean has(String name) {
    return map().containsKey(name);
  }

  TextNode get(String name) {
    if (map().get(name) instanceof TextNode node) {
      return node;
    }
    throw error("has no '" + name + "'");
  }

  boolean isNull() {
    return value == null;
  }

  boolean isList() {
    return value instanceof List;
  }

  boolean isText() {
    return value instanceof String;
  }

  List<TextNode> list() {
    if (!(value instanceof List<?> list)) {
      throw error("is not a list");
    }
    List<TextNode> nodes = new ArrayList<>(list.size());
    list.forEach(each -> nodes.add((TextNode) each));
    return nodes;
  }

  /** A list of a known length. */
  List<TextNode> list(int size) {
    List<TextNode> nodes = list();
    if (nodes.size() != size) {
      throw error("has " + nodes.size() + " values, not " + size);
    }
    return nodes;
  }

  String text() {
    if (value instanceof String text) {
      return text;
    }
    throw error("is not a text");
  }

  long number(long least, long most) {
    if (!(value instanceof Long number)) {
      throw error("is not a whole number");
    }
    if (number < least || number > most) {
      throw error("is " + number + ", not " + least + " to " + most);
    }
    return number;
  }

  int integer() {
    return (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  int integer(int least, int most) {
    return (int) number(least, most);
  }
}
