package io.isle.mltool;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelKeys;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code verify FILE KEY.pub...}: whether one of these keys has signed a sound model file. With
 * {@code --alg} or {@code --batch} single signatures are verified, see {@link BareVerify} and
 * {@link BatchVerify}.
 */
final class Verify implements Verb {
  private static final String BATCH = "--batch";

  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, BareVerify.OPTIONS, Set.of(BATCH));
    if (words.has(BATCH)) {
      if (args.size() != 1 || tool.json()) {
        throw new UsageException(
            "verify --batch takes no other argument; its output is JSON, a line each");
      }
      return BatchVerify.run(tool);
    }
    if (words.hasOptions()) {
      return BareVerify.run(words, tool);
    }
    if (words.others().size() < 2) {
      throw new UsageException("verify takes a model file and the public keys to trust");
    }
    return file(Path.of(words.others().getFirst()), words.others(), tool);
  }

  private static int file(Path file, List<String> words, Tool tool) throws IOException {
    List<TrustedKey> keys = new ArrayList<>();
    for (String key : words.subList(1, words.size())) {
      keys.add(key(Path.of(key)));
    }
    byte[] bytes = ModelFiles.read(file);
    ProofSettings settings =
        ProofSettings.any(keys, tool.clock().instant())
            .withMaxParams(ModelFiles.MAX_PARAM_BYTES)
            .withBudget(Long.MAX_VALUE);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file);
    try {
      ProvenModel model = ModelProof.proveButTime(bytes, settings);
      fields.put("valid", true);
      fields.putAll(Descriptions.fields(model));
      String label = model.signer().orElseThrow().label();
      tell(tool, fields, Descriptions.line(model) + ", signed by key " + label);
      return 0;
    } catch (ModelException e) {
      fields.put("valid", false);
      fields.put("fault", e.fault());
      fields.put("reason", e.getMessage());
      tell(tool, fields, e.getMessage());
      return 1;
    }
  }

  private static void tell(Tool tool, Map<String, Object> fields, String text) {
    tool.out().println(tool.json() ? Json.object(fields) : fields.get("file") + ": " + text);
  }

  private static TrustedKey key(Path file) throws IOException {
    try {
      return ModelKeys.key(file);
    } catch (SigningException e) {
      throw new IOException(file + " is not a key file: " + e.getMessage(), e);
    }
  }
}
