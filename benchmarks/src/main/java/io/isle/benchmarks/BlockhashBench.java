package io.isle.benchmarks;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The blockhash job on a cached 1 GiB file and one compute unit, against {@code openssl dgst
 * -sha256} of the same file. Ours is the time that the job itself reports, on an instance that was
 * started before; the peer's is the wall time of its process.
 */
final class BlockhashBench implements Cases {
  private static final int CHUNK = 1 << 20;
  private static final long BYTES = 1L << 30;
  private static final int PAIRS = 15;
  private static final double GOAL = 0.9;
  private static final Pattern ELAPSED = Pattern.compile("\"elapsed_ns\"\\s*:\\s*(\\d+)");

  private final Settings settings;
  private final PrintStream progress;
  private final long bytes;
  private final int pairs;

  BlockhashBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
    bytes = settings.size(BYTES, (long) CHUNK);
    pairs = settings.size(PAIRS, 1);
  }

  @Override
  public List<String> rows() {
    return List.of("blockhash");
  }

  @Override
  public void checkPeers() {
    if (!Commands.exists("openssl")) {
      throw new PeerMissingException("openssl is missing: apt-get install openssl");
    }
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    Path folder = settings.newFolder();
    Path file = folder.resolve("data");
    try {
      write(file);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      Files.delete(folder);
      throw e;
    }
    try (Instance instance = new Instance(settings, List.of(folder))) {
      return List.of(measure(file, instance));
    }
  }

  private Row measure(Path file, Instance instance) throws IOException, InterruptedException {
    String[] job = {
      "run",
      settings.root().resolve("examples/blockhash/job.yml").toString(),
      "--set",
      "input=" + file,
      "--json"
    };
    List<String> peer = List.of("openssl", "dgst", "-sha256", file.toString());
    if (!settings.smoke()) {
      String warm = instance.launcher(job) + Commands.output(peer);
      progress.println("dispatch: blockhash, warm (" + warm.length() + " characters printed)");
    }
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      progress.printf("dispatch: blockhash pair %d of %d%n", pair + 1, pairs);
      Matcher elapsed = ELAPSED.matcher(instance.launcher(job));
      if (!elapsed.find()) {
        throw new IOException("the job's result lacks elapsed_ns");
      }
      ours[pair] = bytes / (Long.parseLong(elapsed.group(1)) / 1e9);
      long start = System.nanoTime();
      String ignored = Commands.output(peer);
      theirs[pair] = bytes / ((System.nanoTime() - start) / 1e9);
    }
    return Row.against(
        "dispatch", "blockhash", "/s", "higher", ours, theirs, "openssl dgst -sha256", GOAL);
  }

  private void write(Path file) throws IOException {
    byte[] chunk = new byte[CHUNK];
    SplittableRandom random = new SplittableRandom(1);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long written = 0; written < bytes; written += chunk.length) {
        random.nextBytes(chunk);
        out.write(chunk);
      }
    }
  }
}
