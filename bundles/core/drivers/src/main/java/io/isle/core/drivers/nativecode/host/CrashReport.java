package io.isle.core.drivers.nativecode.host;

import io.isle.lib.shm.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a host that crashed says of it, with names for the code. The host may have written anything:
 * of files it can have read only its driver's library, its own program and what is in the system's
 * library folders, and of these it learns nothing.
 */
public final class CrashReport {
  private static final Logger LOG = LoggerFactory.getLogger(CrashReport.class);

  private static final int MAX_FRAMES = 8;
  private static final int MAX_TEXT = 300;
  private static final int MAX_NAME = 60;
  private static final String DELETED = " (deleted)";
  private static final Pattern FRAME =
      Pattern.compile("([0-9a-f]{1,16})(?: ([0-9a-f]{1,16}) (\\S.*))?");
  private static final List<String> SYSTEM =
      List.of("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib");

  private final Path library;
  private final Path host;

  /**
   * @param library the driver's
   * @param host the program that loaded it
   */
  public CrashReport(Path library, Path host) {
    this.library = library;
    this.host = host;
  }

  /**
   * A line for people; empty if the host left nothing behind. Who tells of the host's end waits for
   * it: whatever cannot be read for lack of memory, say, is left out.
   */
  String text(Channel channel) {
    StringBuilder all = new StringBuilder();
    try {
      tell(channel, all);
    } catch (RuntimeException | Error e) {
      LOG.warn("the report of a crash could not be read to its end", e);
    }
    return all.toString();
  }

  private void tell(Channel channel, StringBuilder all) {
    String text = cut(channel.crashText(), MAX_TEXT);
    if (text.isEmpty()) {
      return;
    }
    all.append(text);
    int told = 0;
    for (String line : channel.crashFrames()) {
      Matcher frame = FRAME.matcher(line);
      if (told == MAX_FRAMES || !frame.matches()) {
        break;
      }
      all.append(told == 0 ? ", at pc 0x" + frame.group(1) + " in " : ", called by ");
      all.append(frame(frame, told == 0));
      told++;
    }
  }

  /** {@code FUNCTION+0x1c (LIBRARY+0x4f2c)}, without what is not known. */
  private String frame(Matcher frame, boolean innermost) {
    if (frame.group(3) == null) {
      return innermost ? "code outside of all libraries" : "0x" + frame.group(1);
    }
    long offset = Long.parseUnsignedLong(frame.group(2), 16);
    String path = frame.group(3);
    if (path.endsWith(DELETED)) {
      path = path.substring(0, path.length() - DELETED.length());
    }
    String place = cut(name(path), MAX_NAME) + "+" + hex(offset);
    // a call that never returns may be its function's last instruction
    int back = innermost ? 0 : 1;
    return symbol(path, offset - back)
        .map(symbol -> symbol.name() + "+" + hex(symbol.offset() + back) + " (" + place + ")")
        .orElse(place);
  }

  /** The driver's library has a name of the core's on disk, which nobody knows it by. */
  private String name(String path) {
    return isSame(path, library) ? "driver" : path.substring(path.lastIndexOf('/') + 1);
  }

  private Optional<ElfSymbols.Symbol> symbol(String path, long address) {
    Optional<Path> file = readable(path);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (ElfSymbols symbols = ElfSymbols.open(file.get())) {
      return symbols.at(address);
    } catch (IOException e) {
      // it may be gone already: the offset says where it was
      return Optional.empty();
    }
  }

  private Optional<Path> readable(String path) {
    for (Path own : List.of(library, host)) {
      if (isSame(path, own)) {
        return Optional.of(own);
      }
    }
    try {
      // what lies elsewhere is not even looked at
      if (!isOfSystem(Path.of(path).normalize())) {
        return Optional.empty();
      }
      Path real = Path.of(path).toRealPath();
      return isOfSystem(real) && Files.isRegularFile(real) ? Optional.of(real) : Optional.empty();
    } catch (InvalidPathException | IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isOfSystem(Path path) {
    return SYSTEM.stream().anyMatch(path::startsWith);
  }

  /** The kernel tells paths without symbolic links. */
  private static boolean isSame(String path, Path own) {
    try {
      return path.equals(own.toRealPath().toString());
    } catch (IOException e) {
      return path.equals(own.toString());
    }
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value).toLowerCase(Locale.ROOT);
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(text.length(), most));
  }
}
