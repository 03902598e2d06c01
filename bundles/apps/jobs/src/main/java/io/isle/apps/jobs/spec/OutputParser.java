package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.NumberBits;
import io.isle.apps.jobs.formula.Expression;
import io.isle.apps.jobs.formula.Numbers;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code out} of a step. */
final class OutputParser {
  private final Parameters parameters;
  private final List<Buffers.Input> inputs;
  private final Set<String> symbols;

  /**
   * @param symbols names of the inputs' extents
   */
  OutputParser(Parameters parameters, List<Buffers.Input> inputs, Set<String> symbols) {
    this.parameters = parameters;
    this.inputs = inputs;
    this.symbols = symbols;
  }

  /**
   * The results of a program with one input; there are some with an input, whether a file gets them
   * or none.
   *
   * @param at null when the step has no {@code out}
   * @param in null when it has no input
   */
  Optional<Buffers.Output> plain(Located at, Located in) {
    Optional<Path> file = Optional.empty();
    Buffers.Format format = Buffers.Format.RAW;
    boolean print = false;
    if (at != null && at.isScalar()) {
      file = parameters.file(at);
    } else if (at != null) {
      Map<String, Located> keys = at.mapping("file", "format", "print");
      file = parameters.file(keys.get("file"));
      if (keys.containsKey("format")) {
        format =
            parameters.choice(keys.get("format"), Buffers.Format.OF_BYTES, Buffers.Format::text);
      }
      print = parameters.flag(keys.get("print"));
      if (print && format != Buffers.Format.LINES) {
        throw keys.get("print").error("only 'format: lines' can be printed");
      }
    }
    boolean wanted = print || file.isPresent();
    return wanted || in != null
        ? Optional.of(
            new Buffers.Output(
                "out",
                file,
                wanted ? format : Buffers.Format.RAW,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                print,
                Optional.empty(),
                at == null ? in : at))
        : Optional.empty();
  }

  Buffers.Output output(String name, Located at) {
    Map<String, Located> keys =
        at.mapping("file", "format", "type", "shape", "initial", "merge", "expect");
    Optional<Buffers.Input> same =
        inputs.stream().filter(input -> input.name().equals(name)).findFirst();
    Optional<ElementType> type = BufferParser.type(parameters, keys.get("type"));
    Optional<List<Buffers.Formula>> shape = Optional.ofNullable(keys.get("shape")).map(this::shape);
    if (same.isPresent() && keys.containsKey("initial")) {
      throw keys.get("initial")
          .error("the output is changed in place and begins as the input; leave out 'initial'");
    }
    if (same.isPresent() && (type.isPresent() || shape.isPresent())) {
      throw at.error(
          "is an input that is changed in place: leave out 'type' and 'shape', which are those of"
              + " the input");
    }
    if (same.isEmpty() && (type.isEmpty() || shape.isEmpty())) {
      throw at.error("needs 'type' and 'shape'");
    }
    Optional<Path> file = parameters.file(keys.get("file"));
    return new Buffers.Output(
        name,
        file,
        BufferParser.format(parameters, keys.get("format"), file),
        type,
        shape,
        Optional.ofNullable(keys.get("initial")).map(where -> initial(where, type.orElseThrow())),
        merge(keys.get("merge")),
        false,
        Optional.ofNullable(keys.get("expect")).map(this::expect),
        at);
  }

  /** A buffer that only the step has. */
  Buffers.Output temp(String name, Located at) {
    Map<String, Located> keys = at.mapping("type", "shape", "initial");
    if (!keys.containsKey("type") || !keys.containsKey("shape")) {
      throw at.error("needs 'type' and 'shape'");
    }
    return output(name, at);
  }

  /** A number, else the name of a file. */
  private Initial initial(Located at, ElementType type) {
    String text = parameters.text(at);
    if (Numbers.exact(text).isEmpty() && Numbers.special(text).isEmpty()) {
      Path file = parameters.neededFile(at);
      return new Initial.OfFile(file, Buffers.Format.of(file));
    }
    try {
      return new Initial.Value(NumberBits.of(type, type.text(), text));
    } catch (IllegalArgumentException e) {
      throw at.error(e.getMessage());
    }
  }

  private List<Buffers.Formula> shape(Located at) {
    return at.sequence(Dims.MAX).stream()
        .map(each -> formula(parameters.text(each), symbols, each))
        .toList();
  }

  static Buffers.Formula formula(String text, Set<String> symbols, Located at) {
    try {
      return new Buffers.Formula(text.strip(), Expression.parse(text, symbols), at);
    } catch (IllegalArgumentException e) {
      throw at.error(e.getMessage());
    }
  }

  private boolean merge(Located at) {
    if (at == null) {
      return false;
    }
    if (!parameters.text(at).equals("ascending")) {
      throw at.error("must be 'ascending', not '" + parameters.text(at) + "'");
    }
    return true;
  }

  private Buffers.Expect expect(Located at) {
    Map<String, Located> keys = at.mapping("value", "file", "absolute", "relative");
    if (keys.containsKey("value") == keys.containsKey("file")) {
      throw at.error("needs either 'value' or 'file'");
    }
    return new Buffers.Expect(
        Optional.ofNullable(keys.get("value")).map(this::value),
        Optional.ofNullable(keys.get("file")).map(parameters::neededFile),
        tolerance(keys.get("absolute")),
        tolerance(keys.get("relative")),
        at);
  }

  /** Names stand for the elements of the inputs. */
  private Buffers.Formula value(Located at) {
    Set<String> names = new LinkedHashSet<>();
    inputs.forEach(input -> names.add(input.name()));
    return formula(parameters.text(at), names, at);
  }

  private double tolerance(Located at) {
    if (at == null) {
      return 0;
    }
    double value = Numbers.real(parameters.text(at)).orElse(-1);
    if (value < 0) {
      throw at.error("must be a number, 0 or more");
    }
    return value;
  }
}
