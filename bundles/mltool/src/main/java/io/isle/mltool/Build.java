package io.isle.mltool;

import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.model.body.ModelBody;
import io.isle.lib.model.engine.Coefficients;
import io.isle.mltool.text.ModelText;
import io.isle.mltool.text.TextException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code build FILE.json [--out FILE]}: makes a model file, without signatures, of a text. */
final class Build implements Verb {
  private static final String OUT = "--out";
  private static final String TEXT_SUFFIX = ".json";
  private static final int MOST_TEXT_BYTES = 256 << 20;

  /** Room for slower machines than this one. */
  private static final int ROOM = 4;

  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, Set.of(OUT), Set.of());
    if (words.others().size() != 1) {
      throw new UsageException("build takes a JSON file");
    }
    Path from = Path.of(words.others().getFirst());
    Path to = words.value(OUT).map(Path::of).orElseGet(() -> beside(from));
    ModelText text = read(from);
    byte[] file = file(text);
    ProvenModel model =
        ModelProof.prove(
            file,
            ProofSettings.any(List.of(), tool.clock().instant())
                .unsignedToo()
                .withMaxParams(ModelFiles.MAX_PARAM_BYTES)
                .forDecision(text.spec()));
    ModelFiles.write(to, file);
    tell(tool, to, model);
    return 0;
  }

  private static Path beside(Path text) {
    String name = text.getFileName().toString();
    String stem =
        name.endsWith(TEXT_SUFFIX) ? name.substring(0, name.length() - TEXT_SUFFIX.length()) : name;
    return text.resolveSibling(stem + ModelFile.SUFFIX);
  }

  private static ModelText read(Path from) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(from)) {
      bytes = in.readNBytes(MOST_TEXT_BYTES + 1);
    }
    if (bytes.length > MOST_TEXT_BYTES) {
      throw new IOException(from + " has more than " + MOST_TEXT_BYTES + " bytes");
    }
    try {
      return ModelText.read(bytes);
    } catch (TextException e) {
      throw new UsageException(from + ": " + e.getMessage());
    }
  }

  private static byte[] file(ModelText text) {
    byte[] bytes = text.form().bytes();
    int features = text.spec().features().size();
    int outputs = text.spec().outputs().size();
    ModelBody body = ModelBody.prove(text.form().type(), ByteBuffer.wrap(bytes), features, outputs);
    long boundNs = Coefficients.ofThisMachine().boundNs(body.cost());
    long latencyNs = text.maxLatencyNs().orElse(Math.min(ROOM * boundNs, text.spec().budgetNs()));
    return ModelFile.seal(
        text.form().type(), features, outputs, latencyNs, text.parameters().bytes(bytes));
  }

  private static void tell(Tool tool, Path file, ProvenModel model) {
    if (tool.json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", file);
      fields.putAll(Descriptions.fields(model));
      fields.put("bound_ns", model.boundNs());
      fields.put("max_latency_ns", model.header().maxLatencyNs());
      tool.out().println(Json.object(fields));
    } else {
      tool.out()
          .printf(
              "%s: %s, at most %d ns here, %d ns by its header%n",
              file, Descriptions.line(model), model.boundNs(), model.header().maxLatencyNs());
    }
  }
}
