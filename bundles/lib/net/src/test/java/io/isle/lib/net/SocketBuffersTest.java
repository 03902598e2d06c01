package io.isle.lib.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.ffi.Sockets;
import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SocketBuffersTest {
  private static final int WANTED = 8 << 20;

  private final Sockets sockets = new Sockets();
  private final SocketOptions options = new SocketOptions();
  private final int fd = sockets.socket(Sockets.AF_INET, Sockets.SOCK_STREAM);

  @AfterEach
  void close() {
    assertEquals(0, sockets.close(fd));
  }

  private static SocketBuffers limited(long most, long tuned) {
    Map<String, String> texts =
        Map.of(
            "net.core.rmem_max", most + "\n",
            "net.core.wmem_max", most + "\n",
            "net.ipv4.tcp_rmem", "4096\t131072\t" + tuned + "\n",
            "net.ipv4.tcp_wmem", "4096\t16384\t" + tuned + "\n");
    return new SocketBuffers(
        name -> {
          String text = texts.get(name);
          if (text == null) {
            throw new FileNotFoundException(name);
          }
          return text;
        },
        false);
  }

  @Test
  void theKernelsTuningIsKeptWhereItReachesFurther() {
    int before = options.get(fd, SocketOption.SO_RCVBUF);
    List<String> notes = limited(1 << 20, 32 << 20).enlarge(fd, WANTED, true);
    assertEquals(
        List.of(
            "send buffer tuned by the kernel up to 16777216 of 8388608 B",
            "receive buffer tuned by the kernel up to 16777216 of 8388608 B"),
        notes);
    assertEquals(before, options.get(fd, SocketOption.SO_RCVBUF));
  }

  @Test
  void tuningThatStaysBelowNamesTheLimitToRaise() {
    List<String> notes = limited(1 << 20, 4 << 20).enlarge(fd, WANTED, true);
    assertEquals(
        "send buffer tuned by the kernel up to 2097152 of 8388608 B; for more, raise"
            + " net.core.wmem_max to 8388608",
        notes.getFirst());
  }

  @Test
  void datagramsHaveNoTuning() {
    int most = (int) Sysctl.SYSTEM.last("net.core.rmem_max");
    String note = limited(most, 32 << 20).enlarge(fd, WANTED, false).getLast();
    int granted = options.get(fd, SocketOption.SO_RCVBUF) / 2;
    assertEquals(Math.min(most, WANTED), granted);
    assertTrue(note.startsWith("receive buffer " + granted + " of 8388608 B"), note);
    assertEquals(granted < WANTED, note.endsWith("; raise net.core.rmem_max to 8388608"), note);
  }

  @Test
  void privilegeOrLimitDecidesHereToo() {
    for (String note : new SocketBuffers().enlarge(fd, WANTED, false)) {
      assertTrue(note.contains(" 8388608 of ") || note.contains("raise net.core."), note);
    }
  }

  @Test
  void nothingWantedIsLeftToTheKernel() {
    int before = options.get(fd, SocketOption.SO_SNDBUF);
    assertEquals(1, new SocketBuffers().enlarge(fd, 0, true).size());
    assertEquals(before, options.get(fd, SocketOption.SO_SNDBUF));
  }

  @Test
  void aSettingThatTheKernelLacksCountsAsZero() {
    assertEquals(0, Sysctl.SYSTEM.last("net.core.no_such"));
    Sysctl words = name -> "cubic reno\n";
    assertEquals(0, words.last("net.ipv4.tcp_available"));
  }
}
