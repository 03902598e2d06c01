package io.isle.net.xdp.configure;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * The values from before, of the interfaces of one network namespace, in a file that outlives the
 * platform. A restart of the machine resets the settings: a file of an earlier start is ignored.
 * Not thread-safe.
 */
final class SavedValues {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final String BOOT_KEY = "boot";
  private static final String WAS = "was ";
  private static final String SET = "set ";

  /** A value from before, and what took its place. */
  record Saved(String was, String set) {}

  private final Path file;
  private final Properties values = new Properties();

  private SavedValues(Path file) {
    this.file = file;
  }

  /**
   * Reads the file of a namespace, if there is one.
   *
   * @param namespace its number
   */
  static SavedValues open(Path folder, long namespace) {
    SavedValues saved = new SavedValues(folder.resolve("netns-" + namespace + ".properties"));
    try {
      String boot = Files.readString(BOOT).strip();
      if (Files.exists(saved.file)) {
        try (Reader reader = Files.newBufferedReader(saved.file, StandardCharsets.UTF_8)) {
          saved.values.load(reader);
        }
        if (!boot.equals(saved.values.getProperty(BOOT_KEY))) {
          saved.values.clear();
        }
      }
      saved.values.setProperty(BOOT_KEY, boot);
      return saved;
    } catch (IOException | IllegalArgumentException e) {
      throw saved.failed(e);
    }
  }

  private static String key(Knob knob) {
    return knob.interfaceName() + " " + knob.setting();
  }

  Optional<Saved> find(Knob knob) {
    String was = values.getProperty(WAS + key(knob));
    String set = values.getProperty(SET + key(knob));
    return was == null || set == null ? Optional.empty() : Optional.of(new Saved(was, set));
  }

  /** Remembers a value that is about to be replaced; the oldest one stays. */
  void save(Knob knob, String was, String set) {
    Object ignored = values.putIfAbsent(WAS + key(knob), was);
    values.setProperty(SET + key(knob), set);
    write();
  }

  void forget(Knob knob) {
    values.remove(WAS + key(knob));
    values.remove(SET + key(knob));
    write();
  }

  private void write() {
    try {
      if (values.size() == 1) {
        Files.deleteIfExists(file);
        return;
      }
      Files.createDirectories(file.getParent());
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      try (Writer writer = Files.newBufferedWriter(beside, StandardCharsets.UTF_8)) {
        values.store(writer, null);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private NetException failed(Exception e) {
    return new NetException(Errno.EIO, "values from before, " + file + ": " + e.getMessage(), e);
  }
}
