package io.isle.api.spin;

import java.util.Optional;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Handlers, and the memory that they share with the host. Thread-safe. After {@link #close},
 * methods throw {@link SpinException} with ECLOSED, except for those that return a snapshot.
 */
@ProviderType
public interface ExecutionContext extends AutoCloseable {
  /** Bytes of a host page. */
  int PAGE = 4096;

  /** Where the payload of a request begins in the host page of its HPU. */
  int PAYLOAD = 64;

  /** A snapshot with all counters. */
  ContextInfo info();

  /** Bytes of a region. */
  long size(MemoryRegion region);

  /**
   * Copies out of a region. Handlers may write meanwhile.
   *
   * @param offset in the region
   * @throws SpinException EINVAL for a range outside of the region; EINTR during a recovery
   */
  void read(MemoryRegion region, long offset, byte[] to);

  /** Copies into a region; as {@link #read}. A recovery brings the contents of the begin back. */
  void write(MemoryRegion region, long offset, byte[] from);

  /**
   * Passes requests on that nobody has answered, each once.
   *
   * @param limit most requests, 1 or more
   * @return their number
   */
  int poll(HostRequestHandler handler, int limit);

  /**
   * Passes each further request on; {@link #poll} then has none. A null handler ends this.
   *
   * @param executor that calls the handler, on another thread: the interface waits for {@code
   *     execute}. A request that comes before the call for the last of its HPU has begun is not
   *     passed on by itself: that call has the newest length
   */
  void listen(HostRequestHandler handler, Executor executor);

  /**
   * Answers the request of an HPU. The payload has been written to the host page.
   *
   * @param length of the payload, 0 to 4032
   * @return whether the HPU has waited
   * @throws SpinException EINVAL for another HPU or length
   */
  boolean respond(int hpu, int length);

  /**
   * Replaces the handlers and keeps handler memory: open messages get time to end ({@code
   * swap_ms}), then are aborted. Handlers without rules of their own get the packets that those
   * before got. Waits for the end, also for that of a recovery, and for exchanges before this one.
   *
   * @throws SpinException as {@link Nic#attach}; ECANCELED after an interrupt of the caller; the
   *     old handlers then go on
   */
  void swap(HandlerSource handlers);

  /** What handlers print from a position on; the newest 64 KiB are kept. */
  TextPart text(long from);

  /** The newest trap. */
  Optional<TrapEvent> trap();

  /** Detaches the handlers, and loses their packets and memory. Idempotent. */
  @Override
  void close();
}
