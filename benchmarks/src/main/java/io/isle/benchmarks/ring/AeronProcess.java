package io.isle.benchmarks.ring;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An end of an echo by Aeron over UDP: {@code ping|echo FOLDER LISTEN NEXT BYTES}. One thread does
 * all, the driver's work too, and never sleeps: the fastest way on one processor.
 */
final class AeronProcess {
  private static final int STREAM = 1001;

  private AeronProcess() {}

  /** The work of the driver and of the client, without which nothing is sent or received. */
  private record Work(AgentInvoker driver, AgentInvoker client) {
    void invoke() {
      int ignored = driver.invoke() + client.invoke();
    }
  }

  public static void main(String[] args) throws IOException {
    MediaDriver.Context ofDriver =
        new MediaDriver.Context()
            .aeronDirectoryName(args[1])
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .termBufferSparseFile(false)
            .threadingMode(ThreadingMode.INVOKER);
    try (MediaDriver driver = MediaDriver.launch(ofDriver);
        Aeron aeron =
            Aeron.connect(
                new Aeron.Context()
                    .aeronDirectoryName(args[1])
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker()))) {
      Publication to = aeron.addPublication("aeron:udp?endpoint=" + args[3], STREAM);
      Subscription from = aeron.addSubscription("aeron:udp?endpoint=" + args[2], STREAM);
      Work work = new Work(driver.sharedAgentInvoker(), aeron.conductorAgentInvoker());
      while (!to.isConnected() || !from.isConnected()) {
        work.invoke();
      }
      System.out.println("ready");
      if (args[0].equals("echo")) {
        echo(to, from, work);
      } else {
        ping(to, from, work, Integer.parseInt(args[4]));
      }
    }
  }

  private static void echo(Publication to, Subscription from, Work work) {
    FragmentHandler back =
        (buffer, offset, length, header) -> {
          while (to.offer(buffer, offset, length) < 0) {
            work.invoke();
          }
        };
    while (true) {
      work.invoke();
      int ignored = from.poll(back, 1);
    }
  }

  private static void ping(Publication to, Subscription from, Work work, int bytes)
      throws IOException {
    UnsafeBuffer message = new UnsafeBuffer(new byte[bytes]);
    FragmentHandler nothing = (buffer, offset, length, header) -> {};
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // the driver keeps its images alive only while it works
    for (String line = next(commands, work); line != null; line = next(commands, work)) {
      int count = Integer.parseInt(line.split(" ", -1)[1]);
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        while (to.offer(message, 0, bytes) < 0) {
          work.invoke();
        }
        while (from.poll(nothing, 1) == 0) {
          work.invoke();
        }
      }
      System.out.println((System.nanoTime() - begin) / (double) count);
    }
  }

  private static String next(BufferedReader commands, Work work) throws IOException {
    while (!commands.ready()) {
      work.invoke();
    }
    return commands.readLine();
  }
}
