package io.isle.spin.jobs;

import io.isle.api.jobs.ActionStep;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.RunObserver;
import io.isle.api.spin.RunPackets;
import io.isle.api.spin.RunTrap;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.PcapWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The packets of a step, and where what comes out goes. */
final class StepObserver implements RunPackets, RunObserver {
  private static final long MOST_NS = (1L << 32) * 1_000_000_000L - 1;
  private static final int MOST_LINES = 100;
  private static final int PART = 1 << 16;

  private final ActionStep step;
  private final CaptureReader reader;
  private final PcapWriter out;
  private final PcapWriter others;
  private int lines;

  StepObserver(ActionStep step, CaptureReader reader) throws IOException, InterruptedException {
    this.step = step;
    this.reader = reader;
    out = writer(SpinAction.OUT);
    others = writer(SpinAction.UNMATCHED);
  }

  private PcapWriter writer(String parameter) throws IOException, InterruptedException {
    return SpinAction.isWanted(step, parameter)
        ? new PcapWriter(
            new BufferedOutputStream(step.write(parameter)),
            reader.linkType(),
            CaptureReader.MAX_FRAME_BYTES)
        : null;
  }

  @Override
  public boolean next() throws IOException {
    boolean more = reader.next();
    if (more) {
      step.done(reader.length(), 1);
    }
    return more;
  }

  @Override
  public MemorySegment memory() {
    return reader.memory();
  }

  @Override
  public int length() {
    return reader.length();
  }

  @Override
  public void sent(MemorySegment memory, long offset, int length) throws IOException {
    write(out, memory, offset, length);
  }

  @Override
  public void unmatched(MemorySegment memory, int length) throws IOException {
    write(others, memory, 0, length);
  }

  private void write(PcapWriter writer, MemorySegment memory, long offset, int length)
      throws IOException {
    if (writer != null) {
      writer.write(Math.clamp(reader.timeNs(), 0, MOST_NS), memory, offset, length);
    }
  }

  @Override
  public void trap(RunTrap trap) {
    print(
        "trap: packet %d, handler %s, HPU %d: %s%s"
            .formatted(
                trap.packet(),
                trap.handler(),
                trap.hpu(),
                trap.cause(),
                trap.function().isEmpty() ? "" : ", in " + trap.function()));
  }

  @Override
  public void text(String text) {
    text.lines().forEach(this::print);
  }

  private void print(String line) {
    if (lines < MOST_LINES) {
      step.print(line);
    } else if (lines == MOST_LINES) {
      step.print("(further lines are left out)");
    }
    lines++;
  }

  @Override
  public void memory(MemoryRegion region, MemorySegment bytes) throws IOException {
    if (!SpinAction.isWanted(step, region.text())) {
      return;
    }
    byte[] part = new byte[PART];
    OutputStream stream = open(region.text());
    for (long at = 0; at < bytes.byteSize(); at += PART) {
      int length = (int) Math.min(PART, bytes.byteSize() - at);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, part, 0, length);
      stream.write(part, 0, length);
    }
    stream.flush();
  }

  private OutputStream open(String parameter) throws IOException {
    try {
      return step.write(parameter);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** All frames are written. */
  void finish() throws IOException {
    for (PcapWriter writer : new PcapWriter[] {out, others}) {
      if (writer != null) {
        writer.flush();
      }
    }
  }
}
