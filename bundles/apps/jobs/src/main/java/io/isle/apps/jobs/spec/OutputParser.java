package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.References;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the named buffers of {@code out}. */
final class OutputParser {
  private static final String NONE = "none";

  private final Parameters parameters;
  private final Path base;
  private final List<Buffers.Input> inputs;
  private final Set<String> symbols;

  /**
   * @param symbols names of the inputs' extents
   */
  OutputParser(Parameters parameters, Path base, List<Buffers.Input> inputs, Set<String> symbols) {
    this.parameters = parameters;
    this.base = base;
    this.inputs = inputs;
    this.symbols = symbols;
  }

  Buffers.Output output(String name, Located at) {
    Map<String, Located> keys = at.mapping("file", "format", "type", "shape", "merge", "expect");
    Optional<Buffers.Input> same =
        inputs.stream().filter(input -> input.name().equals(name)).findFirst();
    Optional<ElementType> type = BufferParser.type(parameters, keys.get("type"));
    Optional<List<Buffers.Formula>> shape = Optional.ofNullable(keys.get("shape")).map(this::shape);
    if (same.isPresent() && (type.isPresent() || shape.isPresent())) {
      throw at.error("is changed in place: 'type' and 'shape' are those of the input");
    }
    if (same.isEmpty() && (type.isEmpty() || shape.isEmpty())) {
      throw at.error("needs 'type' and 'shape'");
    }
    String text = keys.containsKey("file") ? parameters.text(keys.get("file")) : "";
    Optional<Path> file =
        text.isEmpty()
            ? Optional.empty()
            : Optional.of(Parameters.path(keys.get("file"), base, text));
    return new Buffers.Output(
        name,
        file,
        BufferParser.format(parameters, keys.get("format"), text),
        type,
        shape,
        merge(keys.get("merge")),
        Optional.ofNullable(keys.get("expect")).flatMap(this::expect),
        at);
  }

  private List<Buffers.Formula> shape(Located at) {
    List<Buffers.Formula> shape = new ArrayList<>();
    for (Located each : at.sequence(Dims.MAX)) {
      shape.add(formula(parameters.text(each), each));
    }
    return List.copyOf(shape);
  }

  private Buffers.Formula formula(String text, Located at) {
    return formula(text, symbols, at);
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
      throw at.error("'" + parameters.text(at) + "' must be: ascending");
    }
    return true;
  }

  /** Empty when the reference is called {@code none}, which parameters may say. */
  private Optional<Buffers.Expect> expect(Located at) {
    Map<String, Located> keys = at.mapping("reference", "value", "file", "absolute", "relative");
    if (keys.keySet().stream().filter(List.of("reference", "value", "file")::contains).count()
        != 1) {
      throw at.error("needs one of 'reference', 'value', 'file'");
    }
    Optional<String> reference =
        Optional.ofNullable(keys.get("reference")).map(each -> reference(each));
    Optional<Path> file =
        Optional.ofNullable(keys.get("file"))
            .map(each -> Parameters.path(each, base, parameters.text(each)));
    Buffers.Expect expect =
        new Buffers.Expect(
            reference,
            Optional.ofNullable(keys.get("value")).map(each -> value(each)),
            file,
            tolerance(keys.get("absolute")),
            tolerance(keys.get("relative")),
            at);
    return reference.filter(NONE::equals).isPresent() ? Optional.empty() : Optional.of(expect);
  }

  /** Names stand for the elements of the inputs. */
  private Buffers.Formula value(Located at) {
    Set<String> names = new LinkedHashSet<>();
    inputs.forEach(input -> names.add(input.name()));
    return formula(parameters.text(at), names, at);
  }

  private String reference(Located at) {
    String name = parameters.text(at);
    if (!name.equals(NONE) && !References.NAMES.contains(name)) {
      throw at.error("'" + name + "' is none of none, " + String.join(", ", References.NAMES));
    }
    return name;
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
