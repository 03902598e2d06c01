package io.isle.apps.blockhash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.Capability;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockhashActionTest {
  private static final int BLOCK = 100_000;

  private final BlockhashAction action = new BlockhashAction();

  /** A step over bytes, which remembers what it is told. */
  private final class FakeStep implements ActionStep {
    final Map<String, Double> measures = new HashMap<>();
    final List<String> printed = new ArrayList<>();
    final Map<String, byte[]> files;
    long bytes;
    long blocks;
    long flips;

    FakeStep(byte[] file, String hashes) {
      files = Map.of("file", file, "hashes", hashes.getBytes(StandardCharsets.US_ASCII));
    }

    FakeStep ran() throws Exception {
      action.run(this);
      return this;
    }

    @Override
    public boolean scheduleOver() {
      return true;
    }

    @Override
    public String job() {
      return "1";
    }

    @Override
    public String stream() {
      return "main";
    }

    @Override
    public String name() {
      return "check";
    }

    @Override
    public String group() {
      return "default";
    }

    @Override
    public String device() {
      return "soft0";
    }

    @Override
    public Capability capability() {
      throw new UnsupportedOperationException();
    }

    @Override
    public ActionValues values() {
      return new ActionValues(
          Map.of("file", "/data", "hashes", "/sums", "block", Integer.toString(BLOCK)));
    }

    @Override
    public InputStream read(String parameter) {
      if (parameter.equals("hashes") && flips > 0) {
        action.fault(this, "flip", flips, 0);
      }
      return new ByteArrayInputStream(files.get(parameter));
    }

    @Override
    public OutputStream write(String parameter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void done(long doneBytes, long doneBlocks) {
      bytes += doneBytes;
      blocks += doneBlocks;
    }

    @Override
    public void measure(String name, double value) {
      assertTrue(action.measures().contains(name), name);
      measures.put(name, value);
    }

    @Override
    public void print(String line) {
      printed.add(line);
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static String hashes(byte[] bytes) throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int at = 0; at < bytes.length; at += BLOCK) {
      byte[] block = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + BLOCK));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(block);
      lines.append(HexFormat.of().formatHex(digest)).append("  ").append(at / BLOCK).append('\n');
    }
    return lines.toString();
  }

  private static void measured(FakeStep step, double blocks, double wrong) {
    assertEquals(Map.of("blocks", blocks, "wrong", wrong), step.measures);
    assertEquals(wrong > 0 ? 1 : 0, step.printed.size(), step.printed.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 7})
  void rightHashesOfEverySizeAreRight(int size) throws Exception {
    byte[] bytes = random(size);
    FakeStep step = new FakeStep(bytes, hashes(bytes)).ran();
    measured(step, Math.ceilDiv(size, BLOCK), 0);
    assertEquals(size, step.bytes);
    assertEquals(Math.ceilDiv(size, BLOCK), step.blocks);
  }

  @Test
  void aBlockThatDiffersIsFoundAndNamed() throws Exception {
    byte[] bytes = random(3 * BLOCK);
    String hashes = hashes(bytes);
    bytes[BLOCK + 17] ^= 4;
    FakeStep step = new FakeStep(bytes, hashes).ran();
    measured(step, 3, 1);
    assertTrue(step.printed.getFirst().startsWith("line 2 of /sums is '"), step.printed.toString());
  }

  @Test
  void missingFurtherAndLongLinesAreWrong() throws Exception {
    byte[] bytes = random(3 * BLOCK);
    String hashes = hashes(bytes);
    int line = hashes.indexOf('\n') + 1;
    measured(new FakeStep(bytes, hashes.substring(0, 2 * line)).ran(), 3, 1);
    measured(new FakeStep(bytes, "").ran(), 3, 3);
    measured(new FakeStep(bytes, hashes + "more\nand more").ran(), 3, 2);
    measured(
        new FakeStep(bytes, hashes.replaceFirst("0\n", "0" + "x".repeat(500) + "\n")).ran(), 3, 1);
    measured(new FakeStep(bytes, hashes.substring(0, hashes.length() - 1)).ran(), 3, 0);
  }

  @Test
  void aPlannedFlipIsNoticed() throws Exception {
    byte[] bytes = random(4 * BLOCK);
    FakeStep step = new FakeStep(bytes, hashes(bytes));
    step.flips = 2;
    measured(step.ran(), 4, 2);
    JobException over = assertThrows(JobException.class, () -> action.fault(step, "flip", 1, 0));
    assertEquals(Errno.ENOENT, over.code());
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    byte[] bytes = random(4 * BLOCK);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> new FakeStep(bytes, hashes(bytes)).ran());
  }
}
