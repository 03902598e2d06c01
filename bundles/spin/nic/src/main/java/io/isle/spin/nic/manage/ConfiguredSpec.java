package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.Ruleset;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.settings.ContextSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What a context of the settings is attached with. */
final class ConfiguredSpec {
  private ConfiguredSpec() {}

  /**
   * Reads all files that the settings name.
   *
   * @throws SpinException ENOENT, EINVAL, EIO, EMSGSIZE with the key
   */
  static ContextSpec of(String name, ContextSettings settings) {
    HandlerSource handlers =
        settings.file().isPresent()
            ? image(settings.file().get())
            : new HandlerSource.Installed(settings.handlers());
    ContextSpec spec =
        ContextSpec.of(name, handlers)
            .withHostPages(settings.hostPages())
            .withHandlerMemory(settings.handlerMemory())
            .withScratchpad(settings.scratchpad())
            .withHostReply(settings.hostReply());
    if (settings.init().isPresent()) {
      spec = spec.withInit(bytes("init", settings.init().get(), settings.handlerMemory()));
    }
    Optional<Ruleset> rules = settings.rules();
    if (rules.isPresent()) {
      spec = spec.withRules(rules.get());
    }
    return settings.slot().isPresent() ? spec.withSlot(settings.slot().getAsInt()) : spec;
  }

  private static HandlerImage image(Path file) {
    String shown = String.valueOf(file.getFileName()).replaceAll("[^ -~]", "?");
    return new HandlerImage(
        shown.substring(0, Math.min(shown.length(), HandlerImage.MAX_NAME)),
        bytes("handlers", file, HandlerImage.MAX_BYTES),
        Optional.empty());
  }

  private static byte[] bytes(String key, Path file, int most) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // the read of a pipe would wait
      throw new SpinException(Errno.EINVAL, key + ": " + file + " is no regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new SpinException(
            Errno.EMSGSIZE, key + ": " + file + " has more than " + most + " bytes");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new SpinException(Errno.ENOENT, key + ": " + file + " does not exist", e);
    } catch (IOException e) {
      throw new SpinException(Errno.EIO, key + ": " + file + " cannot be read: " + e, e);
    }
  }
}
