package io.isle.net.xdp.net;

import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.netlink.Station;
import io.isle.net.xdp.testing.Pair;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The process xsk-peer on side a of a pair. */
final class XskPeer implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Writer in;

  /**
   * What the process has received.
   *
   * @param distinct different numbers among the received frames
   * @param empty frames that its kernel lost for want of an entry of FILL
   * @param full frames that its kernel lost for want of room in RX
   * @param queues received frames of each queue
   */
  record Taken(long received, long distinct, long empty, long full, List<Long> queues) {}

  /**
   * @param rx entries of the ring of received frames of each queue
   * @param fills frames of each queue for receiving
   */
  XskPeer(Pair pair, int queues, String mode, int rx, int fills) throws IOException {
    Link own = pair.va();
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("isle.native")).resolve("xsk-peer").toString(),
                "/proc/" + ProcessHandle.current().pid() + "/fd/" + pair.a.descriptor(),
                own.name(),
                Integer.toString(queues),
                mode,
                Station.text(own.station()),
                Station.text(pair.vb().station()),
                Integer.toString(rx),
                Integer.toString(fills))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out = process.inputReader(StandardCharsets.US_ASCII);
    in = process.outputWriter(StandardCharsets.US_ASCII);
    if (!"ready".equals(out.readLine())) {
      close();
      throw new IOException("xsk-peer does not begin");
    }
  }

  private long[] command(String line) {
    try {
      in.write(line + "\n");
      in.flush();
      String answer = out.readLine();
      if (answer == null) {
        throw new IOException("xsk-peer has ended");
      }
      return Arrays.stream(answer.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends frames by one queue.
   *
   * @param from number of the first frame
   * @param kind good, fragment, length, group, far, port
   * @return frames that the kernel has sent by this queue, of all calls
   */
  long send(int queue, int from, int count, String kind) {
    return command("send " + queue + " " + from + " " + count + " " + kind)[1];
  }

  /** Takes what has arrived; sums of all calls. */
  Taken take() {
    long[] all = command("take");
    return new Taken(
        all[0], all[1], all[2], all[3], Arrays.stream(all, 5, all.length).boxed().toList());
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        int ignored = process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    out.close();
  }
}
