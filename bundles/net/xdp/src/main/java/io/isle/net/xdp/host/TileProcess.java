package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import io.isle.lib.jvm.LineBudget;
import io.isle.lib.jvm.PrintedLines;
import io.isle.net.xdp.host.wire.OrderWriter;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.host.wire.TilePage;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs a tile, or waits for one. Its thread starts the process and stays until the
 * end: the kernel kills the process with the thread. Orders come from one thread at a time.
 */
final class TileProcess {
  private static final System.Logger LOG = System.getLogger(TileProcess.class.getName());

  /** Added to the signal that ended a process, in its exit value. */
  private static final int SIGNALLED = 128;

  private static final int LOOK_MS = 100;
  private static final int LINES_A_SECOND = 100;
  private static final long START_NS = TimeUnit.SECONDS.toNanos(30);
  private static final long ORDER_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LEAVE_MS = 1000;

  private final String name;
  private final TileVersion version;
  private final Events events;
  private final long hangNs;

  /** The page is mapped as long as somebody has this object. */
  private final Arena arena = Arena.ofAuto();

  private final MemoryFile file = MemoryFile.create("isle-tile-page", TilePage.BYTES);
  private final TilePage page = new TilePage(file.map(arena), arena);
  private final DescriptorMessage message =
      new DescriptorMessage(Orders.MOST_BYTES, Orders.MOST_DESCRIPTORS);
  private final Thread thread;
  private volatile Process process;
  private volatile UnixConnection connection;
  private volatile boolean ready;
  private volatile boolean leaving;
  private volatile String printed = "";
  private volatile String report = "";
  private int orders;
  private boolean closed;

  /** What a process tells, on its own thread. */
  interface Events {
    /** The process is ready for orders. */
    void ready(TileProcess process);

    /**
     * The process has ended, or could not be started.
     *
     * @param lived since it was ready; zero if it never was
     */
    void ended(TileProcess process, String how, Duration lived);
  }

  /**
   * Starts the process; returns at once.
   *
   * @param version retained until the end
   * @param hang longest time without a sign of life
   */
  TileProcess(String name, JvmCommand command, TileVersion version, Duration hang, Events events) {
    this.name = name;
    this.version = version;
    this.events = events;
    this.hangNs = hang.toNanos();
    version.retain();
    thread = Thread.ofPlatform().daemon().name("isle-tile").unstarted(() -> run(command));
  }

  void start() {
    thread.start();
  }

  long pid() {
    Process now = process;
    return now == null ? 0 : now.pid();
  }

  TileVersion version() {
    return version;
  }

  boolean isReady() {
    return ready && !leaving && process.isAlive();
  }

  /** What confines the process, a line each; empty before the process has told. */
  String report() {
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
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String socket = "isle-tile-" + HexFormat.of().formatHex(random);
    file.seal(false);
    try (UnixListener listener = UnixListener.listen(socket)) {
      ProcessBuilder builder =
          new ProcessBuilder(command.of(socket, version))
              .directory(new File("/"))
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().clear();
      Process started = builder.start();
      process = started;
      Thread.currentThread().setName("isle-tile-" + started.pid());
      Thread ignored = Thread.ofVirtual().name("isle-tile-output").start(() -> read(started));
      long end = System.nanoTime() + START_NS;
      connection = connect(listener, started, end);
      MemorySegment greeting = arena.allocate(Orders.GREETING);
      connection.send(greeting, file.descriptor());
      awaitWarm(end);
    }
  }

  private static UnixConnection connect(UnixListener listener, Process process, long end) {
    while (process.isAlive() && System.nanoTime() - end < 0) {
      var accepted = listener.accept(LOOK_MS);
      if (accepted.isPresent()) {
        UnixConnection connection = accepted.get();
        if (connection.peerPid() == process.pid()) {
          return connection;
        }
        connection.close();
      }
    }
    throw new NetException(Errno.ENODEV, "no connection to the platform");
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
    takeReport();
  }

  private void takeReport() {
    int got = message.receive(connection.descriptor());
    message.closeReceived();
    if (got > 0 && got <= Orders.REPORT) {
      byte[] text = message.data().asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
      report = new String(text, StandardCharsets.UTF_8);
    }
  }

