package io.isle.spin.jobs.ping;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerImage;
import io.isle.spin.jobs.ping.place.PingProtocol;
import io.isle.spin.jobs.ping.place.PingServices;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The handlers of this bundle, built on this machine. */
final class PingHandlers {
  private PingHandlers() {}

  /**
   * Builds handlers, or finds them as they were built before.
   *
   * @param mode one with handlers
   * @throws JobException EINVAL with what the compiler says
   */
  static HandlerImage build(PingServices services, PingProtocol protocol, PingMode mode)
      throws IOException, InterruptedException {
    String name = protocol.text() + "_ping";
    Path source = source(services.folder(), name + ".c");
    String option = "-DDO_HOST=" + (mode == PingMode.BOTH ? 1 : 0);
    HandlerBuild build =
        services.builds().build(name, new BuildSpec(List.of(source), List.of(option)));
    return build
        .image()
        .orElseThrow(
            () -> JobException.failed(Errno.EINVAL, name + ".c: " + build.messages(), null));
  }

  private static Path source(Path folder, String name) throws IOException {
    try (InputStream stream = PingHandlers.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new FileNotFoundException("the bundle has no " + name);
      }
      Files.createDirectories(folder);
      return Files.write(folder.resolve(name).toAbsolutePath(), stream.readAllBytes());
    }
  }
}
