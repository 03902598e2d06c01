package io.isle.net.xdp.host.child;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.ffi.Confinement;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.Mapping;
import io.isle.lib.ffi.PollSet;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TilePage;
import io.isle.net.xdp.rehearsal.Rehearsal;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The main class of the process of a tile: {@code TYPE}, the class of the tiles. The process ends
 * with its socket, and with the thread of the platform that has started it.
 */
public final class TileProcessMain {
  private static final int FAILED = 1;
  private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration WARM_UP = Duration.ofMillis(1500);
  private static final int WARM_UP_ROUNDS = 3000;

  private final Tiles tiles;
  private final TilePage page;
  private final ThreadedAgentHost host =
      new ThreadedAgentHost(
          ThreadedAgentHost.spinnersFor(Runtime.getRuntime().availableProcessors()),
          System::nanoTime);
  private final DescriptorMessage message =
      new DescriptorMessage(Orders.MOST_BYTES, Orders.MOST_DESCRIPTORS);
  private RunningChild child;

  private TileProcessMain(Tiles tiles, TilePage page) {
    this.tiles = tiles;
    this.page = page;
  }

  public static void main(String[] args) {
    Arena arena = Arena.ofShared();
    TilePage page = new TilePage(Mapping.writable(Orders.PAGE, 0, TilePage.BYTES, arena), arena);
    try {
      Confinement.hide();
      Tiles tiles = (Tiles) Class.forName(args[0]).getConstructor().newInstance();
      Confinement.forbidPrograms();
      Rehearsal.run(tiles, WARM_UP_ROUNDS, WARM_UP, page::beat);
      page.warm();
      new TileProcessMain(tiles, page).run();
      Runtime.getRuntime().halt(0);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      die(page, e.toString(), e);
    }
  }

  /** Ends the process with its last words. */
  static void die(TilePage page, String why, Throwable cause) {
    page.tell(why);
    cause.printStackTrace(System.err);
    Runtime.getRuntime().halt(FAILED);
  }

  private void run() {
    PollSet events = new PollSet(1);
    events.set(0, Orders.SOCKET, PollSet.POLLIN | PollSet.POLLRDHUP);
    while (true) {
      int got = message.receive(Orders.SOCKET);
      if (got == -Errno.EAGAIN) {
        if (child == null) {
          page.beat();
        }
        int ignored = events.await(1, WAIT_NS);
      } else if (got <= 0) {
        close();
        return;
      } else {
        ByteBuffer bytes =
            message.data().asSlice(0, got).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        take(bytes.getInt(), bytes.getInt(), bytes);
      }
    }
  }

  private void take(int kind, int number, ByteBuffer bytes) {
    try {
      close();
      if (kind == Orders.OPEN) {
        child = RunningChild.open(bytes, message, tiles, host, page);
      }
      page.answer(number, 0, "");
    } catch (NetException e) {
      page.answer(number, e.code(), e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      die(page, e.toString(), e);
    }
  }

  private void close() {
    if (child != null) {
      child.close();
      child = null;
    }
  }
}
