package io.isle.faces.shell.spin.nics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.HostRequestHandler;
import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.Nic;
import io.isle.api.spin.NicAdmin;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.NicSpec;
import io.isle.api.spin.Nics;
import io.isle.api.spin.QueueInfo;
import io.isle.api.spin.TemporaryNic;
import io.isle.api.spin.TextPart;
import io.isle.api.spin.TrapEvent;
import io.isle.api.tenancy.Capability;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NicCommandsTest {
  private static final int MEMORY = 100_000;

  @TempDir private Path folder;
  private final List<String> calls = new ArrayList<>();
  private final FakeServices services =
      new FakeServices().add(Nics.class, new OneNic()).add(NicAdmin.class, new OneContext());

  private static ContextStats stats(long packets) {
    return new ContextStats(
        packets,
        600,
        3,
        0,
        0,
        1,
        2,
        3,
        9,
        1,
        packets * 1_000_000,
        packets,
        600,
        0,
        0,
        0,
        List.of(new ContextStats.Counter(0, 0), new ContextStats.Counter(7, 2)));
  }

  private static ContextInfo info(long packets) {
    return new ContextInfo(
        "ping",
        "nic0",
        0,
        "udp-ping",
        "AND IP EOM FALSE",
        "t",
        "g",
        true,
        ContextState.ATTACHED,
        "",
        4,
        stats(packets));
  }

  private static final class OneNic implements Nics, Nic {
    @Override
    public List<Nic> list() {
      return List.of(this);
    }

    @Override
    public Optional<Nic> find(String name) {
      return Optional.<Nic>of(this).filter(any -> name.equals("nic0"));
    }

    @Override
    public NicInfo info() {
      return new NicInfo(
          "nic0",
          "spin0",
          "packet:eth0",
          "",
          "down",
          "no such interface",
          1,
          2,
          8,
          3,
          1,
          10,
          5,
          2,
          3,
          4);
    }

    @Override
    public List<HpuInfo> hpus() {
      return List.of(
          new HpuInfo("nic0", 0, 0, "running", "ping", "packet", 4, 20, 1500),
          new HpuInfo("nic0", 1, 0, "idle", "", "", -1, 0, 0));
    }

    @Override
    public List<QueueInfo> queues() {
      return List.of(new QueueInfo("nic0", "ping", 4, "payload", 20, 1, 2, 1_000_000));
    }

    @Override
    public ExecutionContext attach(Capability capability, ContextSpec spec) {
      throw new UnsupportedOperationException();
    }
  }

  private final class OneContext implements NicAdmin, ExecutionContext {
    @Override
    public List<ContextInfo> contexts() {
      return List.of(NicCommandsTest.info(10));
    }

    @Override
    public Optional<ExecutionContext> find(String name) {
      return Optional.<ExecutionContext>of(this).filter(any -> name.equals("ping"));
    }

    @Override
    public void attach(String name) {
      calls.add("attach " + name);
    }

    @Override
    public void detach(String name) {
      calls.add("detach " + name);
    }

    @Override
    public void swap(String name, HandlerSource handlers) {
      calls.add("swap " + name + " " + handlers);
    }

    @Override
    public TemporaryNic make(NicSpec spec) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ContextInfo info() {
      return NicCommandsTest.info(10);
    }

    @Override
    public long size(MemoryRegion region) {
      return MEMORY;
    }

    @Override
    public void read(MemoryRegion region, long offset, byte[] to) {
      for (int i = 0; i < to.length; i++) {
        to[i] = (byte) (offset + i + region.ordinal());
      }
    }

    @Override
    public void write(MemoryRegion region, long offset, byte[] from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int poll(HostRequestHandler handler, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void listen(HostRequestHandler handler, Executor executor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean respond(int hpu, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void swap(HandlerSource handlers) {
      throw new UnsupportedOperationException();
    }

    @Override
    public TextPart text(long from) {
      return new TextPart(5, "hello\n");
    }

    @Override
    public Optional<TrapEvent> trap() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  private String json(IsleCommand command) {
    return services.run(command, true).replaceAll("\\s+", "");
  }

  @Test
  void interfacesHpusAndQueuesAreFlatObjects() {
    assertEquals(
        "[{\"nic\":\"nic0\",\"device\":\"spin0\",\"port\":\"packet:eth0\",\"host\":null,"
            + "\"state\":\"down\",\"contexts\":1,\"clusters\":2,\"hpus\":8,\"parallel\":3,"
            + "\"running\":1,\"received\":10,\"dropped\":5,\"unmatched\":2,\"sent\":3,\"unsent\":4,"
            + "\"error\":\"nosuchinterface\"}]",
        json(new ListCommand().of(null)));
    assertEquals(
        "[{\"nic\":\"nic0\",\"hpu\":0,\"cluster\":0,\"state\":\"running\",\"context\":\"ping\","
            + "\"handler\":\"packet\",\"queue\":4,\"message\":20,\"running_ns\":1500},"
            + "{\"nic\":\"nic0\",\"hpu\":1,\"cluster\":0,\"state\":\"idle\",\"context\":null,"
            + "\"handler\":null,\"queue\":null,\"message\":null,\"running_ns\":0}]",
        json(new HpusCommand().of("nic0")));
    assertEquals(
        "[{\"nic\":\"nic0\",\"context\":\"ping\",\"queue\":4,\"state\":\"payload\",\"message\":20,"
            + "\"waiting\":1,\"running\":2,\"idle_ns\":1000000}]",
        json(new QueuesCommand().of(null)));
    ShellException refusal =
        assertThrows(ShellException.class, () -> json(new QueuesCommand().of("nic1")));
    assertEquals("no network interface 'nic1'; see spin:list", refusal.getMessage());
  }

  @Test
  void contextsAndCountersAreFlatObjects() {
    assertEquals(
        "[{\"context\":\"ping\",\"nic\":\"nic0\",\"slot\":0,\"handlers\":\"udp-ping\","
            + "\"rules\":\"ANDIPEOMFALSE\",\"tenant\":\"t\",\"group\":\"g\",\"configured\":true,"
            + "\"state\":\"attached\",\"slots\":4,\"packets\":10,\"messages\":3,\"drops\":6,"
            + "\"traps\":1,\"reason\":null}]",
        json(new ContextsCommand().of("ping")));
    String counters = json(new CountersCommand().of(null));
    assertTrue(
        counters.contains(
            "{\"context\":\"ping\",\"counter\":\"handler_1\",\"value\":7,\"count\":2}]"),
        counters);
    assertTrue(counters.contains("\"counter\":\"dropped_slots\",\"value\":2,\"count\":null"));
    assertThrows(ShellException.class, () -> json(new CountersCommand().of("pong")));
  }

  @Test
  void administratorsChangeContexts() {
    services.run(new AttachCommand().of("ping"), false);
    services.run(new DetachCommand().of("ping"), false);
    services.run(new SwapCommand().of("ping", "other"), false);
    assertEquals(List.of("attach ping", "detach ping", "swap ping Installed[name=other]"), calls);
  }

  @Test
  void memoryGoesToAFile() throws IOException {
    Path file = folder.resolve("a b");
    String document = json(new DumpCommand().of("ping", "scratchpad:" + file));
    assertTrue(document.contains("\"bytes\":100000"), document);
    byte[] expected = new byte[MEMORY];
    new OneContext().read(MemoryRegion.SCRATCHPAD, 0, expected);
    assertArrayEquals(expected, Files.readAllBytes(file));
    ShellException refusal =
        assertThrows(ShellException.class, () -> json(new DumpCommand().of("ping", "heap:x")));
    assertEquals(2, refusal.exitStatus());
    Path nowhere = folder.resolve("no/folder");
    assertEquals(
        1,
        assertThrows(
                ShellException.class, () -> json(new DumpCommand().of("ping", "host:" + nowhere)))
            .exitStatus());
  }

  @Test
  void textIsPrintedAsItIs() {
    assertEquals("hello\n", services.run(new StdoutCommand().of("ping", false), false));
    assertEquals(
        "{\"context\":\"ping\",\"from\":5,\"text\":\"hello\\n\"}",
        json(new StdoutCommand().of("ping", false)));
    assertEquals(
        2,
        assertThrows(ShellException.class, () -> json(new StdoutCommand().of("ping", true)))
            .exitStatus());
  }

  @Test
  void topShowsRates() {
    TopReading before = new TopReading(0, List.of(info(10)));
    TopReading now = new TopReading(2_000_000_000, List.of(info(1010)));
    TopRow row = TopRow.between(before, now).getFirst();
    assertEquals(500, row.packets());
    assertEquals(0.5, row.hpus());
    assertEquals(0, row.drops());
  }
}
