package io.isle.sdk;

import io.isle.api.base.IsleException;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.DriverStatement;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.KeyPairFiles;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code isle-sign}: makes keys, signs bundles of native drivers and of handlers, verifies them.
 * Exit code: 0 all well, 1 it failed, 2 wrong arguments.
 */
public final class SignTool {
  private static final String USAGE =
      """
      usage: isle-sign keys NAME [--days N]    writes NAME.key (secret) and NAME.pub (to be trusted)
             isle-sign sign KEY-FILE JAR       signs a bundle of a native driver or of handlers, in place
             isle-sign verify JAR PUB-FILE...  whether one of these keys has signed it
      """;
  private static final int MAX_KEY_BYTES = 64 << 10;
  private static final int DAYS = 365;
  private static final int MOST_DAYS = 36_500;

  private final PrintStream out;
  private final Clock clock;

  SignTool(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  /** What was asked for cannot be understood. */
  private static final class Usage extends Exception {
    private static final long serialVersionUID = 1L;

    Usage(String message) {
      super(message);
    }
  }

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err, Clock.systemUTC()));
  }

  /** What {@link #main} does, without ending the JVM. */
  static int run(List<String> args, PrintStream out, PrintStream err, Clock clock) {
    try {
      new SignTool(out, clock).run(args);
      return 0;
    } catch (Usage e) {
      err.println("isle-sign: " + e.getMessage());
      err.print(USAGE);
      return 2;
    } catch (FileAlreadyExistsException e) {
      err.println("isle-sign: " + e.getMessage() + " exists already");
    } catch (NoSuchFileException e) {
      err.println("isle-sign: " + e.getMessage() + " does not exist");
    } catch (IOException | IsleException e) {
      err.println("isle-sign: " + e.getMessage());
    }
    return 1;
  }

  private void run(List<String> args) throws IOException, Usage {
    if (args.equals(List.of("--help"))) {
      out.print(USAGE);
      return;
    }
    String verb = args.isEmpty() ? "" : args.getFirst();
    List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
    switch (verb) {
      case "keys" -> keys(rest);
      case "sign" -> sign(rest);
      case "verify" -> verify(rest);
      default -> throw new Usage(verb.isEmpty() ? "a verb is missing" : "unknown verb " + verb);
    }
  }

  private void keys(List<String> args) throws IOException, Usage {
    boolean dated = args.size() == 3 && args.get(1).equals("--days");
    if (args.size() != 1 && !dated) {
      throw new Usage("keys takes a name and, if wanted, --days N");
    }
    Path name = Path.of(args.getFirst());
    if (name.getFileName() == null) {
      throw new Usage("keys: '" + name + "' is not a file name");
    }
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    LocalDate last = today.plusDays(dated ? days(args.get(2)) : DAYS);
    SigningKey key = SigningKey.generate(new KeyInfo(name.getFileName().toString(), today, last));
    KeyPairFiles files = KeyPairFiles.of(name);
    files.write(key);
    out.printf(
        "%s: secret%n%s: key %s, to %s%n",
        files.secret(), files.trusted(), key.publicKey().label(), last);
  }

  private static int days(String text) throws Usage {
    try {
      int days = Integer.parseInt(text);
      if (days >= 1 && days <= MOST_DAYS) {
        return days;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new Usage("--days: '" + text + "' is not a number from 1 to " + MOST_DAYS);
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_KEY_BYTES);
    }
  }

  private void sign(List<String> args) throws IOException, Usage {
    if (args.size() != 2) {
      throw new Usage("sign takes a key file and a jar");
    }
    SigningKey key = KeyPairFiles.readSecret(Path.of(args.getFirst()));
    key.publicKey().requireValid(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
    DriverJar jar = new DriverJar(Path.of(args.get(1)));
    DriverStatement statement = jar.statement();
    jar.sign(DriverSignature.sign(statement, key));
    out.printf(
        "%s: %s %s, signed by key %s%n",
        jar.file(), statement.name(), statement.version(), key.publicKey().label());
  }

  private void verify(List<String> args) throws IOException, Usage {
    if (args.size() < 2) {
      throw new Usage("verify takes a jar and the public keys to trust");
    }
    DriverJar jar = new DriverJar(Path.of(args.getFirst()));
    DriverSignature signature = jar.signature();
    List<String> others = new ArrayList<>();
    for (String file : args.subList(1, args.size())) {
      TrustedKey key;
      try {
        key = TrustedKey.parse(read(Path.of(file)));
      } catch (IsleException e) {
        throw new IOException(file + " is not a key file: " + e.getMessage(), e);
      }
      if (key.id().equals(signature.keyId())) {
        key.requireValid(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
        signature.verify(key, jar.statement());
        out.printf("%s: signed by key %s%n", jar.file(), key.label());
        return;
      }
      others.add(key.label());
    }
    throw new IOException(
        jar.file()
            + ": signed by key "
            + signature.keyLabel()
            + ", which is not one of "
            + String.join(", ", others));
  }
}
