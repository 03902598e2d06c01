package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.apache.karaf.util.jaas.JaasHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client and a connection over a real socket, with Karaf's session behind it. */
class ConnectionTest {
  @TempDir Path folder;
  private final TestShell shell = new TestShell();
  private ServerSocketChannel server;
  private SocketChannel client;
  private Thread serving;

  /** What a run left: both outputs and the code. */
  private record Outcome(String out, String err, int code) {}

  /** An exception with a code of its own. */
  private static final class Missing extends Exception implements ExitStatus {
    private static final long serialVersionUID = 1;

    Missing() {
      super("cc is missing");
    }

    @Override
    public int exitStatus() {
      return MISSING;
    }
  }

  @BeforeEach
  void connect() throws IOException {
    connect(shell.factory());
  }

  private void connect(SessionFactory sessions) throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(address);
    client = SocketChannel.open(address);
    SocketChannel accepted = server.accept();
    assertTrue(new PeerCheck().admits(accepted), "this very user is let in");
    serving = Thread.ofPlatform().start(new Connection(accepted, sessions));
  }

  @AfterEach
  void disconnect() throws Exception {
    client.close();
    serving.join();
    server.close();
    shell.close();
  }

  @Test
  void bothStreamsAndTheCodeArrive() throws Exception {
    shell.command(
        "say",
        (session, arguments) -> {
          System.out.println("out " + session.get("isle.cwd") + " " + session.get("isle.columns"));
          System.err.println("err " + session.get("isle.tty"));
          return null;
        });
    send("cwd=/tmp\0columns=100\0line=test:say\0");
    assertEquals(new Outcome("out /tmp 100\n", "err false\n", 0), receive());
  }

  @Test
  void theFirstCommandThatFailsStopsTheLineWithItsCode() throws Exception {
    AtomicBoolean reached = new AtomicBoolean();
    shell.command(
        "fail",
        (session, arguments) -> {
          throw new Missing();
        });
    shell.command(
        "next",
        (session, arguments) -> {
          reached.set(true);
          return null;
        });
    send("cwd=/\0line=test:fail; test:next\0");
    assertEquals(new Outcome("", "isle: cc is missing\n", 3), receive());
    assertEquals(false, reached.get());
  }

  @Test
  void wrongUsageIsTwoAndOtherFailuresAreOne() throws Exception {
    send("cwd=/\0line=no:such\0");
    assertEquals(2, receive().code());
    disconnectAndConnect();
    send("cwd=/\0line=test:x {\0");
    assertEquals(2, receive().code());
    disconnectAndConnect();
    shell.command(
        "break",
        (session, arguments) -> {
          throw new IllegalStateException("broken");
        });
    send("cwd=/\0line=test:break\0");
    assertEquals(new Outcome("", "isle: broken\n", 1), receive());
    disconnectAndConnect();
    send("nonsense\0");
    assertEquals(2, receive().code());
  }

  /** The client would take it for the platform's end if it were told nothing. */
  @Test
  void anErrorOfACommandIsItsFailureAndNotThePlatformsEnd() throws Exception {
    shell.command(
        "break",
        (session, arguments) -> {
          throw new StackOverflowError("planned");
        });
    send("cwd=/\0line=test:break\0");
    assertEquals(new Outcome("", "isle: planned\n", 1), receive());
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aCommandThatCannotBeRunIsToldOf(Throwable thrown) throws Exception {
    client.close();
    serving.join();
    server.close();
    Files.delete(folder.resolve("s"));
    connect(broken(thrown));
    send("cwd=/\0line=test:any\0");
    Outcome outcome = receive();
    assertEquals(1, outcome.code());
    assertTrue(outcome.err().contains("planned"), outcome.err());
  }

  /** Makes no session. */
  private static SessionFactory broken(Throwable thrown) {
    return (SessionFactory)
        Proxy.newProxyInstance(
            ConnectionTest.class.getClassLoader(),
            new Class<?>[] {SessionFactory.class},
            (self, method, arguments) -> {
              throw thrown;
            });
  }

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("planned"), new OutOfMemoryError("no thread: planned"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void theNextClientIsAdmittedWhateverBecameOfTheFirst(Throwable thrown) throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("t"));
    BlockingQueue<SocketChannel> admitted = new LinkedBlockingQueue<>();
    AtomicInteger clients = new AtomicInteger();
    Thread accepting;
    try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(address);
      accepting =
          Thread.ofPlatform()
              .start(
                  () ->
                      ControlServer.accept(
                          listening,
                          channel -> {
                            if (clients.incrementAndGet() == 1) {
                              raise(thrown);
                            }
                            admitted.add(channel);
                          }));
      try (SocketChannel first = SocketChannel.open(address);
          SocketChannel second = SocketChannel.open(address);
          SocketChannel there = admitted.take()) {
        assertEquals(-1, first.read(ByteBuffer.allocate(1)), "it was closed");
        assertTrue(there.isOpen() && second.isOpen());
      }
    }
    accepting.join();
  }

  private static void raise(Throwable what) {
    switch (what) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(what);
    }
  }

  @Test
  void theRoleIsTheRequestsAndNoMore() throws Exception {
    shell.command(
        "roles",
        (session, arguments) -> {
          for (String role : Set.of("viewer")) {
            System.out.println(role + " " + JaasHelper.currentUserHasRole(role));
          }
          System.out.println("admin " + JaasHelper.currentUserHasRole("admin"));
          return null;
        });
    send("cwd=/\0role=viewer\0line=test:roles | test:roles\0");
    assertEquals("viewer true\nadmin false\n", receive().out());
  }

  @Test
  void aByteFromTheClientInterruptsTheCommand() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    shell.command("hang", (session, arguments) -> hang(started));
    send("cwd=/\0line=test:hang\0");
    assertTrue(started.await(30, TimeUnit.SECONDS));
    Channels.newOutputStream(client).write(3);
    assertEquals(130, receive().code());
  }

  @Test
  void anInterruptedCommandMaySayHowFarItCame() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    shell.command(
        "count",
        (session, arguments) -> {
          Phaser running = (Phaser) session.get("isle.running");
          running.register();
          try {
            return hang(started);
          } catch (InterruptedException e) {
            windDown();
            System.out.println("seven so far");
            return null;
          } finally {
            System.out.flush();
            running.arriveAndDeregister();
          }
        });
    send("cwd=/\0line=test:count\0");
    assertTrue(started.await(30, TimeUnit.SECONDS));
    Channels.newOutputStream(client).write(3);
    assertEquals(new Outcome("seven so far\n", "", 130), receive());
  }

  @Test
  void aClientThatLeavesInterruptsTheCommand() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    shell.command(
        "hang",
        (session, arguments) -> {
          try {
            return hang(started);
          } finally {
            interrupted.countDown();
          }
        });
    send("cwd=/\0line=test:hang\0");
    assertTrue(started.await(30, TimeUnit.SECONDS));
    client.close();
    assertTrue(interrupted.await(30, TimeUnit.SECONDS));
  }

  @Test
  void coloursOnlyReachATerminal() throws Exception {
    shell.command(
        "paint",
        (session, arguments) -> {
          System.out.print("\u001b[31;1mred\u001b[0m plain");
          return null;
        });
    send("cwd=/\0line=test:paint\0");
    assertEquals("red plain", receive().out());
    disconnectAndConnect();
    send("cwd=/\0tty=1\0line=test:paint\0");
    assertEquals("\u001b[31;1mred\u001b[0m plain", receive().out());
  }

  /** Meanwhile the shell may interrupt once more, by the command's job. */
  private static void windDown() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
    while (System.nanoTime() - end < 0) {
      boolean ignored = Thread.interrupted();
      Thread.onSpinWait();
    }
  }

  private static Object hang(CountDownLatch started) throws InterruptedException {
    started.countDown();
    new CountDownLatch(1).await();
    return null;
  }

  private void disconnectAndConnect() throws Exception {
    client.close();
    serving.join();
    server.close();
    java.nio.file.Files.delete(folder.resolve("s"));
    connect();
  }

  private void send(String request) throws IOException {
    byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
    DataOutputStream out = new DataOutputStream(Channels.newOutputStream(client));
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private Outcome receive() throws IOException {
    DataInputStream in = new DataInputStream(Channels.newInputStream(client));
    StringBuilder[] texts = {new StringBuilder(), new StringBuilder()};
    while (true) {
      int kind = in.read();
      byte[] payload = in.readNBytes(in.readInt());
      if (kind == 3) {
        int code = java.nio.ByteBuffer.wrap(payload).getInt();
        return new Outcome(texts[0].toString(), texts[1].toString(), code);
      }
      texts[kind - 1].append(new String(payload, StandardCharsets.UTF_8));
    }
  }
}
