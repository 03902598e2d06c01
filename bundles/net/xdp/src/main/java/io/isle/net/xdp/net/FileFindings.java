package io.isle.net.xdp.net;

import io.isle.api.net.NetFinding;
import java.util.ArrayList;
import java.util.List;

/** Says in words what becomes of the frames of a file. */
final class FileFindings {
  private static final String FILE = "file";

  private FileFindings() {}

  /**
   * What {@code net:explain} tells of the files of a net.
   *
   * @param name of the file
   * @param waiting what the file waits for; empty if it does not wait
   */
  static List<NetFinding> of(FileMover file, String name, String waiting) {
    List<NetFinding> findings = new ArrayList<>();
    findings.add(progress(file, name, waiting));
    if (file.framesOfOthers() > 0) {
      findings.add(
          new NetFinding(
              true,
              "program",
              file.framesOfOthers()
                  + " frames are for other ports, addresses or protocols: with an interface, the"
                  + " kernel gets such frames"));
    }
    if (file.framesSkipped() > 0) {
      findings.add(
          new NetFinding(
              false,
              "skipped",
              file.framesSkipped()
                  + " frames are not of Ethernet, or have more than "
                  + FileMover.MOST_BYTES
                  + " bytes"));
    }
    return findings;
  }

  private static NetFinding progress(FileMover file, String name, String waiting) {
    long frames = file.framesRead() + file.framesOfOthers() + file.framesSkipped();
    if (!file.failure().isEmpty()) {
      return new NetFinding(false, FILE, "ended behind " + frames + " frames: " + file.failure());
    }
    if (!waiting.isEmpty()) {
      return new NetFinding(false, FILE, name + " is not read yet: " + waiting);
    }
    return new NetFinding(
        true,
        FILE,
        file.hasEnded()
            ? "all frames of " + name + " were read, " + frames + "; net:reload reads them again"
            : frames + " frames of " + name + " were read so far");
  }
}
