package io.isle.api.device;

/** Pixel formats of framebuffers: little-endian words. Lines follow each other without gaps. */
public enum PixelFormat {
  /** 32 bits: blue in the lowest 8 bits, then green and red; the upper 8 bits are ignored. */
  XRGB8888(0x34325258, 4),
  /** 16 bits: blue in the lowest 5 bits, then 6 bits of green and 5 bits of red. */
  RGB565(0x36314752, 2);

  private final int code;
  private final int bytes;

  PixelFormat(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /** The four-character code of the format in the driver ABI. */
  public int code() {
    return code;
  }

  /** Size of a pixel in bytes. */
  public int bytes() {
    return bytes;
  }
}
