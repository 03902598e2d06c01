package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.JournalInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code accel:journal}. */
@Service
@Command(
    scope = "accel",
    name = "journal",
    description =
        "Records the inputs and decisions of a device's scheduler in a file for isle sim --replay")
@RequiredRole(value = Role.ADMIN, reason = "The command writes a file as the platform's user.")
public final class JournalCommand extends IsleCommand {
  private static final int MAX_SECONDS = 3600;

  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String device;

  @Option(name = "--seconds", description = "Length of the recording in seconds, 1 to 3600")
  private int seconds = 10;

  @Option(
      name = "--out",
      description =
          "File to write; an existing file is replaced; a relative path starts at the caller's"
              + " directory",
      required = true)
  @Completion(FileCompleter.class)
  private String file;

  @Override
  protected void run(Output output) {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw ShellException.usage("--seconds " + seconds + " is not within 1 to " + MAX_SECONDS);
    }
    Path path = path();
    JournalInfo written = services().with(AccelAdmin.class, admin -> write(admin, path));
    if (output.json()) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("device", device);
      result.put("file", path.toString());
      result.put("records", written.records());
      result.put("missed", written.missed());
      result.put("bytes", written.bytes());
      output.document(result);
    } else {
      output.line(path + " has " + written.records() + " records in " + written.bytes() + " bytes");
      if (written.missed() > 0) {
        output.line(
            "the journal ends early, because records came faster than the disk took them; "
                + written.missed()
                + " records at least are missing");
      }
    }
  }

  private Path path() {
    try {
      Object directory = session() == null ? null : session().get("isle.cwd");
      Path path =
          directory == null ? Path.of(file) : Path.of(directory.toString(), "").resolve(file);
      return path.toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw ShellException.usage("file '" + file + "' is not a path: " + e.getReason());
    }
  }

  /** Writes beside the file and renames, so that nobody sees half of it. */
  private JournalInfo write(AccelAdmin admin, Path path) {
    if (path.getFileName() == null || Files.isDirectory(path)) {
      throw ShellException.failed(path + " cannot be written: the path is a directory");
    }
    Path beside = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      JournalInfo written;
      try (OutputStream out =
          new BufferedOutputStream(Files.newOutputStream(beside, StandardOpenOption.CREATE_NEW))) {
        written = admin.journal(device, Duration.ofSeconds(seconds), out);
      }
      Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return written;
    } catch (IOException e) {
      throw ShellException.failed(path + " cannot be written: " + e);
    } finally {
      delete(beside);
    }
  }

  /** What could not be made whole, or not be renamed. */
  private static void delete(Path part) {
    try {
      boolean ignored = Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For tests. */
  JournalCommand of(String id, int time, String to) {
    device = id;
    seconds = time;
    file = to;
    return this;
  }
}
