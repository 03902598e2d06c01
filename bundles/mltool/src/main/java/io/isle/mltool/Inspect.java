package io.isle.mltool;

import io.isle.lib.model.ProvenModel;
import io.isle.lib.model.TrainedFeature;
import io.isle.lib.model.TrainedOutput;
import io.isle.lib.model.engine.Coefficients;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code inspect FILE}: what a sound model file says. Signatures are not verified. */
final class Inspect implements Verb {
  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, Set.of(), Set.of());
    if (words.others().size() != 1) {
      throw new UsageException("inspect takes a model file");
    }
    Path file = Path.of(words.others().getFirst());
    Map<String, Object> fields = fields(file, Inspection.of(file, tool));
    if (tool.json()) {
      tool.out().println(Json.object(fields));
    } else {
      fields.forEach((name, value) -> tell(tool, name, value));
    }
    return 0;
  }

  private static void tell(Tool tool, String name, Object value) {
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        tool.out().printf("%-16s %s%n", name + "[" + i + "]", line(list.get(i)));
      }
    } else {
      tool.out().printf("%-16s %s%n", name, line(value));
    }
  }

  private static String line(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return String.valueOf(value);
    }
    StringBuilder text = new StringBuilder();
    map.forEach((name, part) -> text.append(name).append(' ').append(part).append("  "));
    return text.toString().strip();
  }

  private static Map<String, Object> fields(Path file, Inspection inspection) {
    ProvenModel model = inspection.model();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file);
    fields.put("type", model.header().type().text());
    fields.put("decision", model.decision());
    fields.put("schema", "%016x".formatted(model.schema()));
    fields.put("serial", model.serial());
    fields.put("trained_at", model.trainedAt());
    fields.put("sha256", model.header().sha256());
    fields.put("signature", inspection.mlDsaBytes() == 0 ? "none" : "not verified");
    fields.put("bytes", model.header().paramBytes());
    fields.put("max_latency_ns", model.header().maxLatencyNs());
    fields.put("bound_ns", Coefficients.ofThisMachine().boundNs(inspection.body().cost()));
    fields.put("model", shape(inspection));
    fields.put("features", model.features().stream().map(Inspect::feature).toList());
    fields.put("outputs", model.outputs().stream().map(Inspect::output).toList());
    return fields;
  }

  private static Map<String, Object> shape(Inspection inspection) {
    Map<String, Object> shape = new LinkedHashMap<>();
    switch (inspection.body().form()) {
      case TreeForm form -> {
        shape.put("trees", form.roots().length);
        shape.put("nodes", form.nodes());
        shape.put("rows", form.rows().length / form.outputs());
        shape.put("loads", inspection.body().cost().loads());
      }
      case TableForm form -> {
        shape.put("axes", form.axes().size());
        shape.put("cells", form.cells().length / form.outputs());
      }
      case LinearForm form -> shape.put("weights", form.weights().length);
      case NetForm form -> {
        List<Object> widths = new ArrayList<>(List.of(form.offsets().length));
        form.layers().forEach(layer -> widths.add(layer.outputs()));
        shape.put("neurons", widths);
        shape.put("macs", form.macs());
      }
    }
    return shape;
  }

  private static Map<String, Object> feature(TrainedFeature one) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("min", one.min());
    fields.put("max", one.max());
    fields.put("mean", one.mean());
    fields.put("stddev", one.stddev());
    return fields;
  }

  private static Map<String, Object> output(TrainedOutput one) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("min", one.min());
    fields.put("max", one.max());
    return fields;
  }
}
