package io.isle.net.xdp.host.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.isle.lib.ffi.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * What a process tells the platform, in a page that both map: its sign of life, whether it is warm,
 * and answers to orders. The platform believes nothing but its own process' words about itself.
 */
public final class TilePage {
  /** Bytes of the page. */
  public static final int BYTES = 4096;

  private static final long BEAT = 8;
  private static final long WARM = 16;
  private static final long ANSWERED = 20;
  private static final long CODE = 24;
  private static final long LENGTH = 28;
  private static final long TEXT = 64;
  private static final int MOST_TEXT = 1024;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final MemorySegment page;
  private final MemorySegment answered;
  private final Futex futex;
  private long beat;

  /**
   * @param page of zeros at the begin
   * @param arena for waits
   */
  public TilePage(MemorySegment page, Arena arena) {
    this.page = page;
    answered = page.asSlice(ANSWERED, Integer.BYTES);
    futex = new Futex(arena);
  }

  /** A sign of life; of one thread at a time. Allocates nothing. */
  public void beat() {
    LONG.setRelease(page, BEAT, ++beat);
  }

  /** Signs of life so far. */
  public long beats() {
    return (long) LONG.getAcquire(page, BEAT);
  }

  /** The process is ready for orders. */
  public void warm() {
    INT.setRelease(page, WARM, 1);
  }

  /** Whether the process is ready for orders. */
  public boolean isWarm() {
    return (int) INT.getAcquire(page, WARM) != 0;
  }

  /**
   * An order is carried out.
   *
   * @param code 0 or an error number
   */
  public void answer(int number, int code, String text) {
    tell(text);
    INT.setOpaque(page, CODE, code);
    INT.setRelease(page, ANSWERED, number);
    Futex.wake(answered, 1);
  }

  /** Last words: why the process ends. */
  public void tell(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, MOST_TEXT);
    MemorySegment.copy(bytes, 0, page, JAVA_BYTE, TEXT, length);
    INT.setRelease(page, LENGTH, length);
  }

  /** Number of the last order that is carried out. */
  public int answered() {
    return (int) INT.getAcquire(page, ANSWERED);
  }

  /** Waits a while for another answer than this one. */
  public void await(int last, long timeoutNs) {
    futex.await(answered, last, timeoutNs);
  }

  /** Outcome of the last order. */
  public int code() {
    return (int) INT.getOpaque(page, CODE);
  }

  /** Text of the last answer, or the last words; as the process wrote it. */
  public String text() {
    int length = Math.clamp((int) INT.getAcquire(page, LENGTH), 0, MOST_TEXT);
    return new String(page.asSlice(TEXT, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
