package io.isle.core.observe;

import io.isle.api.base.MonotonicClock;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers {@link Audit} on the instance's data folder. Settings act on the running book. */
@Component(service = Audit.class, configurationPid = "io.isle.audit", immediate = true)
public final class AuditComponent implements Audit {
  private static final Logger LOG = LoggerFactory.getLogger(AuditComponent.class);

  private final AuditBook book;
  private AuditLimits limits;

  @Activate
  public AuditComponent(BundleContext context, Map<String, Object> settings) {
    String data = context.getProperty("karaf.data");
    if (data == null) {
      throw new IllegalStateException("karaf.data is not set: there is no place for audit files");
    }
    limits = checked(settings, AuditLimits.DEFAULT);
    book =
        new AuditBook(
            Path.of(data, "audit"),
            limits,
            MonotonicClock.SYSTEM,
            InstantSource.system(),
            LOG::warn);
    book.start();
  }

  @Modified
  void modified(Map<String, Object> settings) {
    AuditLimits changed = checked(settings, limits);
    if (!changed.equals(limits)) {
      limits = changed;
      book.set(changed);
      book.record(AuditBook.own("audit.settings").detail(changed.toString()));
    }
  }

  @Deactivate
  void deactivate() {
    book.close();
  }

  @Override
  public void record(AuditEvent event) {
    book.record(event);
  }

  @Override
  public List<AuditRecord> tail(int limit, AuditFilter filter) {
    return book.tail(limit, filter);
  }

  @Override
  public List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException {
    return book.awaitNext(filter);
  }

  private static AuditLimits checked(Map<String, Object> settings, AuditLimits last) {
    AuditLimits.Checked checked = AuditLimits.of(settings, last);
    checked.complaints().forEach(text -> LOG.warn("io.isle.audit: {}", text));
    return checked.limits();
  }
}
