package io.isle.drivers.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts OpenCL C into names, numbers and punctuation. Comments, texts and lines of the preprocessor
 * are left out: signatures need none of them.
 */
final class ClTokens {
  /** A piece of the source; an empty text is its end. */
  record Token(String text, int line) {
    boolean is(String wanted) {
      return text.equals(wanted);
    }

    boolean isName() {
      return !text.isEmpty() && Character.isJavaIdentifierStart(text.charAt(0));
    }
  }

  private static final Pattern LINE = Pattern.compile("#line (\\d{1,8})[^\\n]*\n");

  private final String source;
  private int at;
  private int line = 1;
  private boolean lineIsEmpty = true;

  private ClTokens(String source) {
    this.source = source;
  }

  /** All tokens and the end. */
  static List<Token> of(String source) {
    ClTokens scanner = new ClTokens(source);
    List<Token> all = new ArrayList<>();
    Token next = scanner.next();
    while (!next.text.isEmpty()) {
      all.add(next);
      next = scanner.next();
    }
    all.add(next);
    return all;
  }

  private Token next() {
    while (at < source.length()) {
      char here = source.charAt(at);
      int begin = at;
      if (here == '\n') {
        step();
      } else if (Character.isWhitespace(here)) {
        at++;
      } else if (here == '#' && lineIsEmpty) {
        skipDirective();
      } else if (source.startsWith("//", at)) {
        skipTo("\n", 0);
      } else if (source.startsWith("/*", at)) {
        at += 2;
        skipTo("*/", 2);
      } else if (here == '"' || here == '\'') {
        skipText(here);
      } else {
        lineIsEmpty = false;
        at = wordEnd();
        return new Token(source.substring(begin, at), line);
      }
    }
    return new Token("", line);
  }

  /** Behind a word, or behind one other character. */
  private int wordEnd() {
    int end = at;
    while (end < source.length() && isWordPart(source.charAt(end))) {
      end++;
    }
    return Math.max(end, at + 1);
  }

  private static boolean isWordPart(char letter) {
    return letter == '_' || letter < 128 && Character.isLetterOrDigit(letter);
  }

  private void step() {
    if (source.charAt(at++) == '\n') {
      line++;
      lineIsEmpty = true;
    }
  }

  private void skipTo(String end, int beyond) {
    int found = source.indexOf(end, at);
    int stop = found < 0 ? source.length() : found + beyond;
    while (at < stop) {
      step();
    }
  }

  /** One of them says which line the next one is. */
  private void skipDirective() {
    Matcher said = LINE.matcher(source).region(at, source.length());
    if (said.lookingAt()) {
      at = said.end();
      line = Integer.parseInt(said.group(1));
      return;
    }
    boolean goesOn = true;
    while (goesOn && at < source.length()) {
      int end = source.indexOf('\n', at);
      goesOn = end > 0 && source.charAt(end - 1) == '\\';
      skipTo("\n", 1);
    }
  }

  private void skipText(char quote) {
    lineIsEmpty = false;
    at++;
    while (at < source.length() && source.charAt(at) != quote && source.charAt(at) != '\n') {
      at +=
          source.charAt(at) == '\\' && at + 1 < source.length() && source.charAt(at + 1) != '\n'
              ? 2
              : 1;
    }
    if (at < source.length() && source.charAt(at) == quote) {
      at++;
    }
  }
}