  /** Returns when the process has hung up, or gives no sign of life; says why it is ended. */
  private String watch() {
    long beats = page.beats();
    long since = System.nanoTime();
    while (!connection.awaitHangUp(LOOK_MS)) {
      long now = System.nanoTime();
      long seen = page.beats();
      if (seen != beats) {
        beats = seen;
        since = now;
      } else if (now - since > hangNs) {
        return "was ended, because it gave no sign of life for "
            + TimeUnit.NANOSECONDS.toMillis(now - since)
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
    boolean interrupted = false;
    try {
      if (!leaving || !wasReady || !ended.waitFor(LEAVE_MS, TimeUnit.MILLISECONDS)) {
        Process ignored = ended.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Process ignored = ended.destroyForcibly();
      interrupted = true;
    }
    while (ended.isAlive()) {
      try {
        int ignored = ended.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return how.isEmpty() ? ending(ended) : how + said();
  }

  private String ending(Process ended) {
    int code = ended.exitValue();
    return (code > SIGNALLED
            ? "was ended by signal " + (code - SIGNALLED)
            : "exited with code " + code)
        + said();
  }

  /** Its last words. */
  private String said() {
    String text = ForeignText.line(page.text());
    String last = text.isEmpty() ? printed : text;
    return last.isEmpty() ? "" : ": " + last;
  }

  private void read(Process started) {
    LineBudget budget = new LineBudget(LINES_A_SECOND, System.nanoTime());
    try (var stream = started.getInputStream()) {
      PrintedLines.forward(
          stream,
          line -> {
            printed = line;
            if (budget.passes(System.nanoTime())) {
              LOG.log(System.Logger.Level.WARNING, "{0}, process: {1}", name, line);
            }
          });
    } catch (IOException e) {
      // the stream closes with the process
    }
  }

  /**
   * Opens a tile; waits for the answer.
   *
   * @throws NetException as {@link io.isle.api.net.tile.Tiles#open}; ENODEV if the process has
   *     ended meanwhile; ETIMEDOUT, when the process is killed
   */
  void open(TileOrder order) {
    call(OrderWriter.open(++orders, order));
  }

  /** Ends the tile; its memory is not used when the call returns. Kills a process that cannot. */
  void closeTile() {
    try {
      call(OrderWriter.close(++orders));
    } catch (NetException e) {
      kill();
      awaitEnd();
    }
  }

  private void call(OrderWriter.Message order) {
    MemorySegment data = message.data();
    data.asSlice(0, order.bytes().length).copyFrom(MemorySegment.ofArray(order.bytes()));
    int sent = message.send(connection.descriptor(), order.bytes().length, order.descriptors());
    if (sent < 0) {
      throw new NetException(Errno.ENODEV, "the process of the tile takes no orders: " + -sent);
    }
    long end = System.nanoTime() + ORDER_NS;
    for (int last = page.answered(); last != orders; last = page.answered()) {
      if (!process.isAlive()) {
        throw new NetException(Errno.ENODEV, "the process of the tile " + ending(process));
      }
      if (System.nanoTime() - end >= 0) {
        kill();
        throw new NetException(Errno.ETIMEDOUT, "the process of the tile does not answer");
      }
      page.await(last, SLICE_NS);
    }
    if (page.code() != 0) {
      throw new NetException(page.code(), ForeignText.line(page.text()));
    }
  }

  /** Ends the process by force, soon. */
  void kill() {
    Process now = process;
    if (now != null) {
      Process ignored = now.destroyForcibly();
    }
  }

  private void awaitEnd() {
    Process now = process;
    boolean interrupted = false;
    while (now != null && now.isAlive()) {
      try {
        int ignored = now.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the process to end; returns at once. */
  synchronized void leave() {
    leaving = true;
    UnixConnection now = connection;
    if (now != null && ready && !closed) {
      now.hangUp();
    }
  }

  /** Waits for the end of the thread, behind {@link #leave}. Not from its own thread. */
  void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
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
