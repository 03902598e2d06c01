package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.net.xdp.host.wire.OrderWriter;
import io.isle.net.xdp.host.wire.Orders;
import io.isle.net.xdp.host.wire.TileOrder;
import io.isle.net.xdp.host.wire.TilePage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Orders to a process, each with its answer. One thread at a time. */
final class OrderCalls {
  private static final long ORDER_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final TilePage page;
  private final LastWords words;
  private final DescriptorMessage message =
      new DescriptorMessage(Orders.MOST_BYTES, Orders.MOST_DESCRIPTORS);
  private int orders;

  /**
   * @param page where the process answers
   */
  OrderCalls(TilePage page, LastWords words) {
    this.page = page;
    this.words = words;
  }

  /** What the process has sent before any order; empty without anything. */
  String report(int socket) {
    int got = message.receive(socket);
    message.closeReceived();
    if (got <= 0 || got > Orders.REPORT) {
      return "";
    }
    byte[] text = message.data().asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Opens a tile; waits for the answer.
   *
   * @throws NetException as {@link TileProcess#open}
   */
  void open(int socket, Process process, TileOrder order) {
    call(socket, process, OrderWriter.open(++orders, order));
  }

  /**
   * Ends the tile; waits for the answer.
   *
   * @throws NetException ENODEV if the process has ended; ETIMEDOUT, when it is killed
   */
  void close(int socket, Process process) {
    call(socket, process, OrderWriter.close(++orders));
  }

  private void call(int socket, Process process, OrderWriter.Message order) {
    MemorySegment data = message.data();
    data.asSlice(0, order.bytes().length).copyFrom(MemorySegment.ofArray(order.bytes()));
    int sent = message.send(socket, order.bytes().length, order.descriptors());
    if (sent < 0) {
      throw new NetException(Errno.ENODEV, "the process of the tile takes no orders: " + -sent);
    }
    long end = System.nanoTime() + ORDER_NS;
    for (int last = page.answered(); last != orders; last = page.answered()) {
      if (!process.isAlive()) {
        throw new NetException(Errno.ENODEV, "the process of the tile " + words.ending(process));
      }
      if (System.nanoTime() - end >= 0) {
        Process ignored = process.destroyForcibly();
        throw new NetException(Errno.ETIMEDOUT, "the process of the tile does not answer");
      }
      page.await(last, SLICE_NS);
    }
    if (page.code() != 0) {
      throw new NetException(page.code(), ForeignText.line(page.text()));
    }
  }
}
