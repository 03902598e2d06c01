package io.isle.apps.chaos.platform;

import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.wiring.BundleWiring;

/** A bundle that says what was done to it. */
public final class FakeBundle {
  /** What was done, in order; what was refused is not there. */
  public final List<String> calls = new ArrayList<>();

  private final String name;
  private final Hashtable<String, String> headers = new Hashtable<>();
  private ClassLoader loader = new OwnLoader();
  private int state = Bundle.ACTIVE;
  private int refusals;
  private String refused = "";
  private CountDownLatch stopping = new CountDownLatch(0);
  private CountDownLatch go = new CountDownLatch(0);

  public FakeBundle(String name) {
    this.name = name;
  }

  /** A framework with these bundles. */
  public static BundleContext framework(FakeBundle... bundles) {
    return Partial.of(BundleContext.class, new Framework(List.of(bundles)));
  }

  /** What there is. */
  record Framework(List<FakeBundle> bundles) {
    Bundle[] getBundles() {
      return bundles.stream()
          .map(bundle -> Partial.of(Bundle.class, bundle))
          .toArray(Bundle[]::new);
    }
  }

  /** Its manifest has this header. */
  public FakeBundle with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  /** The next changes of its state fail. */
  public void refuse(int times) {
    refusals = times;
  }

  /** It tells by the first that it is being stopped, and waits for the second. */
  public void stopWhen(CountDownLatch begun, CountDownLatch mayEnd) {
    stopping = begun;
    go = mayEnd;
  }

  /** All changes of this name fail. */
  public void refuseAlways(String call) {
    refused = call;
  }

  String getSymbolicName() {
    return name;
  }

  Dictionary<String, String> getHeaders(String locale) {
    return headers;
  }

  int getState() {
    return state;
  }

  BundleWiring adapt(Class<?> type) {
    return Partial.of(BundleWiring.class, this);
  }

  ClassLoader getClassLoader() {
    return loader;
  }

  void stop() throws BundleException, InterruptedException {
    stopping.countDown();
    go.await();
    change("stop", Bundle.RESOLVED);
  }

  void start() throws BundleException {
    change("start", Bundle.ACTIVE);
  }

  void update() throws BundleException {
    change("update", Bundle.RESOLVED);
    loader = new OwnLoader();
  }

  private void change(String call, int next) throws BundleException {
    if (refusals > 0 || call.equals(refused)) {
      refusals--;
      throw new BundleException("the resolver is busy");
    }
    calls.add(call);
    state = next;
  }

  private static final class OwnLoader extends ClassLoader {}
}
