package io.isle.faces.shell.spin.run;

import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.RunObserver;
import io.isle.api.spin.RunTrap;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Takes what comes out of a run: frames and memory to files, the begin of text and traps. */
final class RunOutput implements RunObserver {
  /** Characters of text that are kept. */
  static final int MOST_TEXT = 1 << 20;

  /** Traps that are kept. */
  static final int MOST_TRAPS = 1000;

  private final CaptureReader reader;
  private final FrameFile out;
  private final FrameFile others;
  private final List<Dump> dumps;
  private final StringBuilder text = new StringBuilder();
  private final List<RunTrap> traps = new ArrayList<>();
  private long textLost;

  /**
   * @param reader at the present packet
   * @param out for sent frames; null for none
   * @param others for packets that match no rules; null for none
   */
  RunOutput(CaptureReader reader, FrameFile out, FrameFile others, List<Dump> dumps) {
    this.reader = reader;
    this.out = out;
    this.others = others;
    this.dumps = dumps;
  }

  @Override
  public void sent(MemorySegment memory, long offset, int length) throws IOException {
    if (out != null) {
      out.write(reader.timeNs(), memory, offset, length);
    }
  }

  @Override
  public void unmatched(MemorySegment memory, int length) throws IOException {
    if (others != null) {
      others.write(reader.timeNs(), memory, 0, length);
    }
  }

  @Override
  public void trap(RunTrap trap) {
    if (traps.size() < MOST_TRAPS) {
      traps.add(trap);
    }
  }

  @Override
  public void text(String printed) {
    int kept = Math.min(printed.length(), MOST_TEXT - text.length());
    text.append(printed, 0, kept);
    textLost += printed.length() - kept;
  }

  @Override
  public void memory(MemoryRegion region, MemorySegment bytes) throws IOException {
    for (Dump dump : dumps) {
      if (dump.region() == region) {
        dump.write(bytes);
      }
    }
  }

  /** What handlers have printed, as far as it is kept. */
  String text() {
    return text.toString();
  }

  /** Characters that are not kept. */
  long textLost() {
    return textLost;
  }

  /** The first traps. */
  List<RunTrap> traps() {
    return traps;
  }
}
