package io.isle.faces.shell.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingSide;
import io.isle.faces.shell.testing.FakeServices;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.console.CommandLine;
import org.junit.jupiter.api.Test;

class CompletersTest {
  private final FakeAdmin admin =
      new FakeAdmin()
          .add(Nodes.master("head", 72, 0))
          .add(
              Nodes.tail(
                  "last",
                  Nodes.down(RingSide.PREV, "shm://a", PortState.LISTENING, ""),
                  Nodes.down(RingSide.NEXT, "shm://b", PortState.CONNECTING, "")));
  private final FakeServices services = new FakeServices().add(RingAdmin.class, admin);

  @Test
  void namesOfRingsNodesKeysAndTransportsAreCompleted() {
    assertEquals(List.of("demo", "head", "last"), new RingCompleter().ids(services));
    assertEquals(List.of("head", "last"), new NodeCompleter().ids(services));
    assertEquals(List.of("head"), new MasterCompleter().ids(services));
    assertEquals(List.of("ring", "role", "next"), new KeyCompleter().ids(services));
    assertEquals(List.of("shm", "tcp", "udp"), new TransportCompleter().ids(services));
    assertEquals(List.of("own", "shared"), new ProcessCompleter().ids(services));
    assertEquals(List.of(), new RingCompleter().ids(new FakeServices()));
  }

  @Test
  void theKeyOfASettingIsCompletedForItsValue() {
    List<String> found = new ArrayList<>();
    assertEquals(12, new SettingCompleter().using(services).complete(null, line("r", 13), found));
    assertEquals(List.of("ring=", "role="), found);
    found.clear();
    assertEquals(-1, new SettingCompleter().using(services).complete(null, line("x", 13), found));
  }

  /** The cursor stands at the end of the last argument. */
  private static CommandLine line(String argument, int position) {
    return (CommandLine)
        Proxy.newProxyInstance(
            CommandLine.class.getClassLoader(),
            new Class<?>[] {CommandLine.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getCursorArgument" -> argument;
                  case "getArgumentPosition" -> argument.length();
                  case "getBufferPosition" -> position;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
