package io.isle.api.device;

import java.util.List;
import java.util.Optional;

/**
 * What a screen says of itself: the base block of an EDID 1.3 or 1.4 (VESA E-EDID A2). Blocks after
 * it are checked and counted, not read. Immutable.
 *
 * @param maker three capital letters
 * @param product the maker's number for it, 0 to 65535
 * @param serial 0 if it has none; 32 bits, unsigned
 * @param year of making or of the model
 * @param revision 3 or 4
 * @param widthMillimeters of the picture; 0 if not known, as for a projector
 * @param heightMillimeters likewise
 * @param name printable ASCII; empty if it has none
 * @param timings that are described in full; the first is the preferred one
 * @param range of refresh rates and clocks, if it has one
 * @param extensions blocks that follow
 */
public record Edid(
    String maker,
    int product,
    long serial,
    int year,
    int revision,
    boolean digital,
    int widthMillimeters,
    int heightMillimeters,
    String name,
    List<DisplayMode> timings,
    Optional<Range> range,
    int extensions) {
  /** Bytes of a block. */
  public static final int BLOCK = 128;

  /** Most bytes that a driver gives. */
  public static final int MAX_BYTES = 256 * BLOCK;

  public Edid {
    timings = List.copyOf(timings);
  }

  /**
   * What a screen can follow.
   *
   * @param minHertz frames in a second, as maxHertz
   * @param minKilohertz lines in a millisecond, as maxKilohertz
   * @param maxClockMegahertz 0 if not said
   */
  public record Range(
      int minHertz, int maxHertz, int minKilohertz, int maxKilohertz, int maxClockMegahertz) {}

  /**
   * Reads the bytes of a screen.
   *
   * @throws DeviceException EPROTO naming what is wrong, and the block and byte where it is
   */
  public static Edid of(byte[] bytes) {
    return new EdidReader(bytes).read();
  }
}
