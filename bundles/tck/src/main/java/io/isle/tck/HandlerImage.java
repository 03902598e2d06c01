package io.isle.tck;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A program of handlers for HPUs, made without a compiler. Its packet handler does what the first
 * byte of the packet says. The file has the headers, then a page each for constants (at address 0),
 * code (0x1000) and variables (0x2000, two pages in memory).
 */
final class HandlerImage {
  static final byte NOTHING = 0;

  /** Sends the packet back as it is. */
  static final byte SEND = 1;

  /** Reads the address {@link #NOWHERE}. */
  static final byte STRAY = 2;

  static final byte LOOP = 3;

  /** Adds 1 to the first word of handler memory. */
  static final byte COUNT = 4;

  static final long NOWHERE = 0x40;

  private static final int PAGE = 4096;
  private static final int CODE = PAGE;
  private static final int VARIABLES = 2 * PAGE;
  private static final int HOST_DATA = 3 * PAGE;
  private static final int CHOSEN = VARIABLES + 0x10;

  /** Places among the constants: the record that the loader reads is at 0. */
  private static final int CALLS = 32;

  private static final int CALL_COUNT = 14;
  private static final int DYNAMIC = CALLS + CALL_COUNT * Long.BYTES;
  private static final int RELOCATIONS = DYNAMIC + 4 * Long.BYTES;
  private static final int RELOCATION_BYTES = 12;
  private static final int RELATIVE = 8;

  private static final int READ = 4;
  private static final int WRITE = 2;
  private static final int EXECUTE = 1;

  /** Chooses the code at 0x20 as the packet handler. */
  private static final String BEGIN =
      """
      48 8d 05 09 10 00 00 lea 0x1009(%rip),%rax: where the choice is left
      48 8d 0d 12 00 00 00 lea 0x12(%rip),%rcx: the packet handler
      89 48 04             mov %ecx,0x4(%rax)
      c3                   ret
      """;

  /** Gets the handler's arguments in %rdi. */
  private static final String PACKET =
      """
      8b 07                mov (%rdi),%eax: the task
      8b 78 08             mov 0x8(%rax),%edi: the packet
      8b 70 0c             mov 0xc(%rax),%esi: its length
      8a 0f                mov (%rdi),%cl
      80 f9 01             cmp $0x1,%cl
      74 14                je send
      80 f9 02             cmp $0x2,%cl
      74 15                je stray
      80 f9 03             cmp $0x3,%cl
      74 18                je loop
      80 f9 04             cmp $0x4,%cl
      75 04                jne end
      8b 00                mov (%rax),%eax: handler memory
      ff 00                incl (%rax)
      c3                   end: ret
      ff 25 d7 ef ff ff    send: jmp *-0x1029(%rip): the first call
      8b 04 25 40 00 00 00 stray: mov 0x40,%eax
      c3                   ret
      eb fe                loop: jmp loop
      """;

  private static final int PACKET_AT = 0x20;

  private HandlerImage() {}

  static byte[] bytes() {
    ByteBuffer file = ByteBuffer.allocate(4 * PAGE).order(ByteOrder.LITTLE_ENDIAN);
    header(file);
    segment(file, 0, 1, PAGE, 0, PAGE, READ);
    segment(file, 1, 1, 2 * PAGE, CODE, PAGE, READ | EXECUTE);
    segment(file, 2, 1, 3 * PAGE, VARIABLES, 2 * PAGE, READ | WRITE);
    segment(file, 3, 2, PAGE + DYNAMIC, DYNAMIC, 4 * Long.BYTES, READ);
    constants(file.slice(PAGE, PAGE).order(ByteOrder.LITTLE_ENDIAN));
    code(file, 2 * PAGE, BEGIN);
    code(file, 2 * PAGE + PACKET_AT, PACKET);
    return file.array();
  }

  /** ELF, 32 bits, for x86-64, without a fixed address; the entry is at 0. */
  private static void header(ByteBuffer file) {
    file.put(new byte[] {0x7f, 'E', 'L', 'F', 1, 1, 1}).position(16);
    file.putShort((short) 3).putShort((short) 62).putInt(1).putInt(0).putInt(52);
    file.position(40);
    file.putShort((short) 52).putShort((short) 32).putShort((short) 4);
  }

  private static void segment(
      ByteBuffer file, int number, int type, int offset, int address, int size, int access) {
    int inFile = Math.min(size, PAGE);
    file.position(52 + 32 * number);
    file.putInt(type).putInt(offset).putInt(address).putInt(address);
    file.putInt(inFile).putInt(size).putInt(access).putInt(PAGE);
  }

  private static void constants(ByteBuffer page) {
    int[] fields = {8, 16, 24, 28};
    int[] addresses = {CALLS, HOST_DATA, CODE, CHOSEN};
    page.put("SPIN".getBytes(StandardCharsets.US_ASCII)).putInt(1);
    page.putInt(12, CALL_COUNT).putInt(20, 256);
    page.position(DYNAMIC);
    page.putInt(7).putInt(RELOCATIONS);
    page.putInt(8).putInt(fields.length * RELOCATION_BYTES);
    page.putInt(9).putInt(RELOCATION_BYTES);
    page.position(RELOCATIONS);
    for (int i = 0; i < fields.length; i++) {
      page.putInt(fields[i]).putInt(RELATIVE).putInt(addresses[i]);
    }
  }

  private static void code(ByteBuffer file, int at, String lines) {
    file.position(at);
    for (String line : lines.lines().toList()) {
      file.put(HexFormat.ofDelimiter(" ").parseHex(line.substring(0, 20).strip()));
    }
  }
}
