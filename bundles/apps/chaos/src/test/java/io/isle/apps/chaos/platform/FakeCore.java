package io.isle.apps.chaos.platform;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Services that a test puts in and takes away. */
public final class FakeCore implements Core {
  private final Map<Class<?>, Object> services = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();
  private volatile boolean complete = true;

  /** The service is there from now on. */
  public <S> FakeCore with(Class<S> type, S service) {
    services.put(type, service);
    changes.incrementAndGet();
    return this;
  }

  /** As {@link #with}, for a fake that has only some of the type's methods. */
  public <S> FakeCore withPartial(Class<S> type, Object fake) {
    return with(type, Partial.of(type, fake));
  }

  public void without(Class<?> type) {
    services.remove(type);
    changes.incrementAndGet();
  }

  public void complete(boolean now) {
    complete = now;
  }

  @Override
  public <S> S get(Class<S> type) {
    Object service = services.get(type);
    if (service == null) {
      throw new AwayException(type.getSimpleName() + " is away");
    }
    return type.cast(service);
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public long changes() {
    return changes.get();
  }
}
