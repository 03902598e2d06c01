package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.host.wire.TilePage;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A JVM for a tile. Its thread starts the process and stays until the end: the kernel kills the
 * process with the thread.
 */
final class JvmProcess implements TileProcess {
  private static final System.Logger LOG = System.getLogger(JvmProcess.class.getName());

  private static final int LOOK_MS = 100;
  private static final long START_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long LEAVE_MS = 1000;

  private final String name;
  private final TileVersion version;
  private final Events events;
  private final Duration hang;

  /** The page is mapped as long as somebody has this object. */
  private final Arena arena = Arena.ofAuto();

  private final MemoryFile file = MemoryFile.create("isle-tile-page", TilePage.BYTES);
  private final TilePage page = new TilePage(file.map(arena), arena);
  private final LastWords words;
  private final OrderCalls calls;
  private final Thread thread;
  private volatile Process process;
  private volatile UnixConnection connection;
  private volatile boolean ready;
  private volatile boolean leaving;
  private volatile String report = "";
  private boolean closed;

  /**
   * A process that {@link #start} starts.
   *
   * @param version retained until the end
   * @param hang longest time without a sign of life
   */
  JvmProcess(String name, JvmCommand command, TileVersion version, Duration hang, Events events) {
    this.name = name;
    this.version = version;
    this.events = events;
    this.hang = hang;
    words = new LastWords(name, page);
    calls = new OrderCalls(page, words);
    version.retain();
    thread = Thread.ofPlatform().daemon().name("isle-tile").unstarted(() -> run(command));
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public long pid() {
    Process now = process;
    return now == null ? 0 : now.pid();
  }

  @Override
  public TileVersion version() {
    return version;
  }

  @Override
  public boolean isReady() {
    return ready && !leaving && process.isAlive();
  }

  @Override
  public String report() {
    return report;
  }

  private void run(JvmCommand command) {
    long readyNs = 0;
    String how;
    try {
      begin(command);
      readyNs = System.nanoTime();
      ready = true;
      events.ready(this);
      how = watch();
    } catch (NetException | PosixException | IOException e) {
      how = "cannot be started: " + e.getMessage();
    } catch (RuntimeException | Error e) {
      how = "was ended because of a defect: " + e;
      LOG.log(System.Logger.Level.ERROR, name + ": the process " + how, e);
    }
    ready = false;
    how = reap(how, readyNs != 0);
    long lived = readyNs == 0 ? 0 : System.nanoTime() - readyNs;
    try {
      events.ended(this, how, Duration.ofNanos(lived));
    } finally {
      close();
    }
  }

  private void begin(JvmCommand command) throws IOException {
    file.seal(false);
    try (TileSocket socket = new TileSocket()) {
      ProcessBuilder builder =
          new ProcessBuilder(command.of(socket.name(), version))
              .directory(new File("/"))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().clear();
      Process started = builder.start();
      process = started;
      Thread.currentThread().setName("isle-tile-" + started.pid());
      words.listen(started);
      long end = System.nanoTime() + START_NS;
      connection = socket.accept(started, end);
      MemorySegment greeting = arena.allocate(Orders.GREETING);
      connection.send(greeting, file.descriptor());
      awaitWarm(end);
    }
  }

  private void awaitWarm(long end) {
    while (!page.isWarm()) {
      if (connection.awaitHangUp(1) || !process.isAlive()) {
        throw new NetException(Errno.ENODEV, "the process ended before it was ready");
      }
      if (leaving) {
        throw new NetException(Errno.ECLOSED, "not wanted any more");
      }
      if (System.nanoTime() - end >= 0) {
        throw new NetException(Errno.ETIMEDOUT, "the process was not ready in 30 s");
      }
    }
    report = calls.report(connection.descriptor());
  }

  /** Returns when the process has hung up, or gives no sign of life; says why it is ended. */
  private String watch() {
    Heartbeat heartbeat = new Heartbeat(hang, page.beats(), System.nanoTime());
    while (!connection.awaitHangUp(LOOK_MS)) {
      long now = System.nanoTime();
      OptionalLong silence = heartbeat.silenceNs(page.beats(), now);
      if (silence.isPresent()) {
        return "was ended, because it gave no sign of life for "
            + TimeUnit.NANOSECONDS.toMillis(silence.getAsLong())
            + " ms";
      }
    }
    return "";
  }

  /** Behind this, the process uses no memory any more. */
  private String reap(String how, boolean wasReady) {
    Process ended = process;
    if (ended == null) {
      return how;
    }
    try {
      if (!leaving || !wasReady || !ended.waitFor(LEAVE_MS, TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
    Uninterrupted.awaitEnd(ended);
    return how.isEmpty() ? words.ending(ended) : how + words.said();
  }

  @Override
  public void open(TileOrder order) {
    calls.open(connection.descriptor(), process, order);
  }

  @Override
  public void closeTile() {
    try {
      calls.close(connection.descriptor(), process);
    } catch (NetException e) {
      kill();
      Uninterrupted.awaitEnd(process);
    }
  }

  @Override
  public void kill() {
    Process now = process;
    if (now != null) {
      Process ignored = now.destroyForcibly();
    }
  }

  @Override
  public synchronized void leave() {
    leaving = true;
    UnixConnection now = connection;
    if (now != null && ready && !closed) {
      now.hangUp();
    }
  }

  /** Not from its own thread. */
  @Override
  public void join() {
    Uninterrupted.await(thread::isAlive, thread::join);
  }

  private synchronized void close() {
    closed = true;
    UnixConnection now = connection;
    if (now != null) {
      now.close();
    }
    file.close();
    version.release();
  }
}
