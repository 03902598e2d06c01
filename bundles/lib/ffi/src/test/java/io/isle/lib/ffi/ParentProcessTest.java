package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParentProcessTest {
  private static final int SIGKILL = 9;

  /** A process that waits for ever. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      ParentProcess.endsThisProcess();
      System.out.println("ready");
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aProcessEndsWithTheThreadThatStartedItEvenIfItIsStopped() throws Exception {
    CompletableFuture<Process> started = new CompletableFuture<>();
    CountDownLatch over = new CountDownLatch(1);
    Thread parent =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    started.complete(
                        new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Child.class.getName())
                            .redirectErrorStream(true)
                            .start());
                    over.await();
                  } catch (Exception e) {
                    started.completeExceptionally(e);
                  }
                });
    Process child = started.join();
    try {
      assertEquals("ready", child.inputReader().readLine());
      assertEquals(true, ChildProcess.stop(child.pid()));
      over.countDown();
      parent.join();
      assertEquals(128 + SIGKILL, child.waitFor());
    } finally {
      child.destroyForcibly();
    }
  }
}
