package io.isle.faces.shell.observe;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.CommandSessionListener;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Writes down whom the shell, local or over ssh, refused which command. */
@Component(service = CommandSessionListener.class)
public final class RefusalListener implements CommandSessionListener {
  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  private volatile Audit audit;

  @Override
  public void beforeExecute(CommandSession session, CharSequence line) {}

  @Override
  public void afterExecute(CommandSession session, CharSequence line, Object result) {}

  /** On the thread of the command, as its user. Of the line only what the refusal names is kept. */
  @Override
  public void afterExecute(CommandSession session, CharSequence line, Exception thrown) {
    Audit book = audit;
    for (Throwable cause = thrown; cause != null && book != null; cause = cause.getCause()) {
      if (cause instanceof SecurityException refusal) {
        book.record(
            AuditEvent.of(Actor.current(), "shell.refuse")
                .failed(Errno.EACCES, String.valueOf(refusal.getMessage())));
        return;
      }
    }
  }

  /** For tests. */
  RefusalListener with(Audit book) {
    audit = book;
    return this;
  }
}
