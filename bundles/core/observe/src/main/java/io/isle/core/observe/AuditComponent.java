package io.isle.core.observe;

import io.isle.api.base.CheckedSettings;
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
@Component(service = Audit.class, configurationPid = AuditLimits.PID, immediate = true)
public final class AuditComponent implements Audit {
  private static final Logger LOG = LoggerFactory.getLogger(AuditComponent.class);

  private final AuditBook book;
  private CheckedSettings settings;

  @Activate
  public AuditComponent(BundleContext context, Map<String, Object> properties) {
    String data = context.getProperty("karaf.data");
    if (data == null) {
      throw new IllegalStateException(
          "the property karaf.data is not set, which names the folder of audit files");
    }
    settings =
        CheckedSettings.defaults(AuditLimits.SCHEMA).change(properties, AuditComponent::refused);
    book =
        new AuditBook(
            Path.of(data, "audit"),
            AuditLimits.of(settings),
            MonotonicClock.SYSTEM,
            InstantSource.system(),
            LOG::warn);
    book.start();
  }

  @Modified
  void modified(Map<String, Object> properties) {
    CheckedSettings now = settings.change(properties, AuditComponent::refused);
    Map<String, String> changes = now.since(settings);
    settings = now;
    if (!changes.isEmpty()) {
      book.set(AuditLimits.of(now));
      book.record(AuditBook.own("audit.settings").detail(changes.toString()));
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

  private static void refused(String why) {
    LOG.warn("{}: {}", AuditLimits.PID, why);
  }
}
