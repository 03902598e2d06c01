package io.isle.mltool;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.engine.ReferenceEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code eval FILE FILE.csv [--reference]}: the answers of a model to the rows of a table. The
 * first columns are the features. If there are at least as many more as the model has outputs, the
 * last ones are what came true, and the errors are told. A first line of names is skipped.
 */
final class Eval implements Verb {
  private static final String REFERENCE = "--reference";

  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, Set.of(), Set.of(REFERENCE));
    if (words.others().size() != 2) {
      throw new UsageException("eval takes a model file and a CSV file");
    }
    Inspection inspection = Inspection.of(Path.of(words.others().getFirst()), tool);
    ModelEngine engine =
        words.has(REFERENCE)
            ? new ReferenceEngine(inspection.body().form())
            : inspection.body().engine();
    Rows rows =
        new Rows(
            engine,
            inspection.model().header().features(),
            inspection.model().header().outputs(),
            tool);
    Path table = Path.of(words.others().get(1));
    try (BufferedReader in = Files.newBufferedReader(table, StandardCharsets.UTF_8)) {
      rows.read(in, table);
    }
    rows.tell();
    return 0;
  }

  private static final class Rows {
    private final ModelEngine engine;
    private final int features;
    private final Tool tool;
    private final ModelRun run = new ModelRun();
    private final int[] out;
    private final double[] errors;
    private long count;
    private long abstained;
    private long compared;
    private long equal;

    Rows(ModelEngine engine, int features, int outputs, Tool tool) {
      this.engine = engine;
      this.features = features;
      this.tool = tool;
      this.out = new int[outputs];
      this.errors = new double[outputs];
    }

    void read(BufferedReader in, Path table) throws IOException {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        boolean names = number == 1 && line.chars().anyMatch(Character::isLetter);
        if (!names && !line.isBlank()) {
          answer(values(line, table + ":" + number));
        }
      }
    }

    private int[] values(String line, String place) throws IOException {
      String[] words = line.split(",", -1);
      if (words.length < features) {
        throw new IOException(
            place + ": has " + words.length + " columns, the model " + features + " features");
      }
      int[] values = new int[words.length];
      for (int i = 0; i < values.length; i++) {
        try {
          values[i] = Integer.parseInt(words[i].strip());
        } catch (NumberFormatException e) {
          throw new IOException(place + ": '" + words[i] + "' is not a whole number", e);
        }
      }
      return values;
    }

    private void answer(int[] values) {
      count++;
      boolean answered = engine.run(values, out, run) == ModelEngine.DONE;
      if (!answered) {
        abstained++;
      } else if (values.length >= features + out.length) {
        compare(values);
      }
      if (!tool.json()) {
        tool.out()
            .println(
                answered
                    ? Arrays.stream(out).mapToObj(String::valueOf).collect(Collectors.joining(","))
                    : "abstained");
      }
    }

    private void compare(int[] values) {
      compared++;
      boolean same = true;
      for (int i = 0; i < out.length; i++) {
        long error = Math.abs((long) out[i] - values[values.length - out.length + i]);
        errors[i] += error;
        same &= error == 0;
      }
      equal += same ? 1 : 0;
    }

    void tell() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("rows", count);
      fields.put("abstained", abstained);
      fields.put("compared", compared);
      if (compared > 0) {
        fields.put("equal", equal);
        fields.put(
            "mean_errors", Arrays.stream(errors).map(sum -> sum / compared).boxed().toList());
      }
      if (tool.json()) {
        tool.out().println(Json.object(fields));
      } else {
        fields.forEach((name, value) -> tool.out().println("# " + name + " " + value));
      }
    }
  }
}
