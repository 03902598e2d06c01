package io.isle.faces.shell.net.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LinkCommandsTest {
  private static final FakeServices SERVICES = new FakeServices();

  @TempDir Path dir;

  private Path link() {
    return dir.resolve("link");
  }

  private <C extends LinkCommand> C on(C command) {
    command.path = link().toString();
    return command;
  }

  private CreateCommand create(int depth, int mtu) {
    CreateCommand command = on(new CreateCommand());
    command.depth = depth;
    command.mtu = mtu;
    command.fseqs = 2;
    return command;
  }

  private ProduceCommand produce(long count, int size) {
    ProduceCommand command = on(new ProduceCommand());
    command.count = count;
    command.size = size;
    return command;
  }

  private ConsumeCommand consume(long count, String from) {
    ConsumeCommand command = on(new ConsumeCommand());
    command.count = count;
    command.from = from;
    return command;
  }

  private static String json(IsleCommand command) {
    return SERVICES
        .run(command, true)
        .strip()
        .replaceFirst("\"elapsed_ns\":\\d+", "\"elapsed_ns\":0");
  }

  private static ShellException fails(int status, String why, IsleCommand command) {
    ShellException failure = assertThrows(ShellException.class, () -> SERVICES.run(command, false));
    assertTrue(failure.getMessage().contains(why), failure.getMessage());
    assertEquals(status, failure.exitStatus(), failure.getMessage());
    return failure;
  }

  private static String counts(String first, String next, long count) {
    return "{\"first_seq\":\"%s\",\"next_seq\":\"%s\",\"count\":%d,\"lost\":0,\"overruns_polling\":0,"
            .formatted(first, next, count)
        + "\"overruns_reading\":0,\"corrupt\":0,\"backpressured\":0,\"elapsed_ns\":0}";
  }

  @Test
  void aLinkIsMadeAndShown() {
    CreateCommand command = create(128, 1500);
    command.seq0 = "-1";
    String made = SERVICES.run(command, true);
    assertEquals(
        "{\"path\":\""
            + link()
            + "\",\"bytes\":213248,\"depth\":128,\"mtu\":1536,\"seq0\":\"18446744073709551615\","
            + "\"seq\":\"18446744073709551615\",\"next_seq\":\"18446744073709551615\","
            + "\"data_bytes\":199680,\"chunk0\":192,\"chunk1\":3312,\"wmark\":3288,"
            + "\"dcache_offset\":8192,\"fseq_offset\":212992,\"fseqs\":[{\"fseq\":0,\"seq0\":"
            + "\"18446744073709551615\",\"seq\":\"18446744073709551615\",\"behind\":0},{\"fseq\":1,"
            + "\"seq0\":\"18446744073709551615\",\"seq\":\"18446744073709551615\",\"behind\":0}]}\n",
        made);
    assertEquals(made, SERVICES.run(on(new InfoCommand()), true));
    assertTrue(SERVICES.run(on(new InfoCommand()), false).contains("next 18446744073709551615"));
  }

  @Test
  void fragmentsArePublishedAndTakenAcrossTheEndOfNumbers() {
    CreateCommand command = create(128, 1500);
    command.seq0 = "18446744073709551614";
    SERVICES.run(command, true);
    assertEquals(counts("18446744073709551614", "98", 100), json(produce(100, 1500)));
    assertEquals(
        counts("18446744073709551614", "98", 100), json(consume(100, "18446744073709551614")));
    ConsumeCommand reliable = consume(3, null);
    reliable.fseq = 1;
    assertEquals(counts("18446744073709551614", "1", 3), json(reliable));
    assertEquals(counts("1", "4", 3), json(reliable), "goes on where it ended");
    assertEquals(counts("98", "99", 1), json(produce(1, 1)), "goes on where it ended");
    assertTrue(SERVICES.run(produce(1, 1), false).contains("1 fragments published, next is 100"));
  }

  @Test
  void aReliableProducerEndsWithItsTimeAndTellsTheCounts() {
    SERVICES.run(create(128, 64), true);
    ProduceCommand command = produce(1000, 64);
    command.reliable = true;
    command.timeout = 0.05;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Output output = new Output(new PrintStream(bytes, true, StandardCharsets.UTF_8), true, 0);
    ShellException failure =
        assertThrows(ShellException.class, () -> command.execute(SERVICES, output));
    assertEquals(ExitStatus.FAILED, failure.exitStatus());
    String json = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(json.contains("\"next_seq\":\"128\",\"count\":128,"), json);
    assertTrue(json.contains("\"backpressured\":1,"), json);
  }

  @Test
  void theArithmeticOfALinkWithABurstIsToldByItsMtu() {
    CreateCommand command = create(128, 300);
    command.burst = 128;
    SERVICES.run(command, true);
    fails(ExitStatus.FAILED, "too small for mtu 800", mtu(produce(1, 8), 800));
    assertEquals(counts("0", "500", 500), json(mtu(produce(500, 300), 300)));
    fails(ExitStatus.USAGE, "--size 301 is not in 0..300", mtu(produce(1, 301), 300));
  }

  private static ProduceCommand mtu(ProduceCommand command, int mtu) {
    command.mtu = mtu;
    return command;
  }

  @Test
  void mistakesInTheCommandLineNameTheLimit() {
    fails(ExitStatus.USAGE, "depth 100", create(100, 64));
    fails(ExitStatus.USAGE, "mtu 0", create(128, 0));
    CreateCommand create = create(128, 64);
    create.seq0 = "18446744073709551616";
    fails(ExitStatus.USAGE, "--seq0 '18446744073709551616' is no number", create);
    create.seq0 = "-2";
    fails(ExitStatus.USAGE, "--seq0 '-2'", create);
    create.seq0 = "0";
    create.fseqs = 1025;
    fails(ExitStatus.USAGE, "fseqs 1025", create);
    create.fseqs = 0;
    create.dcacheOffset = 100L;
    fails(ExitStatus.USAGE, "offset of the dcache 100", create);
    create.dcacheOffset = null;
    SERVICES.run(create, true);
    fails(ExitStatus.FAILED, "exists", create);
    fails(ExitStatus.USAGE, "--count 0", produce(0, 1));
    fails(ExitStatus.USAGE, "--size 129 is not in 0..128", produce(1, 129));
    fails(ExitStatus.USAGE, "--count -1", consume(-1, null));
    fails(ExitStatus.USAGE, "--from 'soon'", consume(1, "soon"));
    ProduceCommand produce = produce(1, 1);
    produce.reliable = true;
    fails(ExitStatus.USAGE, "has no fseq for --reliable", produce);
    for (double value : new double[] {0, -1, Double.NaN, 1e10}) {
      produce.rate = value;
      fails(ExitStatus.USAGE, "--rate", produce);
      ConsumeCommand consume = consume(1, "now");
      consume.timeout = value;
      fails(ExitStatus.USAGE, "--timeout", consume);
    }
    ConsumeCommand consume = consume(1, "now");
    consume.fseq = 0;
    fails(ExitStatus.FAILED, "fseq 0 at", consume);
    consume.fseq = null;
    consume.delayNs = -1;
    fails(ExitStatus.USAGE, "--delay-ns -1", consume);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text"})
  void aFileWithoutALinkFails(String text) throws IOException {
    fails(ExitStatus.FAILED, "does not exist", on(new InfoCommand()));
    Files.writeString(link(), text.repeat(1000));
    fails(ExitStatus.FAILED, link() + ": ", on(new InfoCommand()));
    fails(ExitStatus.FAILED, link() + ": ", produce(1, 1));
    fails(ExitStatus.FAILED, link() + ": ", consume(1, "now"));
  }

  /** Runs a command on a thread of its own until it waits, and lets the test act then. */
  private static String during(LinkCommand command, Action action, int status) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Output output = new Output(new PrintStream(bytes, true, StandardCharsets.UTF_8), true, 0);
    Thread thread =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((any, e) -> failure.set(e))
            .start(() -> command.execute(SERVICES, output));
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    action.run(thread);
    thread.join();
    if (failure.get() instanceof ShellException e) {
      assertEquals(status, e.exitStatus(), e.getMessage());
      return e.getMessage() + "\n" + bytes.toString(StandardCharsets.UTF_8);
    }
    throw new AssertionError("did not fail", failure.get());
  }

  /** What a test does while a command runs. */
  @FunctionalInterface
  private interface Action {
    void run(Thread running) throws IOException;
  }

  private void truncate(Thread running) throws IOException {
    try (FileChannel channel = FileChannel.open(link(), StandardOpenOption.WRITE)) {
      channel.truncate(4096);
    }
  }

  @Test
  void aFileThatIsTruncatedEndsTheCommandsWithTheCounts() throws Exception {
    ProduceCommand reliable = produce(1000, 8);
    reliable.reliable = true;
    for (LinkCommand command : List.of(consume(10, "now"), reliable)) {
      Files.deleteIfExists(link());
      CreateCommand create = create(256, 64);
      create.seq0 = "120";
      SERVICES.run(create, true);
      String said = during(command, this::truncate, ExitStatus.FAILED);
      assertTrue(said.startsWith(link() + " was truncated from"), said);
      assertTrue(said.contains("\"count\":"), said);
    }
  }

  @Test
  void anInterruptEndsACommandWithTheCounts() throws Exception {
    SERVICES.run(create(128, 64), true);
    String said = during(consume(10, "now"), Thread::interrupt, ExitStatus.INTERRUPTED);
    assertTrue(said.startsWith("interrupted after 0 fragments"), said);
    assertTrue(said.contains("\"count\":0,"), said);
  }

  @Test
  void aSecondProducerIsRefused() throws Exception {
    SERVICES.run(create(128, 64), true);
    ProduceCommand slow = produce(1000, 8);
    slow.rate = 0.01;
    String said =
        during(
            slow,
            running -> {
              fails(ExitStatus.FAILED, "another program publishes", produce(1, 8));
              assertTrue(SERVICES.run(on(new InfoCommand()), true).contains("\"next_seq\":\"1\""));
              running.interrupt();
            },
            ExitStatus.INTERRUPTED);
    assertTrue(said.contains("\"count\":1,"), said);
  }

  @Test
  void theBeginIsCompleted() {
    assertEquals(List.of("now"), new FromCompleter().ids(SERVICES));
  }
}
