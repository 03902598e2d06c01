package io.isle.lib.packet.capture;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/**
 * Reads the frames of a capture file from its begin to its end, one at a time. Memory is bounded
 * for any bytes: one frame, its options, and the interfaces of a file. {@link #next} moves to the
 * next frame; the other methods tell about the present one. One thread at a time.
 */
public abstract class CaptureReader implements Closeable {
  /** Most captured bytes of a frame. */
  public static final int MAX_FRAME_BYTES = 262_144;

  /** Time of a frame whose file tells none. */
  public static final long NO_TIME = Long.MIN_VALUE;

  final Input input;
  private final byte[] bytes = new byte[MAX_FRAME_BYTES];
  private final MemorySegment memory = MemorySegment.ofArray(bytes);
  private int length;
  long frames;
  int wireLength;
  long timeNs;
  int linkType;

  CaptureReader(Input input) {
    this.input = input;
  }

  /** Kinds of files. */
  public enum Format {
    /** One kind of frames, with a time. */
    PCAP,
    /** Blocks with options. */
    PCAPNG
  }

  /**
   * The format of a file by its first bytes.
   *
   * @param begin 4 bytes or more
   * @return null for another file
   */
  public static Format format(byte[] begin) {
    if (begin.length < 4) {
      return null;
    }
    int magic = MemorySegment.ofArray(begin).get(Input.BIG_U32, 0);
    if (magic == PcapngReader.SECTION) {
      return Format.PCAPNG;
    }
    return PcapReader.isMagic(magic) ? Format.PCAP : null;
  }

  /**
   * Reads the header of a file.
   *
   * @param stream is read to the end of the last frame, and closed by {@link #close}
   * @param name of the file, for messages
   * @throws CaptureException if the file is no capture
   * @throws IOException if the stream cannot be read
   */
  public static CaptureReader open(InputStream stream, String name) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(stream, 1 << 16);
    buffered.mark(4);
    byte[] begin = buffered.readNBytes(4);
    buffered.reset();
    Input input = new Input(buffered, name);
    switch (format(begin)) {
      case PCAP -> {
        return new PcapReader(input);
      }
      case PCAPNG -> {
        return new PcapngReader(input);
      }
      case null -> throw input.failure("the file begins neither as pcap nor as pcapng");
    }
  }

  /**
   * Moves to the next frame.
   *
   * @return false at the end of the file
   * @throws CaptureException if the file is broken; no frame follows then
   * @throws IOException if the stream cannot be read
   */
  public abstract boolean next() throws IOException;

  /** Number of the frame, from 1. */
  public final long number() {
    return frames;
  }

  /** Begins with the bytes of the frame; the next frame replaces them. */
  public final MemorySegment memory() {
    return memory;
  }

  /** Captured bytes of the frame, 0 to {@link #MAX_FRAME_BYTES}. */
  public final int length() {
    return length;
  }

  /** Bytes of the frame on its wire, of which the file may have fewer; unsigned 32 bits. */
  public final long wireLength() {
    return Integer.toUnsignedLong(wireLength);
  }

  /** Time in nanoseconds since 1970 in UTC; {@link #NO_TIME} where the file tells none. */
  public final long timeNs() {
    return timeNs;
  }

  /** Kind of the frame's first header, such as {@link LinkType#ETHERNET}; 0 to 65535. */
  public final int linkType() {
    return linkType;
  }

  /** The way of the frame through its interface. */
  public Direction direction() {
    return Direction.UNKNOWN;
  }

  /** Index of the frame's interface in its section, from 0. */
  public int interfaceId() {
    return 0;
  }

  /** Name of the interface; empty where the file tells none. */
  public String interfaceName() {
    return "";
  }

  /** Queue of the interface; -1 where the file tells none. */
  public long queue() {
    return -1;
  }

  /** Frames of the interface that were lost since its last frame; 0 where the file tells none. */
  public long lost() {
    return 0;
  }

  /** Comment about the frame; empty without one. */
  public String comment() {
    return "";
  }

  /** Bytes of the file that were read. */
  public final long offset() {
    return input.offset();
  }

  /** Reads the bytes of a frame. */
  final void frame(int captured) throws IOException {
    input.read(bytes, captured);
    length = captured;
    frames++;
  }

  @Override
  public final void close() throws IOException {
    input.close();
  }
}
