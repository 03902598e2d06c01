package io.isle.faces.shell.net.program;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.faces.shell.ShellException;
import io.isle.lib.packet.Ipv4;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Matches of frames as users write them. */
final class Matches {
  private Matches() {}

  /**
   * Reads the options of a match.
   *
   * @param ports numbers with commas between
   * @param address A.B.C.D; null for any
   * @throws ShellException as a usage error
   */
  static FrameMatch of(String ports, String address, boolean gre) {
    List<Integer> numbers = new ArrayList<>();
    for (String number : ports.split(",", -1)) {
      if (!number.strip().matches("[0-9]{1,5}")) {
        throw ShellException.usage(
            "--ports '" + ports + "': 1 to 16 numbers from 1 to 65535 stand with commas between");
      }
      numbers.add(Integer.parseInt(number.strip()));
    }
    try {
      return new FrameMatch(numbers, address(address), gre);
    } catch (NetException e) {
      throw ShellException.usage("--" + e.getMessage());
    }
  }

  private static OptionalInt address(String text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      int address = Ipv4.parse(text);
      if (address == 0) {
        throw ShellException.usage("--dst 0.0.0.0 is no destination; any address: without --dst");
      }
      return OptionalInt.of(address);
    } catch (IllegalArgumentException e) {
      throw ShellException.usage("--dst " + e.getMessage());
    }
  }
}
