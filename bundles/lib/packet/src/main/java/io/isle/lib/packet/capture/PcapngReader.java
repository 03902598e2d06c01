package io.isle.lib.packet.capture;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of the new format: sections in either byte order, interfaces, frames in enhanced, simple
 * and obsolete blocks. Other blocks are skipped.
 */
final class PcapngReader extends CaptureReader {
  static final int SECTION = 0x0A0D0D0A;
  static final int ORDER = 0x1A2B3C4D;
  private static final int INTERFACE = 1;
  private static final int OBSOLETE = 2;
  private static final int SIMPLE = 3;
  private static final int ENHANCED = 6;

  private static final int FRAME_BYTES = 12;
  private static final int MAX_INTERFACES = 4096;
  private static final int SIMPLE_BYTES = 4;
  private static final int ENHANCED_BYTES = 20;

  private static final int FLAGS = 2;
  private static final int DROPS = 4;
  private static final int QUEUE = 6;
  private static final int NAME = 2;
  private static final int RESOLUTION = 9;
  private static final int OFFSET = 14;

  private final List<CapturedInterface> interfaces = new ArrayList<>();
  private final Options options;
  private long blocks;
  private int interfaceId;
  private Direction direction = Direction.UNKNOWN;
  private long queue = -1;
  private long lost;
  private String comment = "";

  PcapngReader(Input input) throws IOException {
    super(input);
    options = new Options(input);
    input.at("section header", 0);
    input.fields(8);
    section();
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      input.at("block", blocks + 1);
      if (!input.head(8)) {
        return false;
      }
      int type = input.u32(0);
      if (type == SECTION) {
        section();
        continue;
      }
      blocks++;
      long total = total(input.u32(4));
      long body = total - FRAME_BYTES;
      boolean frame = false;
      switch (type) {
        case INTERFACE -> addInterface(body);
        case ENHANCED, OBSOLETE -> frame = enhanced(body, type == OBSOLETE);
        case SIMPLE -> frame = simple(body);
        default -> input.skip(body);
      }
      end(total);
      if (frame) {
        return true;
      }
    }
  }

  /** Behind type and length, which is in the order that follows. */
  private void section() throws IOException {
    blocks++;
    int length = input.big32(4);
    input.fields(4);
    input.order(ByteOrder.BIG_ENDIAN);
    if (input.u32(0) == Integer.reverseBytes(ORDER)) {
      input.order(ByteOrder.LITTLE_ENDIAN);
    } else if (input.u32(0) != ORDER) {
      throw input.failure("the byte order mark is neither 1a2b3c4d nor 4d3c2b1a");
    }
    long total = total(input.isBig() ? length : Integer.reverseBytes(length));
    if (total < FRAME_BYTES + 16) {
      throw input.failure("block length " + total + " is less than 28");
    }
    input.fields(12);
    if (input.u16(0) != 1) {
      throw input.failure("version " + input.u16(0) + "." + input.u16(2) + " is not 1.x");
    }
    input.skip(total - FRAME_BYTES - 16);
    end(total);
    interfaces.clear();
  }

  private long total(int field) throws IOException {
    long total = Integer.toUnsignedLong(field);
    if (total < FRAME_BYTES || total % 4 != 0) {
      throw input.failure("block length " + total + " is no multiple of 4 from 12 on");
    }
    return total;
  }

  private void end(long total) throws IOException {
    input.fields(4);
    long again = Integer.toUnsignedLong(input.u32(0));
    if (again != total) {
      throw input.failure("the block ends with length " + again + ", and begins with " + total);
    }
  }

  private void addInterface(long body) throws IOException {
    least(body, 8);
    if (interfaces.size() == MAX_INTERFACES) {
      throw input.failure("the section has more than " + MAX_INTERFACES + " interfaces");
    }
    input.fields(8);
    CapturedInterface made = new CapturedInterface(input.u16(0), input.u32(4));
    options.read(body - 8);
    while (options.next()) {
      made =
          switch (options.code()) {
            case NAME -> made.named(options.text());
            case RESOLUTION -> made.resolved((int) options.number(1));
            case OFFSET -> made.offset(options.number(8));
            default -> made;
          };
    }
    interfaces.add(made);
  }

  private boolean enhanced(long body, boolean obsolete) throws IOException {
    least(body, ENHANCED_BYTES);
    input.fields(ENHANCED_BYTES);
    interfaceId = obsolete ? input.u16(0) : input.u32(0);
    CapturedInterface of = known();
    timeNs = of.nanos((long) input.u32(4) << Integer.SIZE | Integer.toUnsignedLong(input.u32(8)));
    wireLength = input.u32(16);
    int drops = obsolete ? input.u16(2) : 0;
    long rest = captured(Integer.toUnsignedLong(input.u32(12)), body - ENHANCED_BYTES);
    forget();
    // 65535: not known
    lost = drops == 0xFFFF ? 0 : drops;
    options.read(rest);
    while (options.next()) {
      switch (options.code()) {
        case Options.COMMENT -> comment = options.text();
        case FLAGS -> direction = Direction.of((int) options.number(4));
        case DROPS -> lost = obsolete ? lost : options.number(8);
        case QUEUE -> queue = obsolete ? queue : options.number(4);
        default -> {
          // hashes and the like
        }
      }
    }
    return true;
  }

  private boolean simple(long body) throws IOException {
    least(body, SIMPLE_BYTES);
    input.fields(SIMPLE_BYTES);
    interfaceId = 0;
    CapturedInterface of = known();
    timeNs = NO_TIME;
    wireLength = input.u32(0);
    long captured = wireLength();
    if (of.snap() != 0) {
      captured = Math.min(captured, Integer.toUnsignedLong(of.snap()));
    }
    input.skip(captured(captured, body - SIMPLE_BYTES));
    forget();
    return true;
  }

  /** The interface of the frame, whose link type is taken. */
  private CapturedInterface known() throws IOException {
    if (interfaceId < 0 || interfaceId >= interfaces.size()) {
      throw input.failure(
          "interface %d is not described; the section has %d so far"
              .formatted(Integer.toUnsignedLong(interfaceId), interfaces.size()));
    }
    CapturedInterface of = interfaces.get(interfaceId);
    linkType = of.linkType();
    return of;
  }

  /** Reads a frame with its padding; the bytes of the block behind it. */
  private long captured(long length, long room) throws IOException {
    if (length > MAX_FRAME_BYTES) {
      throw input.failure("captured length " + length + " is greater than " + MAX_FRAME_BYTES);
    }
    long padded = length + 3 & -4L;
    if (padded > room) {
      throw input.failure(
          "captured length " + length + " does not fit into the block, which has " + room);
    }
    frame((int) length);
    input.skip(padded - length);
    return room - padded;
  }

  private void least(long body, int bytes) throws IOException {
    if (body < bytes) {
      throw input.failure(
          "block length %d is less than %d".formatted(body + FRAME_BYTES, bytes + FRAME_BYTES));
    }
  }

  private void forget() {
    direction = Direction.UNKNOWN;
    queue = -1;
    lost = 0;
    comment = "";
  }

  @Override
  public Direction direction() {
    return direction;
  }

  @Override
  public int interfaceId() {
    return interfaceId;
  }

  @Override
  public String interfaceName() {
    return interfaceId < interfaces.size() ? interfaces.get(interfaceId).name() : "";
  }

  @Override
  public long queue() {
    return queue;
  }

  @Override
  public long lost() {
    return lost;
  }

  @Override
  public String comment() {
    return comment;
  }
}
