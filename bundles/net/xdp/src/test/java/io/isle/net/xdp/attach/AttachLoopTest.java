package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.net.xdp.attach.AttachClients.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A loop on a real socket, with a clock of the test. */
@Timeout(60)
class AttachLoopTest {
  private static final long BEGIN_NS = 5;

  @TempDir Path folder;
  private final FakeOwner owner = new FakeOwner(2);
  private AttachSocket socket;
  private AttachLoop loop;
  private AttachClients clients;

  @BeforeEach
  void listen() {
    Path path = folder.resolve("s");
    socket = AttachSocket.listen(path, 0600);
    loop = new AttachLoop(socket.descriptor(), owner, owner);
    clients = new AttachClients(path);
    owner.users.put("mine", PeerCredentials.ownUid());
    owner.users.put("full", PeerCredentials.ownUid());
    owner.users.put("theirs", PeerCredentials.ownUid() + 1);
  }

  @AfterEach
  void close() {
    clients.close();
    loop.close();
    socket.close();
    owner.close();
  }

  private Answer ask(byte[] message, int... descriptors) {
    int client = clients.connect();
    clients.send(client, message, descriptors);
    loop.cycle(BEGIN_NS);
    return clients.answer(client);
  }

  private void refused(Answer answer, int code, String part) {
    assertEquals(-code, answer.code(), answer.reason());
    assertTrue(answer.reason().contains(part), answer.reason());
    assertEquals(0, answer.tiles() + answer.descriptors());
    assertEquals(0, owner.attached());
    assertTrue(owner.log.getLast().startsWith("refused "), owner.log.toString());
    assertTrue(owner.log.getLast().contains(" " + code + " "), owner.log.toString());
  }

  @Test
  void anAppGetsItsDescriptorsAndLivesAsLongAsItsConnection() {
    int client = clients.ask("mine");
    loop.cycle(BEGIN_NS);
    assertEquals(new Answer(0, "", 2, 8), clients.answer(client));
    assertEquals(1, owner.attached());
    loop.cycle(BEGIN_NS + 10 * AttachLoop.PATIENCE_NS);
    assertEquals(1, owner.attached());
    assertEquals(Long.MAX_VALUE, loop.deadlineNs());
    clients.leave(client);
    loop.cycle(BEGIN_NS);
    assertEquals(0, owner.attached());
    assertEquals(
        List.of("attached mine 0", "detached mine the process has detached"), owner.log);
  }

  @Test
  void anotherUserIsRefused() {
    refused(ask(AttachClients.request("theirs")), Errno.EACCES, "app theirs is for processes of");
  }

  @Test
  void anUnknownAppIsRefused() {
    refused(ask(AttachClients.request("nobody")), Errno.ENOENT, "no app nobody");
  }

  @Test
  void theReasonOfTheOwnerIsTold() {
    refused(ask(AttachClients.request("full")), Errno.ENOMEM, "the net needs 9 frames and has 8");
  }

  @Test
  void aDefectOfTheOwnerIsARefusal() {
    owner.failure = new IllegalStateException("a defect, for the test");
    refused(ask(AttachClients.request("mine")), Errno.EIO, "the net could not make links");
    owner.failure = null;
    assertEquals(0, ask(AttachClients.request("mine")).code());
  }

  @ParameterizedTest
  @CsvSource({"1,the request has 1 bytes", "63,63 bytes", "65,more than 64 bytes", "4000,more than"})
  void wrongSizesAreRefused(int bytes, String reason) {
    refused(ask(Arrays.copyOf(AttachClients.request("mine"), bytes)), Errno.EINVAL, reason);
  }

  @ParameterizedTest
  @CsvSource({
    "0,1,22,magic",
    "4,2,71,the request has version 2",
    "6,65,22,the request says 65 bytes",
    "63,1,22,reserved",
    "39,1,22,the name of the app",
    "14,1,22,the name of the app",
    "8,47,22,the name of the app",
    "8,-61,22,the name of the app",
    "8,0,22,the name of the app"
  })
  void wrongFieldsAreRefusedByTheirNames(int at, int value, int code, String reason) {
    byte[] message = AttachClients.request("mine");
    message[at] = (byte) value;
    refused(ask(message), code, reason);
  }

