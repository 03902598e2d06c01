package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.core.testing.RecordedAudit;
import io.isle.lib.ffi.PeerCredentials;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttachAuditTest {
  private final List<AuditEvent> log = new ArrayList<>();
  private final RecordedAudit audit = new RecordedAudit(log::add);
  private final AttachAudit events =
      new AttachAudit("lan", new AuditTrail(() -> audit, NetException::new));

  @Test
  void eachEventNamesAppProcessAndUser() {
    PeerCredentials peer = new PeerCredentials(77, -2, 5);
    Attachment.Lent file = new Attachment.Lent(0, 1);
    Attachment attachment =
        new Attachment(
            0,
            4,
            64,
            0,
            List.of(1),
            new Attachment.Tx(file, 0, 0, 128),
            file,
            List.of(new Attachment.Rx(file, 0, 0, 128, file, 0, 1, 2048, 0)));
    events.attached("echo", peer, attachment);
    events.refused("echo", peer, Errno.EACCES, "not\nyours");
    events.refused("", peer, Errno.EINVAL, "no request");
    events.detached("echo", peer, "gone");
    String process = "process 77 of user 4294967294";
    assertEquals(
        List.of(
            new AuditEvent(
                "tenant:echo", 0, "net.attach", "", "lan", 0, process + " is instance 4"),
            new AuditEvent(
                "tenant:echo", 0, "net.attach", "", "lan", Errno.EACCES, process + ": not; yours"),
            new AuditEvent(
                "user:(none)", 0, "net.attach", "", "lan", Errno.EINVAL, process + ": no request"),
            new AuditEvent("tenant:echo", 0, "net.detach", "", "lan", 0, process + ": gone")),
        log);
  }
}
