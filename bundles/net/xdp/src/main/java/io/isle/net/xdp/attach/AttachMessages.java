package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.net.xdp.attach.AttachLayout.Reply;
import io.isle.net.xdp.attach.AttachLayout.Request;
import io.isle.net.xdp.attach.AttachLayout.Rx;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads requests, which are hostile, and writes replies. */
final class AttachMessages {
  /** Most bytes of a reply. */
  static final int MOST_REPLY = Reply.SIZE + AttachLayout.MOST_TILES * Rx.SIZE;

  /** Most descriptors of a reply: TX link, progress, and three for each tile. */
  static final int MOST_DESCRIPTORS = 2 + 3 * AttachLayout.MOST_TILES;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private AttachMessages() {}

  /**
   * The name of the app that a request asks for.
   *
   * @param bytes of the message
   * @throws NetException EINVAL or EPROTO with the field and its limit
   */
  static String app(MemorySegment message, int bytes) {
    if (bytes != Request.SIZE) {
      throw refused(Errno.EINVAL, "the request has " + bytes + " bytes, not " + Request.SIZE);
    }
    if (message.get(U32, Request.MAGIC) != AttachLayout.MAGIC_VALUE) {
      throw refused(Errno.EINVAL, "the request has a wrong magic number");
    }
    int version = Short.toUnsignedInt(message.get(U16, Request.VERSION));
    if (version != AttachLayout.VERSION_VALUE) {
      throw refused(
          Errno.EPROTO,
          "the request has version " + version + ", the net " + AttachLayout.VERSION_VALUE);
    }
    int size = Short.toUnsignedInt(message.get(U16, Request.BYTES));
    if (size != Request.SIZE) {
      throw refused(Errno.EINVAL, "the request says " + size + " bytes, not " + Request.SIZE);
    }
    for (long at = Request._RESERVED; at < Request.SIZE; at++) {
      if (message.get(ValueLayout.JAVA_BYTE, at) != 0) {
        throw refused(Errno.EINVAL, "the reserved bytes of the request are not zero");
      }
    }
    return name(message.asSlice(Request.APP, Request._RESERVED - Request.APP));
  }

  private static String name(MemorySegment field) {
    byte[] bytes = field.toArray(ValueLayout.JAVA_BYTE);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    boolean filled = true;
    for (int i = end; i < bytes.length; i++) {
      filled &= bytes[i] == 0;
    }
    String name = new String(bytes, 0, end, StandardCharsets.US_ASCII);
    if (end == bytes.length || !filled || !name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
      throw refused(
          Errno.EINVAL,
          "the name of the app needs 1 to 31 letters, digits, '.', '_' and '-', a letter or a"
              + " digit first, and zeros behind");
    }
    return name;
  }

  private static NetException refused(int code, String reason) {
    return new NetException(code, reason);
  }

  /**
   * Writes a refusal.
   *
   * @param code error number
   * @return bytes
   */
  static int refuse(MemorySegment into, int code, String reason) {
    head(into, -code, 0);
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, Reply.REASON_BYTES - 1);
    while (length < text.length && length > 0 && (text[length] & 0xC0) == 0x80) {
      length--;
    }
    MemorySegment.copy(text, 0, into, ValueLayout.JAVA_BYTE, Reply.REASON, length);
    return Reply.SIZE;
  }

  private static void head(MemorySegment into, int status, int tiles) {
    into.asSlice(0, Reply.SIZE + (long) tiles * Rx.SIZE).fill((byte) 0);
    into.set(U32, Reply.MAGIC, AttachLayout.MAGIC_VALUE);
    into.set(U16, Reply.VERSION, (short) AttachLayout.VERSION_VALUE);
    into.set(U16, Reply.BYTES, (short) Reply.SIZE);
    into.set(U32, Reply.STATUS, status);
    into.set(U32, Reply.TILES, tiles);
  }

  /**
   * Writes the description of an attachment.
   *
   * @return bytes
   */
  static int grant(MemorySegment into, Attachment attachment) {
    int tiles = attachment.tiles().size();
    head(into, 0, tiles);
    into.set(U32, Reply.APP, attachment.app());
    into.set(U32, Reply.INSTANCE, attachment.instance());
    into.set(U32, Reply.MTU, attachment.mtu());
    into.set(U32, Reply.ADDRESS, attachment.address());
    into.set(U32, Reply.PORT_COUNT, attachment.ports().size());
    for (int i = 0; i < attachment.ports().size(); i++) {
      into.set(U16, Reply.PORTS + 2L * i, attachment.ports().get(i).shortValue());
    }
    Attachment.Tx tx = attachment.tx();
    into.set(U32, Reply.TX_DEPTH, tx.depth());
    into.set(U64, Reply.TX_BYTES, tx.file().bytes());
    into.set(U64, Reply.TX_MCACHE, tx.mcache());
    into.set(U64, Reply.TX_DCACHE, tx.dcache());
    into.set(U64, Reply.PROGRESS_BYTES, attachment.progress().bytes());
    for (int i = 0; i < tiles; i++) {
      tile(into.asSlice(Reply.SIZE + (long) i * Rx.SIZE, Rx.SIZE), attachment.tiles().get(i));
    }
    return Reply.SIZE + tiles * Rx.SIZE;
  }

  private static void tile(MemorySegment into, Attachment.Rx rx) {
    into.set(U64, Rx.MCACHE_BYTES, rx.link().bytes());
    into.set(U64, Rx.MCACHE, rx.mcache());
    into.set(U64, Rx.UMEM_BYTES, rx.frames().bytes());
    into.set(U64, Rx.UMEM, rx.umem());
    into.set(U64, Rx.UMEM_SIZE, rx.umemBytes());
    into.set(U64, Rx.SEQ, rx.seq());
    into.set(U32, Rx.DEPTH, rx.depth());
    into.set(U32, Rx.FRAME_BYTES, rx.frameBytes());
  }

  /** The descriptors of an attachment, in the order of the message. */
  static int[] descriptors(Attachment attachment) {
    int[] all = new int[MOST_DESCRIPTORS];
    int count = 0;
    all[count++] = attachment.tx().file().descriptor();
    all[count++] = attachment.progress().descriptor();
    for (Attachment.Rx rx : attachment.tiles()) {
      all[count++] = rx.link().descriptor();
      all[count++] = rx.frames().descriptor();
      all[count++] = rx.bell();
    }
    return Arrays.copyOf(all, count);
  }
}
