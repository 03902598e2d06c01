package io.isle.faces.shell.observe;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Writes down whom the shell, local or over ssh, refused which command. The agent, which makes
 * Karaf name what it refuses, tells it to a logger of the JDK, on the thread of the command.
 */
@Component(
    service = {},
    immediate = true)
public final class RefusalRecorder {
  static final String LOGGER = "io.isle.shell.refusal";

  /** Held, because the JDK forgets a logger that nobody holds, and its handlers with it. */
  private final Logger refusals = Logger.getLogger(LOGGER);

  private final Handler handler = new Recording();

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  private volatile Audit audit;

  @Activate
  public RefusalRecorder() {
    refusals.setUseParentHandlers(false);
    refusals.addHandler(handler);
  }

  @Deactivate
  void stop() {
    refusals.removeHandler(handler);
    refusals.setUseParentHandlers(true);
  }

  private final class Recording extends Handler {
    @Override
    public void publish(LogRecord refusal) {
      Audit book = audit;
      if (book != null) {
        book.record(
            AuditEvent.of(Actor.current(), "shell.refuse")
                .failed(Errno.EACCES, refusal.getMessage()));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** For tests. */
  RefusalRecorder with(Audit book) {
    audit = book;
    return this;
  }
}
