package io.isle.lib.edid;

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
    List<Timing> timings,
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
   * A picture that a screen takes: a line has width and the three horizontal parts in pixels, a
   * frame has height and the three vertical parts in lines.
   *
   * @param width pixels of the picture
   * @param height lines of the picture
   * @param refreshMillihertz frames in a thousand seconds
   * @param clockKilohertz pixels in a millisecond
   * @param hfp horizontal front porch; hsw and hbp are sync width and back porch
   * @param vfp vertical front porch; vsw and vbp are sync width and back porch
   * @param preferred the screen's own choice
   */
  public record Timing(
      int width,
      int height,
      int refreshMillihertz,
      int clockKilohertz,
      int hfp,
      int hsw,
      int hbp,
      int vfp,
      int vsw,
      int vbp,
      boolean preferred) {}

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
   * @throws EdidException naming what is wrong, and the block and byte where it is
   */
  public static Edid of(byte[] bytes) {
    return new EdidReader(bytes).read();
  }
}
