package io.isle.net.xdp.attach;

import io.isle.api.base.ForeignText;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.ffi.PeerCredentials;

/** Records who attaches to a net as an app, and who is refused. The actor is the app. */
public final class AttachAudit implements AttachEvents {
  private final String net;
  private final AuditTrail trail;

  /**
   * @param net its name
   */
  public AttachAudit(String net, AuditTrail trail) {
    this.net = net;
    this.trail = trail;
  }

  private AuditEvent event(String action, String app) {
    Actor actor = app.isEmpty() ? Actor.STRANGER : Actor.tenant(app);
    return AuditEvent.of(actor, action).object(net);
  }

  private static String process(PeerCredentials peer) {
    return "process " + peer.pid() + " of user " + Integer.toUnsignedString(peer.uid());
  }

  @Override
  public void attached(String app, PeerCredentials peer, Attachment attachment) {
    trail.record(
        event("net.attach", app).detail(process(peer) + " is instance " + attachment.instance()));
  }

  @Override
  public void refused(String app, PeerCredentials peer, int code, String reason) {
    trail.record(
        event("net.attach", app).failed(code, process(peer) + ": " + ForeignText.line(reason)));
  }

  @Override
  public void detached(String app, PeerCredentials peer, String reason) {
    trail.record(event("net.detach", app).detail(process(peer) + ": " + ForeignText.line(reason)));
  }
}
