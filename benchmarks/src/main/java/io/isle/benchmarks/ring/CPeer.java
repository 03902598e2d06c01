package io.isle.benchmarks.ring;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/**
 * The program {@code bench-ring}, which never sleeps.
 *
 * @param mode of the program
 */
record CPeer(String mode, int bytes, String name) implements Peer {
  @Override
  public double measure(Settings settings, int rounds) throws IOException, InterruptedException {
    return Double.parseDouble(
        Commands.output(
            List.of(
                settings.nativeDirectory().resolve("bench-ring").toString(),
                mode,
                Integer.toString(bytes),
                Integer.toString(rounds))));
  }
}