  @Test
  void descriptorsOfAClientAreRefusedAndClosed() {
    try (EventDescriptor passed = new EventDescriptor()) {
      refused(
          ask(AttachClients.request("mine"), passed.descriptor()), Errno.EINVAL, "a descriptor");
      refused(
          ask(AttachClients.request("mine"), passed.descriptor(), passed.descriptor()),
          Errno.EINVAL,
          "a descriptor");
    }
  }

  @Test
  void aSilentClientIsRefusedInTime() {
    int client = clients.connect();
    loop.cycle(BEGIN_NS);
    assertEquals(BEGIN_NS + AttachLoop.PATIENCE_NS, loop.deadlineNs());
    loop.cycle(BEGIN_NS + AttachLoop.PATIENCE_NS - 1);
    assertFalse(clients.isEnded(client));
    loop.cycle(BEGIN_NS + AttachLoop.PATIENCE_NS);
    refused(clients.answer(client), Errno.ETIMEDOUT, "within 2 seconds");
    assertTrue(clients.isEnded(client));
    assertEquals(Long.MAX_VALUE, loop.deadlineNs());
  }

  @Test
  void theSilentDoNotKeepOthersOut() {
    List<Integer> silent = new ArrayList<>();
    for (int i = 0; i < AttachLoop.MOST_NEWCOMERS; i++) {
      silent.add(clients.connect());
    }
    loop.cycle(BEGIN_NS);
    refused(ask(AttachClients.request("mine")), Errno.EAGAIN, "8 processes connect at once");
    assertFalse(clients.isEnded(silent.getFirst()));
    loop.cycle(BEGIN_NS + AttachLoop.PATIENCE_NS);
    int client = clients.ask("mine");
    loop.cycle(BEGIN_NS + AttachLoop.PATIENCE_NS);
    assertEquals(0, clients.answer(client).code());
  }

  @Test
  void whoOnlyLooksIsForgottenWithoutAWord() {
    clients.leave(clients.connect());
    loop.cycle(BEGIN_NS);
    loop.cycle(BEGIN_NS);
    assertEquals(List.of(), owner.log);
    assertEquals(Long.MAX_VALUE, loop.deadlineNs());
  }

  @Test
  void aSecondMessageEndsTheAttachment() {
    int client = clients.ask("mine");
    loop.cycle(BEGIN_NS);
    assertEquals(0, clients.answer(client).code());
    clients.send(client, new byte[] {1});
    loop.cycle(BEGIN_NS);
    assertEquals(0, owner.attached());
    assertTrue(clients.isEnded(client));
    assertEquals("detached mine the process has sent a second message", owner.log.getLast());
  }

  @Test
  void moreThanTheMostAreRefusedUntilOneLeaves() {
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < AttachLoop.MOST_ATTACHED; i++) {
      all.add(clients.ask("mine"));
      loop.cycle(BEGIN_NS);
      assertEquals(0, clients.answer(all.getLast()).code());
    }
    Answer refusal = ask(AttachClients.request("mine"));
    assertEquals(-Errno.ENOSPC, refusal.code());
    assertEquals(AttachLoop.MOST_ATTACHED, owner.attached());
    clients.leave(all.get(7));
    loop.cycle(BEGIN_NS);
    assertEquals(0, ask(AttachClients.request("mine")).code());
  }

  @Test
  void theEndOfAnAppEndsItsAttachmentsAlone() {
    owner.users.put("other", PeerCredentials.ownUid());
    int first = clients.ask("mine");
    int second = clients.ask("other");
    loop.cycle(BEGIN_NS);
    assertEquals(0, clients.answer(first).code());
    assertEquals(0, clients.answer(second).code());
    loop.end("mine");
    assertEquals(1, owner.attached());
    assertTrue(clients.isEnded(first));
    assertFalse(clients.isEnded(second));
    loop.close();
    assertEquals(0, owner.attached());
    assertTrue(clients.isEnded(second));
  }
}
