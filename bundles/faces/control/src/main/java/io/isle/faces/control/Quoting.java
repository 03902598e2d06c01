package io.isle.faces.control;

/** Makes one word of the shell's language out of any text. */
final class Quoting {
  private Quoting() {}

  /** The text in double quotes, with the characters that are special there escaped. */
  static String quote(String word) {
    StringBuilder quoted = new StringBuilder(word.length() + 2).append('"');
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '"' || c == '\\' || c == '$' || c == '`') {
        quoted.append('\\');
      }
      quoted.append(c);
    }
    return quoted.append('"').toString();
  }
}
