package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.FrameException;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;

/** The sentences of refused and missing greetings. Pure functions. */
final class Greeting {
  /** Longest time from the begin of a path to the greeting of the peer. */
  static final long LIMIT_NS = 2_000_000_000L;

  private Greeting() {}

  /**
   * Reads a greeting.
   *
   * @return null for an invalid one
   */
  static Hello read(MemorySegment frame, long at) {
    try {
      return Hello.read(frame, at);
    } catch (FrameException e) {
      return null;
    }
  }

  /** Why a frame is no valid greeting. */
  static String fault(MemorySegment frame, long at) {
    try {
      Hello ignored = Hello.read(frame, at);
      return "";
    } catch (FrameException e) {
      return "HELLO: " + e.getMessage();
    }
  }

  static String wrongDialect(IsleSpec spec) {
    return spec.neighbour()
        + " does not speak dialect isle: set "
        + spec.setting()
        + " = leap on this node, or "
        + spec.settingThere()
        + " = isle on "
        + spec.neighbour();
  }

  static String silent(IsleSpec spec) {
    return "no greeting of "
        + spec.neighbour()
        + " within 2 s: its program hangs, or speaks dialect leap; then set "
        + spec.setting()
        + " = leap on this node, or "
        + spec.settingThere()
        + " = isle there";
  }

  static String early(int kind) {
    return "a frame of kind " + kind + " came before the greeting, kind " + IsleFrame.HELLO;
  }
}
