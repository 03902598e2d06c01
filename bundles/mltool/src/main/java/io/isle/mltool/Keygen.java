package io.isle.mltool;

import io.isle.lib.signing.Algorithm;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.KeyPairFiles;
import io.isle.lib.signing.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code keygen [NAME] [--ml-dsa 65|87] [--days N]}: writes NAME.key and NAME.pub. */
final class Keygen implements Verb {
  private static final String NAME = "model";
  private static final String SIZE = "--ml-dsa";
  private static final String DAYS = "--days";
  private static final int YEAR = 365;
  private static final int MOST_DAYS = 36_500;
  private static final Map<String, Algorithm> ALGORITHMS =
      Map.of("65", Algorithm.HYBRID, "87", Algorithm.HYBRID_87);

  @Override
  public int run(List<String> args, Tool tool) throws IOException {
    Words words = new Words(args, Set.of(SIZE, DAYS), Set.of());
    if (words.others().size() > 1) {
      throw new UsageException("keygen takes one name");
    }
    Path name = Path.of(words.others().isEmpty() ? NAME : words.others().getFirst());
    if (name.getFileName() == null || name.getFileName().toString().isEmpty()) {
      throw new UsageException("keygen: '" + name + "' is not a file name");
    }
    String size = words.value(SIZE).orElse("65");
    Algorithm algorithm = ALGORITHMS.get(size);
    if (algorithm == null) {
      throw new UsageException(SIZE + ": '" + size + "' is not 65 or 87");
    }
    LocalDate last = tool.today().plusDays(words.number(DAYS, YEAR, MOST_DAYS));
    KeyInfo info = new KeyInfo(name.getFileName().toString(), tool.today(), last);
    SigningKey key = SigningKey.generate(info, algorithm);
    KeyPairFiles files = KeyPairFiles.of(name);
    files.write(key);
    tell(tool, files, key);
    return 0;
  }

  private static void tell(Tool tool, KeyPairFiles files, SigningKey key) {
    if (tool.json()) {
      tool.out()
          .println(
              Json.object(
                  Map.of(
                      "secret", files.secret(),
                      "trusted", files.trusted(),
                      "id", key.publicKey().id(),
                      "algorithm", key.publicKey().algorithm().text(),
                      "not_after", key.publicKey().info().notAfter())));
      return;
    }
    tool.out()
        .printf(
            "%s: secret%n%s: key %s of %s, to %s%n",
            files.secret(),
            files.trusted(),
            key.publicKey().label(),
            key.publicKey().algorithm().text(),
            key.publicKey().info().notAfter());
  }
}
