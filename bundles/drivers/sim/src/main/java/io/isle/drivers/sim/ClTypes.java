package io.isle.drivers.sim;

import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.drivers.sim.ClTokens.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The types of a source: scalars, vectors, and the structures of such that it declares. */
final class ClTypes {
  /**
   * A type of values.
   *
   * @param element of its scalars; absent for a structure
   */
  private record Type(int bytes, int alignment, Optional<ArgumentKind> element, int lanes) {
    static Type scalar(ArgumentKind kind, int bytes) {
      return new Type(bytes, bytes, Optional.of(kind), 1);
    }

    Type vector(int count) {
      int all = bytes * (count == 3 ? 4 : count);
      return new Type(all, all, element, count);
    }
  }

  private static final Map<String, Type> SCALARS =
      Map.of(
          "uint", Type.scalar(ArgumentKind.U32, 4),
          "int", Type.scalar(ArgumentKind.I32, 4),
          "ulong", Type.scalar(ArgumentKind.U64, 8),
          "long", Type.scalar(ArgumentKind.I64, 8),
          "ushort", Type.scalar(ArgumentKind.U32, 2),
          "short", Type.scalar(ArgumentKind.I32, 2),
          "uchar", Type.scalar(ArgumentKind.U32, 1),
          "char", Type.scalar(ArgumentKind.I32, 1),
          "float", Type.scalar(ArgumentKind.F32, 4),
          "double", Type.scalar(ArgumentKind.F64, 8));

  private static final Pattern VECTOR = Pattern.compile("([a-z]+)(2|3|4|8|16)");

  private static final Set<String> PADDING =
      Set.of("const", "restrict", "volatile", "__global", "global", "__private", "private");

  private static final Set<String> CONSTANT = Set.of("__constant", "constant");
  private static final Set<String> LOCAL = Set.of("__local", "local");
  private static final int READ = 1;
  private static final int WRITE = 2;

  private final Map<String, Type> structures = new HashMap<>();

  /** Learns a structure; one with a field that is no value is not known. */
  void structure(String name, List<List<Token>> fields) {
    int end = 0;
    int alignment = 1;
    for (List<Token> field : fields) {
      Optional<Type> type =
          field.size() == 2 ? named(List.of(field.getFirst().text())) : Optional.empty();
      if (type.isEmpty()) {
        return;
      }
      int least = type.get().alignment();
      end = (end + least - 1) / least * least + type.get().bytes();
      alignment = Math.max(alignment, least);
    }
    if (end > 0 && end <= Kernel.MAX_BYTES) {
      int size = (end + alignment - 1) / alignment * alignment;
      structures.put(name, new Type(size, alignment, Optional.empty(), 0));
    }
  }

  private Optional<Type> named(List<String> words) {
    if (words.size() == 2 && words.getFirst().equals("struct")) {
      return Optional.ofNullable(structures.get(words.get(1)));
    }
    if (words.size() != 1) {
      return Optional.empty();
    }
    String word = words.getFirst();
    Matcher vector = VECTOR.matcher(word);
    return vector.matches()
        ? Optional.ofNullable(SCALARS.get(vector.group(1)))
            .map(type -> type.vector(Integer.parseInt(vector.group(2))))
        : Optional.ofNullable(SCALARS.get(word));
  }

  /** An argument of a kernel; empty for a type that is not known. */
  Optional<Kernel.Argument> argument(List<Token> tokens) {
    boolean pointer = tokens.stream().anyMatch(token -> token.is("*"));
    boolean constant = false;
    boolean local = false;
    boolean beforeStar = true;
    List<String> words = new ArrayList<>();
    for (Token token : tokens) {
      beforeStar &= !token.is("*");
      constant |= beforeStar && token.is("const") || CONSTANT.contains(token.text());
      local |= LOCAL.contains(token.text());
      if (!token.is("*") && !isSpace(token)) {
        words.add(token.text());
      }
    }
    if (words.size() < 2 || local && !pointer) {
      return Optional.empty();
    }
    String name = words.removeLast();
    Optional<Type> type = named(words);
    if (!pointer) {
      return type.map(known -> value(name, words, known));
    }
    boolean known = type.isPresent() || words.equals(List.of("void")) && !local;
    return known
        ? Optional.of(pointer(name, words, type, local, constant ? READ : READ | WRITE))
        : Optional.empty();
  }

  private static boolean isSpace(Token token) {
    return PADDING.contains(token.text())
        || CONSTANT.contains(token.text())
        || LOCAL.contains(token.text());
  }

  private static Kernel.Argument pointer(
      String name, List<String> words, Optional<Type> type, boolean local, int access) {
    return new Kernel.Argument(
        name,
        String.join(" ", words) + "*",
        Optional.of(local ? ArgumentKind.LOCAL : ArgumentKind.BUFFER),
        local ? 0 : access,
        type.map(Type::bytes).orElse(0),
        type.flatMap(Type::element),
        type.map(Type::lanes).orElse(0));
  }

  private static Kernel.Argument value(String name, List<String> words, Type type) {
    return new Kernel.Argument(
        name,
        String.join(" ", words),
        Optional.of(type.lanes() == 1 ? type.element().orElseThrow() : ArgumentKind.BYTES),
        0,
        type.bytes(),
        type.element(),
        type.lanes());
  }
}
