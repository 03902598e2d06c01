package io.isle.api.device;

/**
 * Formats of pixels in a framebuffer: little-endian words, lines one after the other without gaps.
 */
public enum PixelFormat {
  /** 32 bits: blue in the lowest 8, then green and red; the upper 8 are ignored. */
  XRGB8888(0x34325258, 4),
  /** 16 bits: blue in the lowest 5, then 6 of green and 5 of red. */
  RGB565(0x36314752, 2);

  private final int code;
  private final int bytes;

  PixelFormat(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /** The four characters that name it in the driver ABI. */
  public int code() {
    return code;
  }

  /** Bytes of a pixel. */
  public int bytes() {
    return bytes;
  }
}
