package io.isle.benchmarks.spin;

import io.isle.api.spin.HandlerImage;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Folders;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds handlers of the benchmark. */
record Handlers(Settings settings) {
  /** A packet handler that does nothing. */
  static final String EMPTY =
      """
      #include <handler.h>
      #include <pspin.h>

      __handler__ void empty_ph(handler_args_t *args)
      {
          (void)args;
      }
      """;

  /** A packet handler that never ends. */
  static final String LOOP =
      """
      #include <handler.h>
      #include <pspin.h>

      __handler__ void loop_ph(handler_args_t *args)
      {
          (void)args;
          for (;;)
              __asm__ volatile("pause");
      }
      """;

  /** Of the clock of handlers, if the device has no setting. */
  private static final int CYCLES_PER_US = 40;

  /** A packet handler that computes for a time. */
  static String busy(int micros) {
    return """
        #include <handler.h>
        #include <pspin.h>

        __handler__ void busy_ph(handler_args_t *args)
        {
            (void)args;
            uint32_t begin = cycles();
            while (cycles() - begin < %du)
                __asm__ volatile("pause");
        }
        """
        .formatted(micros * CYCLES_PER_US);
  }

  /**
   * Looks for a compiler.
   *
   * @throws PeerMissingException without one
   */
  void check() throws IOException, InterruptedException {
    try {
      String ignored = Commands.output(List.of(compiler(), "--can"));
    } catch (Commands.FailedException e) {
      throw new PeerMissingException(e.getMessage());
    }
  }

  private String compiler() {
    return settings.root().resolve("native-shims/spin/spin-cc").toString();
  }

  /** Builds a text in C. */
  HandlerImage ofText(String name, String text) throws IOException, InterruptedException {
    Path folder = settings.newFolder();
    try {
      return image(name, Files.writeString(folder.resolve(name + ".c"), text), folder);
    } finally {
      Folders.delete(folder);
    }
  }

  /** Builds handlers of the platform's own, such as {@code udp_ping}. */
  HandlerImage own(String name) throws IOException, InterruptedException {
    Path folder = settings.newFolder();
    try {
      Path source = settings.root().resolve("native-shims/spin/handlers/" + name + ".c");
      return image(name, source, folder);
    } finally {
      Folders.delete(folder);
    }
  }

  private HandlerImage image(String name, Path source, Path folder)
      throws IOException, InterruptedException {
    Path out = folder.resolve(name + ".spin");
    List<String> command = new ArrayList<>(List.of(compiler(), "-o", out.toString()));
    command.add(source.toString());
    String ignored = Commands.output(command);
    return new HandlerImage(name, Files.readAllBytes(out), Optional.empty());
  }
}
