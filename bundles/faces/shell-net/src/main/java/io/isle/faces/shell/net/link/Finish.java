package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import io.isle.lib.tango.LinkFile;
import java.io.IOException;

/** The end of a command that ran a loop: counts are printed in any case. */
final class Finish {
  private Finish() {}

  /**
   * Prints the counts; a loop that did not come to its end makes the command fail.
   *
   * @param verb such as {@code published}
   */
  static void print(LinkFile link, Output output, LinkResult result, String verb)
      throws IOException {
    // an interrupt would close the stream that the counts go to
    boolean interrupted = Thread.interrupted();
    result.print(output, verb);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (result.end()) {
      case TIMEOUT ->
          throw ShellException.failed(
              "the time is over, and only " + result.count() + " fragments are " + verb);
      case INTERRUPTED ->
          throw ShellException.interrupted(
              "interrupted after " + result.count() + " fragments were " + verb);
      case MEMORY_GONE -> {
        link.requireWhole();
        throw ShellException.failed(
            link.path() + ": a page of the file cannot be read or written; its disk may be full");
      }
      case DONE -> {
        // an access behind the end may be told late
        link.requireWhole();
      }
    }
  }
}
