package io.isle.lib.net;

import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks the addresses of one host up, again and again, without blocking the caller: a name in a
 * thread of its own, of which at most one runs; an address at once. One thread at a time.
 */
public final class Lookup {
  private record Result(List<SockAddr> addresses, String failure) {}

  private final HostPort host;
  private final Names names;
  private final String thread;
  private boolean running;
  private volatile Result result;

  /**
   * @param thread name of the thread
   */
  public Lookup(HostPort host, Names names, String thread) {
    this.host = host;
    this.names = names;
    this.thread = thread;
  }

  /** The host and the port of the addresses. */
  public HostPort host() {
    return host;
  }

  /** Begins a lookup, unless one runs. */
  public void begin() {
    if (running) {
      return;
    }
    result = null;
    running = true;
    if (host.isLiteral()) {
      resolve();
    } else {
      Thread.ofPlatform().daemon().name(thread).start(this::resolve);
    }
  }

  /** Whether the lookup that began last has ended. False before the first one. */
  public boolean ended() {
    if (result == null) {
      return false;
    }
    running = false;
    return true;
  }

  /** The addresses of the ended lookup; empty if the lookup failed. */
  public List<SockAddr> addresses() {
    return result.addresses;
  }

  /** The failure of the ended lookup in words; empty without a failure. */
  public String failure() {
    return result.failure;
  }

  private void resolve() {
    Result outcome = new Result(List.of(), "the lookup of the name ended early");
    try {
      List<SockAddr> found = names.resolve(host);
      outcome = new Result(found, found.isEmpty() ? "the name has no address" : "");
    } catch (UnknownHostException e) {
      outcome = new Result(List.of(), "the name has no address (" + e.getMessage() + ")");
    } catch (RuntimeException e) {
      outcome = new Result(List.of(), "the lookup of the name failed (" + e + ")");
    } finally {
      result = outcome;
    }
  }
}
