package io.isle.faces.shell.net.link;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.lib.tango.LinkFile;
import io.isle.lib.tango.LinkPlaces;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** A command for a link in a file, and the places of its parts. */
abstract class LinkCommand extends IsleCommand {
  @Argument(name = "path", description = "File of the link", required = true)
  @Completion(FileCompleter.class)
  String path;

  @Option(
      name = "--mcache-offset",
      description = "Offset of the mcache in the file, a multiple of 128; 0 if left out")
  long mcacheOffset;

  @Option(
      name = "--dcache-offset",
      description =
          "Offset of the dcache in the file, a multiple of 4096; if left out, the next multiple"
              + " behind the mcache")
  Long dcacheOffset;

  @Option(
      name = "--fseq-offset",
      description =
          "Offset of the first fseq in the file, a multiple of 128, which others follow; if left"
              + " out, behind the dcache")
  Long fseqOffset;

  @Option(
      name = "--chunk-base",
      description = "Offset in the file from which chunks count, a multiple of 128; 0 if left out")
  long chunkBase;

  /** Work with a link. */
  @FunctionalInterface
  interface Work<R> {
    R run(LinkFile link) throws IOException;
  }

  final Path file() {
    return path(path);
  }

  final LinkPlaces places() {
    return usage(() -> new LinkPlaces(mcacheOffset, dcacheOffset, fseqOffset, chunkBase));
  }

  /** Makes something of the command line; a limit that is not kept is a mistake there. */
  static <R> R usage(Supplier<R> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw ShellException.usage(e.getMessage());
    }
  }

  /**
   * Opens the link, works, and closes the link. What is wrong with the file is told as a failure.
   */
  final <R> R with(boolean write, Work<R> work) {
    Path file = file();
    LinkPlaces places = places();
    try (LinkFile link = LinkFile.open(file, write, places)) {
      return work.run(link);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw ShellException.failed(file + ": " + e.getMessage());
    } catch (InternalError e) {
      // before and after the loops, which have their own answer
      throw ShellException.failed(file + " was truncated, or its disk is full: " + e.getMessage());
    } catch (IOException e) {
      throw ShellException.failed(reason(e));
    }
  }

  /** What people read of an error of a file. */
  static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + " cannot be opened: permission denied";
    }
    return e instanceof FileSystemException file && file.getReason() != null
        ? file.getFile() + ": " + file.getReason()
        : e.getMessage();
  }

  static void range(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw ShellException.usage(option + " " + value + " is not in " + least + ".." + most);
    }
  }

  /** Nanoseconds of an option in seconds; the largest number if it was left out. */
  static long nanos(String option, Double seconds) {
    if (seconds == null) {
      return Long.MAX_VALUE;
    }
    if (!(seconds > 0 && seconds <= 86_400)) {
      throw ShellException.usage(option + " " + seconds + " is not in 0..86400 seconds");
    }
    return Math.max(1, (long) (seconds * 1e9));
  }

  /** A sequence number of an option: an unsigned decimal number, or -1 for the largest. */
  static long sequence(String option, String text) {
    try {
      return text.equals("-1") ? -1 : Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw ShellException.usage(
          option + " '" + text + "' is no number in 0..18446744073709551615, and not -1");
    }
  }
}
