package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import io.isle.drivers.sim.ClTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compiles OpenCL C as far as a simulation needs: it reads the signatures of kernels and runs a
 * kernel that has name and arguments of a built-in program as that program. Any other is an error.
 */
final class SimCompiler {
  private static final Map<String, Kind> SCALARS =
      Map.of(
          "uint", Kind.U32,
          "int", Kind.I32,
          "ulong", Kind.U64,
          "long", Kind.I64,
          "float", Kind.F32,
          "double", Kind.F64);

  private static final Set<String> ELEMENTS =
      Set.of(
          "void", "uchar", "char", "ushort", "short", "uint", "int", "ulong", "long", "float",
          "double");

  private static final Set<String> PADDING =
      Set.of("const", "restrict", "volatile", "__global", "global");

  private static final int READ = 1;
  private static final int WRITE = 2;

  private final List<Token> tokens;
  private final List<ProgramEntry> entries = new ArrayList<>();
  private final List<Builtin> bodies = new ArrayList<>();
  private int at;

  private SimCompiler(String source) {
    tokens = ClTokens.of(source);
  }

  /**
   * @throws DriverException EINVAL with the build log
   */
  static SimProgram compile(String source, String options) {
    checkOptions(options);
    return new SimCompiler(source).program();
  }

  private static void checkOptions(String options) {
    boolean value = false;
    for (String option : options.strip().split("\\s+", -1)) {
      boolean known =
          value
              || option.isEmpty()
              || option.startsWith("-D")
              || option.startsWith("-cl-")
              || option.equals("-w");
      if (!known) {
        throw new DriverException(Errno.EINVAL, "error: unknown option " + option);
      }
      value = option.equals("-D");
    }
  }

  private SimProgram program() {
    while (!peek().is("")) {
      Token token = take();
      if (token.is("__kernel") || token.is("kernel")) {
        kernel(token);
      } else if (token.is("{")) {
        skipBody(token);
      } else if (token.is("}")) {
        throw error(token, "unexpected }");
      }
    }
    if (entries.isEmpty()) {
      throw error(peek(), "the source has no kernel");
    }
    return new SimProgram(entries, bodies);
  }

  private void kernel(Token begin) {
    if (!take().is("void")) {
      throw error(begin, "a kernel must return void");
    }
    Token name = take();
    if (!name.isName() || !take().is("(")) {
      throw error(name, "a kernel's name and ( are expected");
    }
    List<Argument> arguments = arguments();
    Token body = take();
    if (!body.is("{")) {
      throw error(body, "{ is expected");
    }
    skipBody(body);
    entries.add(new ProgramEntry(name.text(), entries.size(), arguments));
    bodies.add(builtin(name, arguments));
  }

  private List<Argument> arguments() {
    List<Argument> arguments = new ArrayList<>();
    List<Token> one = new ArrayList<>();
    while (true) {
      Token token = take();
      if (token.is("")) {
        throw error(token, ") is expected");
      }
      if (token.is(",") || token.is(")")) {
        boolean none = token.is(")") && arguments.isEmpty() && isVoid(one);
        if (!none) {
          arguments.add(argument(token, one));
        }
        one.clear();
        if (token.is(")")) {
          return arguments;
        }
      } else {
        one.add(token);
      }
    }
  }

  private static boolean isVoid(List<Token> tokens) {
    return tokens.isEmpty() || tokens.size() == 1 && tokens.getFirst().is("void");
  }

  private static Argument argument(Token end, List<Token> tokens) {
    boolean pointer = tokens.stream().anyMatch(token -> token.is("*"));
    boolean constant = false;
    List<String> words = new ArrayList<>();
    boolean beforeStar = true;
    for (Token token : tokens) {
      beforeStar &= !token.is("*");
      constant |= beforeStar && token.is("const");
      if (!token.is("*") && !PADDING.contains(token.text())) {
        words.add(token.text());
      }
    }
    boolean known =
        words.size() == 2
            && (pointer ? ELEMENTS.contains(words.get(0)) : SCALARS.containsKey(words.get(0)));
    if (!known) {
      throw error(end, "the argument has a type that this compiler does not know");
    }
    return pointer
        ? new Argument(Kind.BUFFER, constant ? READ : READ | WRITE)
        : new Argument(SCALARS.get(words.get(0)), 0);
  }

  private static Builtin builtin(Token name, List<Argument> arguments) {
    Builtin body =
        Builtin.named(name.text())
            .orElseThrow(
                () ->
                    error(
                        name,
                        "kernel "
                            + name.text()
                            + ": this compiler knows the kernels of built-in programs only"));
    List<Argument> wanted = body.entry().arguments();
    boolean same = wanted.size() == arguments.size();
    for (int i = 0; same && i < wanted.size(); i++) {
      same =
          wanted.get(i).kind() == arguments.get(i).kind()
              && (wanted.get(i).access() & ~arguments.get(i).access()) == 0;
    }
    if (!same) {
      throw error(
          name,
          "kernel "
              + name.text()
              + ": the arguments differ from those of the"
              + " built-in program");
    }
    return body;
  }

  /** To the end of what {@code open} begins. */
  private void skipBody(Token open) {
    int depth = 1;
    while (depth > 0) {
      Token token = take();
      if (token.is("")) {
        throw error(open, "{ without }");
      }
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    }
  }

  private Token peek() {
    return tokens.get(at);
  }

  /** The next token; the end stays the next. */
  private Token take() {
    Token token = tokens.get(at);
    at += at < tokens.size() - 1 ? 1 : 0;
    return token;
  }

  private static DriverException error(Token where, String what) {
    return new DriverException(Errno.EINVAL, "line " + where.line() + ": error: " + what);
  }
}
