package io.isle.mltool;

import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.signing.KeyPairFiles;
import io.isle.lib.signing.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code sign FILE KEY.key [--out FILE]}: signs a sound model file. */
final class Sign implements Verb {
  private static final String OUT = "--out";

  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, Set.of(OUT), Set.of());
    if (words.others().size() != 2) {
      throw new UsageException("sign takes a model file and a key file");
    }
    Path from = Path.of(words.others().getFirst());
    SigningKey key = KeyPairFiles.readSecret(Path.of(words.others().get(1)));
    key.publicKey().requireValid(tool.today());
    byte[] signed = ModelFile.open(ModelFiles.read(from), ModelFiles.MAX_PARAM_BYTES).sign(key);
    // a signature under a file that no platform would take is a mistake
    ProvenModel model =
        ModelProof.proveButTime(
            signed,
            ProofSettings.any(List.of(key.publicKey()), tool.clock().instant())
                .withMaxParams(ModelFiles.MAX_PARAM_BYTES)
                .withBudget(Long.MAX_VALUE));
    Path to = Path.of(words.value(OUT).orElse(from.toString()));
    ModelFiles.write(to, signed);
    tell(tool, to, model);
    return 0;
  }

  private static void tell(Tool tool, Path file, ProvenModel model) {
    String label = model.signer().orElseThrow().label();
    if (tool.json()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", file);
      fields.putAll(Descriptions.fields(model));
      tool.out().println(Json.object(fields));
    } else {
      tool.out().printf("%s: %s, signed by key %s%n", file, Descriptions.line(model), label);
    }
  }
}
