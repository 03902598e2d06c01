package io.isle.spin.nic.manage;

import io.isle.api.base.IsleException;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.util.tracker.BundleTracker;

/** Extender: bundles with the header {@link HandlerHeader#HEADER} bring handlers, and no Java. */
public final class HandlerTracker extends BundleTracker<Long> {
  private final HandlerJudge judge;
  private final HandlerListener listener;

  /**
   * @param admission which bundles may bring handlers
   */
  public HandlerTracker(
      BundleContext context,
      HandlerRegistry registry,
      HandlerAdmission admission,
      HandlerListener listener) {
    super(context, Bundle.ACTIVE, null);
    judge = new HandlerJudge(registry, admission, listener);
    this.listener = listener;
  }

  @Override
  public Long addingBundle(Bundle bundle, BundleEvent event) {
    String header = bundle.getHeaders("").get(HandlerHeader.HEADER);
    if (header == null) {
      return null;
    }
    BroughtHandlers brought;
    try {
      brought = BroughtHandlers.of(bundle, header);
    } catch (IsleException e) {
      String text = bundle.getSymbolicName() + " " + bundle.getVersion();
      listener.refused(text, List.of(), e.code(), e.getMessage());
      return null;
    }
    judge.add(brought);
    return bundle.getBundleId();
  }

  @Override
  public void removedBundle(Bundle bundle, BundleEvent event, Long id) {
    judge.remove(id);
  }

  /** Which bundles may bring handlers may have changed. */
  public void recheck() {
    judge.again();
  }
}
