package io.isle.benchmarks.net;

import io.isle.lib.ffi.ThreadAffinity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntToDoubleFunction;

/** What processes of this benchmark have in common: commands, and a thread on each processor. */
final class Asked {
  private Asked() {}

  /** Reads lines {@code NAME NUMBER} from the input, and prints a number for each. */
  static void answer(Map<String, IntToDoubleFunction> commands) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println(commands.get(words[0]).applyAsDouble(Integer.parseInt(words[1])));
    }
  }

  /**
   * Times work of the calling thread beside that of a thread on the second processor. That thread
   * is there before the work begins, and ends with it: it takes no time from what is measured next.
   *
   * @param beside ends when {@code work} is done
   * @return nanoseconds of {@code work}
   */
  static long timed(Runnable beside, Runnable work) {
    CountDownLatch ready = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            // the other thread would wait for ever
            .uncaughtExceptionHandler(Asked::end)
            .start(
                () -> {
                  pin(1);
                  ready.countDown();
                  beside.run();
                });
    try {
      ready.await();
      long begin = System.nanoTime();
      work.run();
      long nanos = System.nanoTime() - begin;
      thread.join();
      return nanos;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void end(Thread thread, Throwable failure) {
    failure.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  /** Keeps the calling thread on a processor. */
  static void pin(int processor) {
    int code = ThreadAffinity.pin(Set.of(processor));
    if (code != 0) {
      throw new IllegalStateException(
          "a thread cannot be kept on processor " + processor + ": " + code);
    }
  }
}
