package io.isle.faces.shell.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImpairCommandTest {
  /** Relays that only remember. */
  private static final class Relays implements Impairments {
    final Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    final List<String> cuts = new ArrayList<>();

    @Override
    public List<ImpairmentInfo> relays() {
      return settings.keySet().stream().map(name -> find(name).orElseThrow()).toList();
    }

    @Override
    public Optional<ImpairmentInfo> find(String relay) {
      return Optional.ofNullable(settings.get(relay))
          .map(
              of ->
                  new ImpairmentInfo(
                      relay, of.get("listen"), "", true, "", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    }

    @Override
    public void create(String relay, Map<String, String> given) {
      settings.put(relay, new LinkedHashMap<>(given));
    }

    @Override
    public void set(String relay, Map<String, String> changes) {
      settings.get(relay).putAll(changes);
    }

    @Override
    public void cut(String relay) {
      cuts.add(relay);
    }

    @Override
    public boolean remove(String relay) {
      return settings.remove(relay) != null;
    }
  }

  private final Relays relays = new Relays();
  private final FakeServices services = new FakeServices().add(Impairments.class, relays);

  @Test
  void aRelayIsMadeChangedCutAndRemoved() {
    assertEquals("[]\n", services.run(new ImpairCommand(), true));
    String made = services.run(new ImpairCommand().of("r", "listen=udp://h:1", "seed=7"), true);
    assertTrue(
        made.startsWith("[{\"relay\":\"r\",\"state\":\"up\",\"listen\":\"udp://h:1\""), made);
    assertTrue(made.contains("\"lost\":4,\"duplicated\":5,\"reordered\":6"), made);
    String changed = services.run(new ImpairCommand().of("r", "seed=8").toCut(), false);
    assertTrue(changed.contains("udp://h:1"), changed);
    assertEquals("8", relays.settings.get("r").get("seed"));
    assertEquals(List.of("r"), relays.cuts);
    String gone = services.run(new ImpairCommand().of("r").toRemove(), true);
    assertTrue(gone.contains("\"relay\":\"r\""), gone);
    assertEquals(Map.of(), relays.settings);
  }

  @Test
  void wrongCombinationsAreNamed() {
    assertTrue(failure(new ImpairCommand().toCut()).contains("need the name of a relay"));
    assertTrue(failure(new ImpairCommand().of("r", "a=1").toRemove()).contains("neither --cut"));
    assertTrue(failure(new ImpairCommand().of("none")).contains("no relay 'none'"));
    assertTrue(failure(new ImpairCommand().of("r", "seed")).contains("KEY=VALUE"));
  }

  private String failure(ImpairCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).getMessage();
  }
}
