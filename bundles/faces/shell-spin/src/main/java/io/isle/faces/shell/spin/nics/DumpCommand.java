package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.MemoryRegion;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.spin.RegionCompleter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:dump}. */
@Service
@Command(scope = "spin", name = "dump", description = "Writes memory of a context to a file")
@RequiredRole(
    value = Role.ADMIN,
    reason = "The command writes files as the platform's user, and reads what tenants keep.")
public final class DumpCommand extends IsleCommand {
  private static final int PART = 1 << 16;

  @Argument(name = "context", description = "Name of the context", required = true)
  @Completion(ContextCompleter.class)
  private String context;

  @Argument(
      index = 1,
      name = "region",
      description =
          "host:FILE, handler:FILE or scratchpad:FILE; scratchpads by cluster, then by queue; a"
              + " relative path starts at the caller's directory",
      required = true)
  @Completion(RegionCompleter.class)
  private String region;

  @Override
  protected void run(Output output) {
    int colon = region.indexOf(':');
    MemoryRegion from =
        Arrays.stream(MemoryRegion.values())
            .filter(one -> colon > 0 && region.substring(0, colon).equals(one.text()))
            .findFirst()
            .orElseThrow(
                () ->
                    ShellException.usage(
                        "'" + region + "' is not host:FILE, handler:FILE or scratchpad:FILE"));
    Path file = path(region.substring(colon + 1));
    long bytes = ContextRows.with(services(), context, one -> write(one, from, file));
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("context", context);
      document.put("region", from.text());
      document.put("file", file.toString());
      document.put("bytes", bytes);
      output.document(document);
    } else {
      output.line(bytes + " bytes of " + from.text() + " are in " + file);
    }
  }

  private static long write(ExecutionContext context, MemoryRegion from, Path file) {
    long size = context.size(from);
    byte[] part = new byte[(int) Math.min(PART, size)];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long at = 0; at < size; at += part.length) {
        byte[] piece = size - at < part.length ? new byte[(int) (size - at)] : part;
        context.read(from, at, piece);
        out.write(piece);
      }
      return size;
    } catch (NoSuchFileException e) {
      throw ShellException.failed(file + " cannot be written: its folder does not exist");
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    }
  }

  /** For tests. */
  DumpCommand of(String name, String what) {
    context = name;
    region = what;
    return this;
  }
}
