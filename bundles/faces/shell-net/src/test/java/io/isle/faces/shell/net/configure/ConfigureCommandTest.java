package io.isle.faces.shell.net.configure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.ConfiguredSetting;
import io.isle.api.net.NetConfigure;
import io.isle.api.net.NetInterface;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigureCommandTest {
  private static final Actor ADMIN = new Actor(Actor.Kind.USER, "a", Set.of("admin"));
  private static final Actor VIEWER = new Actor(Actor.Kind.USER, "v", Set.of("viewer"));

  private final List<String> calls = new ArrayList<>();
  private final List<AuditEvent> recorded = new ArrayList<>();
  private String value = "0";
  private final FakeServices services =
      new FakeServices()
          .add(NetConfigure.class, new FakeConfigure())
          .add(Audit.class, new RecordedAudit(recorded::add));

  private final class FakeConfigure implements NetConfigure {
    private List<ConfiguredSetting> rows(String call, NetInterface target, Object what) {
      calls.add(call + " " + target.name() + " " + what);
      return List.of(
          new ConfiguredSetting(
              ConfigureStage.SYSCTL, "lo", "rp_filter", value, "2", false, Optional.empty(), call),
          new ConfiguredSetting(
              ConfigureStage.CHANNELS,
              target.name(),
              "channels",
              "",
              "",
              false,
              Optional.of("driver veth"),
              call));
    }

    @Override
    public List<ConfiguredSetting> check(NetInterface target, Set<ConfigureStage> stages) {
      return rows("check", target, stages);
    }

    @Override
    public List<ConfiguredSetting> init(
        NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
      return rows("init", target, dryRun);
    }

    @Override
    public List<ConfiguredSetting> fini(
        NetInterface target, Set<ConfigureStage> stages, boolean dryRun) {
      return rows("fini", target, dryRun);
    }
  }

  private ConfigureCommand command(String verb, String stage, boolean dryRun, Actor as) {
    return new ConfigureCommand().of(verb, "va", stage, dryRun, as);
  }

  private ShellException failure(int status, ConfigureCommand command) {
    ShellException failure = assertThrows(ShellException.class, () -> services.run(command, true));
    assertEquals(status, failure.exitStatus(), failure.getMessage());
    return failure;
  }

  @Test
  void aCheckFailsUnlessAllIsAsWanted() {
    assertTrue(failure(1, command("check", null, false, VIEWER)).getMessage().startsWith("1 of 2"));
    value = "2";
    String json = services.run(command("check", "channels", false, VIEWER), true);
    assertEquals("check va [CHANNELS]", calls.getLast());
    assertTrue(
        json.contains(
            "{\"stage\":\"channels\",\"interface\":\"va\",\"setting\":\"channels\",\"is\":null,"
                + "\"wanted\":null,\"persistent\":false,\"unsupported_by\":\"driver veth\","),
        json);
  }

  @Test
  void anAdministratorChanges() {
    String table = services.run(command("init", null, false, ADMIN), false);
    assertTrue(table.contains("unsupported by") && table.contains("rp_filter"), table);
    assertEquals("init va false", calls.getLast());
    assertTrue(services.run(command("fini", null, true, ADMIN), true).contains("\"fini\""));
    assertEquals("fini va true", calls.getLast());
  }

  @Test
  void aViewerChangesNothing() {
    failure(1, command("init", null, true, VIEWER));
    failure(1, command("fini", null, false, VIEWER));
    assertEquals(List.of(), calls);
    assertEquals(2, recorded.size());
  }

  @Test
  void wrongWordsAreNamed() {
    assertTrue(
        failure(2, command("start", null, false, ADMIN))
            .getMessage()
            .contains("init, fini, check"));
    assertTrue(
        failure(2, command("init", "all", false, ADMIN))
            .getMessage()
            .contains("sysctl, offloads, loopback, channels"));
  }
}
