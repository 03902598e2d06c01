package io.isle.lib.drive;

/** Follows a drive, on the thread that runs it. */
public interface DriveWatch {
  /** About ten times a second. */
  void progress(DriveCounters counters);

  /** A packet has no reply. */
  void lost(Loss loss);
}
