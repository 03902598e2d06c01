package io.isle.fabric.ring.link;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.ffi.EventDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Streams within the process: a listening and a connecting port of the same address are a path. */
public final class PipeTransport implements RingTransport {
  /** Bytes of a direction that are under way at most. */
  private static final int ROOM = 1 << 20;

  private final Map<String, Pipe> pipes = new HashMap<>();

  /** Most bytes of one read or write. */
  public volatile int most = Integer.MAX_VALUE;

  /** The stream of an address, from the connecting to the listening port. */
  private final class Pipe {
    final Deque<Byte> bytes = new ArrayDeque<>();
    final EventDescriptor readable = new EventDescriptor();
    final EventDescriptor writable = new EventDescriptor();
    Port listener;
    Port connector;
    long paths;

    synchronized boolean isUp() {
      return listener != null && connector != null;
    }
  }

  private Pipe pipe(String address) {
    synchronized (pipes) {
      return pipes.computeIfAbsent(address, any -> new Pipe());
    }
  }

  /** Breaks the path of an address; what is under way is lost, and a new path begins. */
  public void cut(String address) {
    cut(pipe(address));
  }

  private static void cut(Pipe pipe) {
    synchronized (pipe) {
      pipe.bytes.clear();
      pipe.paths++;
      pipe.readable.signal();
      pipe.writable.signal();
    }
  }

  /** Writes bytes of a stranger into the path. */
  public void inject(String address, byte[] bytes) {
    Pipe pipe = pipe(address);
    synchronized (pipe) {
      for (byte one : bytes) {
        pipe.bytes.add(one);
      }
      pipe.readable.signal();
    }
  }

  @Override
  public RingPort open(PortSpec spec) {
    Pipe pipe = pipe(spec.address());
    Port port = new Port(pipe, spec.side());
    synchronized (pipe) {
      if (spec.side() == RingSide.PREV) {
        pipe.listener = port;
      } else {
        pipe.connector = port;
      }
      pipe.paths++;
    }
    return port;
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    if (!parked.format().equals("pipe/1")) {
      return Optional.empty();
    }
    Pipe pipe = pipe(spec.address());
    Port port = new Port(pipe, spec.side());
    synchronized (pipe) {
      if (spec.side() == RingSide.PREV) {
        pipe.listener = port;
      } else {
        pipe.connector = port;
      }
    }
    return Optional.of(port);
  }

  private final class Port extends PlainPort implements StreamPort {
    private final Pipe pipe;
    private final boolean listens;

    /**
     * The path that the link knows of. As of a socket's, its bytes are not mixed with those of the
     * next one, of which the link learns by {@link #paths}.
     */
    private long path;

    Port(Pipe pipe, RingSide side) {
      this.pipe = pipe;
      listens = side == RingSide.PREV;
    }

    @Override
    public long write(MemorySegment from, long offset, long length, boolean more) {
      synchronized (pipe) {
        if (!isOn()) {
          return -Errno.ENOTCONN;
        }
        long count = Math.min(Math.min(length, most), ROOM - pipe.bytes.size());
        for (long i = 0; i < count; i++) {
          pipe.bytes.add(from.get(ValueLayout.JAVA_BYTE, offset + i));
        }
        if (count > 0) {
          pipe.readable.signal();
        } else {
          pipe.writable.drain();
        }
        return count > 0 ? count : -Errno.EAGAIN;
      }
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      synchronized (pipe) {
        if (path != pipe.paths) {
          return -Errno.ENOTCONN;
        }
        long count = Math.min(Math.min(length, most), pipe.bytes.size());
        for (long i = 0; i < count; i++) {
          into.set(ValueLayout.JAVA_BYTE, offset + i, pipe.bytes.remove());
        }
        if (count > 0) {
          pipe.writable.signal();
          return count;
        }
        pipe.readable.drain();
        return pipe.isUp() ? -Errno.EAGAIN : -Errno.ENOTCONN;
      }
    }

    private boolean isOn() {
      return pipe.isUp() && path == pipe.paths;
    }

    @Override
    public PortState state() {
      return pipe.isUp() ? PortState.UP : listens ? PortState.LISTENING : PortState.CONNECTING;
    }

    @Override
    public long paths() {
      synchronized (pipe) {
        path = pipe.paths;
        return path;
      }
    }

    @Override
    public long poll(long nowNs) {
      return nowNs + 1_000_000;
    }

    @Override
    public void disconnect(String why) {
      cut(pipe);
    }

    @Override
    public void interests(Interests events, int wanted) {
      if ((wanted & READABLE) != 0) {
        events.add(pipe.readable.descriptor(), READABLE);
      }
      if ((wanted & WRITABLE) != 0) {
        events.add(pipe.writable.descriptor(), READABLE);
      }
    }

    @Override
    public Optional<ParkedPort> park() {
      return Optional.of(new ParkedPort("pipe/1", List.of(), Map.of()));
    }

    @Override
    public void close() {
      synchronized (pipe) {
        if (listens && pipe.listener == this) {
          pipe.listener = null;
        } else if (!listens && pipe.connector == this) {
          pipe.connector = null;
        }
      }
    }
  }
}
