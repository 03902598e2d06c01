package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** The blockhash job, and what it has to print. */
final class Blocks {
  static final int BLOCK = 1 << 20;
  static final String JOB = Platform.root().resolve("examples/blockhash/job.yml").toString();

  private Blocks() {}

  static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  /** The same job, bound to one device. */
  static Path jobOn(String device, Path folder) throws IOException {
    String text = Files.readString(Path.of(JOB)).replace("device: any", "device: " + device);
    return Files.writeString(folder.resolve(device + ".yml"), text);
  }

  /** Standard output of a job that prints, without the summary. */
  static List<String> printed(Platform.Result result) {
    return result.out().lines().filter(line -> !line.startsWith("#")).toList();
  }

  /** A line a block: its hash, two spaces, its index. */
  static List<String> expected(byte[] bytes) throws Exception {
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += BLOCK) {
      byte[] block = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + BLOCK));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(block);
      lines.add(HexFormat.of().formatHex(digest) + "  " + at / BLOCK);
    }
    return lines;
  }
}
