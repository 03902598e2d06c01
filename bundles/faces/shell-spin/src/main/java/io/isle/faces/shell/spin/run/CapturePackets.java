package io.isle.faces.shell.spin.run;

import io.isle.api.spin.RunPackets;
import io.isle.faces.shell.Progress;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The packets of a capture, with their number as progress. */
final class CapturePackets implements RunPackets {
  private final CaptureReader reader;
  private final Progress progress;
  private long taken;

  CapturePackets(CaptureReader reader, Progress progress) {
    this.reader = reader;
    this.progress = progress;
  }

  @Override
  public boolean next() throws IOException {
    boolean more = reader.next();
    taken += more ? 1 : 0;
    progress.show(() -> taken + " packets");
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

  /** Packets so far. */
  long taken() {
    return taken;
  }
}
