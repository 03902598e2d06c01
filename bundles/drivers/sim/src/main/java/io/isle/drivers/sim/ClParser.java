package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.drivers.sim.ClTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the kernels of a source in OpenCL C: their signatures, and what their bodies name. */
final class ClParser {
  private static final int MAX_NAME = 63;
  private static final String REQUIRED = "reqd_work_group_size";

  /** What makes a kernel depend on the size of its work-groups. */
  private static final Set<String> GROUP_WORDS =
      Set.of(
          "get_local_id",
          "get_local_size",
          "get_group_id",
          "get_num_groups",
          "barrier",
          "work_group_barrier",
          "__local",
          "local");

  private final List<Token> tokens;
  private final ClTypes types = new ClTypes();
  private final List<Kernel> kernels = new ArrayList<>();
  private final List<Token> names = new ArrayList<>();
  private int at;

  ClParser(String source) {
    tokens = ClTokens.of(source);
  }

  /** The kernels in the order of the source, all with number 0. */
  List<Kernel> kernels() {
    return kernels;
  }

  /** Where the names of the kernels stand. */
  List<Token> names() {
    return names;
  }

  /**
   * Reads the source.
   *
   * @throws DriverException EINVAL with the line
   */
  void read() {
    while (!peek().is("")) {
      Token token = take();
      if (token.is("__kernel") || token.is("kernel")) {
        kernel(token);
      } else if (token.is("struct") && peek().isName() && next().is("{")) {
        structure();
      } else if (token.is("{")) {
        var ignored = skipBody(token);
      } else if (token.is("}")) {
        throw error(token, "unexpected }");
      }
    }
    if (kernels.stream().noneMatch(Kernel::isUsable)) {
      throw error(
          peek(),
          kernels.isEmpty()
              ? "the source has no kernel"
              : "no kernel can be used: " + kernels.getFirst().unusable());
    }
  }

  private void structure() {
    String name = take().text();
    Token open = take();
    List<List<Token>> fields = new ArrayList<>();
    List<Token> field = new ArrayList<>();
    for (Token token = take(); !token.is("}"); token = take()) {
      if (token.is("")) {
        throw error(open, "{ without }");
      }
      if (token.is(";")) {
        fields.add(List.copyOf(field));
        field.clear();
      } else {
        field.add(token);
      }
    }
    types.structure(name, fields);
  }

  private void kernel(Token begin) {
    List<Integer> group = peek().is("__attribute__") ? group() : List.of();
    if (!take().is("void")) {
      throw error(begin, "a kernel must return void");
    }
    Token name = take();
    if (!name.isName() || !take().is("(") || name.text().length() > MAX_NAME) {
      throw error(name, "a kernel's name and ( are expected");
    }
    List<Kernel.Argument> arguments = new ArrayList<>();
    String unusable = arguments(arguments);
    Token body = take();
    if (!body.is("{")) {
      throw error(body, "{ is expected");
    }
    String needs = skipBody(body).map(word -> needs(word, name)).orElse("");
    if (arguments.stream().anyMatch(a -> a.kind().equals(Optional.of(ArgumentKind.LOCAL)))) {
      needs = "an argument of " + name.text() + " in local memory";
    }
    int bytes = kernelBytes(arguments);
    if (unusable.isEmpty() && bytes > Kernel.MAX_BYTES) {
      unusable = "its arguments have " + bytes + " bytes together";
    }
    kernels.add(
        new Kernel(
            name.text(),
            0,
            group,
            Launch.MAX_GROUP,
            0,
            0,
            group.isEmpty() ? needs : "",
            unusable,
            unusable.isEmpty() ? arguments : List.of()));
    names.add(name);
  }

  private static int kernelBytes(List<Kernel.Argument> arguments) {
    return arguments.stream()
        .filter(argument -> argument.kind().equals(Optional.of(ArgumentKind.BYTES)))
        .mapToInt(Kernel.Argument::bytes)
        .sum();
  }

  private static String needs(Token word, Token kernel) {
    return word.text() + " in kernel " + kernel.text() + ", line " + word.line();
  }

  /** The work-group size that attributes require; none for others. */
  private List<Integer> group() {
    Token begin = take();
    List<Integer> group = new ArrayList<>();
    boolean required = false;
    int depth = 0;
    do {
      Token token = take();
      if (token.is("")) {
        throw error(begin, "( without )");
      }
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      required |= token.is(REQUIRED);
      if (required && token.text().matches("[1-9][0-9]{0,3}")) {
        group.add(Integer.parseInt(token.text()));
      }
    } while (depth > 0);
    if (required && group.size() != 3) {
      throw error(begin, REQUIRED + " needs three numbers, 1 to 9999");
    }
    if (group.stream().mapToLong(size -> size).reduce(1, (a, b) -> a * b) > Launch.MAX_GROUP) {
      throw error(begin, REQUIRED + ": at most " + Launch.MAX_GROUP + " work items together");
    }
    return group;
  }

  /** Reads all; why a kernel with them cannot be used, or empty. */
  private String arguments(List<Kernel.Argument> arguments) {
    String unusable = "";
    int count = 0;
    List<Token> one = new ArrayList<>();
    while (true) {
      Token token = take();
      if (token.is("")) {
        throw error(token, ") is expected");
      }
      if (token.is(",") || token.is(")")) {
        boolean none = token.is(")") && count == 0 && isVoid(one);
        if (one.stream().anyMatch(word -> word.text().startsWith("image"))) {
          unusable = unusable.isEmpty() ? "argument " + count + " is an image" : unusable;
        } else if (!none) {
          arguments.add(argument(token, one));
        }
        count++;
        one.clear();
        if (token.is(")")) {
          return arguments.size() > Kernel.MAX_ARGUMENTS
              ? "it has more than " + Kernel.MAX_ARGUMENTS + " arguments"
              : unusable;
        }
      } else {
        one.add(token);
      }
    }
  }

  private static boolean isVoid(List<Token> tokens) {
    return tokens.isEmpty() || tokens.size() == 1 && tokens.getFirst().is("void");
  }

  private Kernel.Argument argument(Token end, List<Token> tokens) {
    return types
        .argument(tokens)
        .filter(known -> known.name().length() <= MAX_NAME)
        .orElseThrow(() -> error(end, "the argument has a type that this compiler does not know"));
  }

  /** To the end of what {@code open} begins; the first word that depends on work-groups, if any. */
  private Optional<Token> skipBody(Token open) {
    Optional<Token> found = Optional.empty();
    int depth = 1;
    while (depth > 0) {
      Token token = take();
      if (token.is("")) {
        throw error(open, "{ without }");
      }
      if (found.isEmpty() && GROUP_WORDS.contains(token.text())) {
        found = Optional.of(token);
      }
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    }
    return found;
  }

  private Token peek() {
    return tokens.get(at);
  }

  /** The token behind the next; the end stays the next. */
  private Token next() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  /** The next token; the end stays the next. */
  private Token take() {
    Token token = tokens.get(at);
    at += at < tokens.size() - 1 ? 1 : 0;
    return token;
  }

  static DriverException error(Token where, String what) {
    return new DriverException(Errno.EINVAL, "line " + where.line() + ": error: " + what);
  }
}
