package io.isle.faces.shell.net.program;

import io.isle.api.net.FrameVerdict;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;

/**
 * A verdict about a frame of a file.
 *
 * @param file as the user named it
 * @param frame number in the file, from 1
 * @param bytes of the frame
 */
record VerdictRow(String file, long frame, long bytes, FrameVerdict verdict) {
  static Table<VerdictRow> table() {
    return new Table<VerdictRow>("No frames.")
        .column("file", VerdictRow::file)
        .column("frame", VerdictRow::frame)
        .column("bytes", VerdictRow::bytes)
        .column("verdict", row -> row.verdict().text())
        .whole()
        .column("ns", "time", row -> row.verdict().nanos(), Sizes::nanos);
  }
}
