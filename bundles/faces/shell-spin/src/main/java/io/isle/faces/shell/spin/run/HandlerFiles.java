package io.isle.faces.shell.spin.run;

import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds the handlers that a caller names. */
public final class HandlerFiles {
  private static final String SOURCE = ".c";
  private static final String IMAGE = ".spin";

  private HandlerFiles() {}

  /**
   * A file in C, which is built; an image; or handlers of a bundle.
   *
   * @param cflags null for none
   * @param path makes a file absolute
   */
  public static HandlerSource source(
      Services services, String handlers, String cflags, Function<String, Path> path) {
    if (handlers.endsWith(SOURCE)) {
      return HandlersBuild.of(
              services, List.of(path.apply(handlers)), CompilerOptions.of(cflags, path))
          .image()
          .orElseThrow();
    }
    if (cflags != null) {
      throw ShellException.usage("--cflags goes with a file in C");
    }
    if (handlers.endsWith(IMAGE)) {
      Path file = path.apply(handlers);
      return new HandlerImage(
          HandlersBuild.name(file), bytes(file, HandlerImage.MAX_BYTES), Optional.empty());
    }
    return new HandlerSource.Installed(handlers);
  }

  /** The bytes of a file. */
  static byte[] bytes(Path file, int most) {
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] bytes = stream.readNBytes(most + 1);
      if (bytes.length > most) {
        throw ShellException.failed(file + " has more than " + most + " bytes");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw ShellException.failed(file + " does not exist");
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be read: " + e);
    }
  }
}
