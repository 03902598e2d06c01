package io.isle.core.accel.fence;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Whose a timeline is, and who else may wait for it. Looking allocates nothing. Thread-safe. */
public final class FenceOwner {
  /** Most other tenants that a timeline is shared with. */
  public static final int MAX_SHARED = 16;

  /** Where nobody asks whose it is. */
  public static final FenceOwner NOBODY =
      new FenceOwner(
          "",
          null,
          by -> {
            throw new AccelException(
                Errno.EACCES, "timeline: timelines without an owner cannot be shared");
          });

  private final String tenant;
  private final FenceDevice device;
  private final Consumer<Capability> check;
  private volatile List<String> shared = List.of();

  /**
   * @param device of the context that it is of; null for a tenant's
   * @param check throws for a capability that is not good
   */
  public FenceOwner(String tenant, FenceDevice device, Consumer<Capability> check) {
    this.tenant = tenant;
    this.device = device;
    this.check = check;
  }

  public String tenant() {
    return tenant;
  }

  /** Null for a tenant's timeline. */
  public FenceDevice device() {
    return device;
  }

  /** Id of the device; empty for a tenant's timeline. */
  public String deviceId() {
    return device == null ? "" : device.id();
  }

  public boolean mayWait(String other) {
    if (tenant.equals(other)) {
      return true;
    }
    List<String> all = shared;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).equals(other)) {
        return true;
      }
    }
    return false;
  }

  /** See {@link io.isle.api.accel.Timeline#share}. */
  public synchronized void share(Capability by, String other) {
    check.accept(by);
    if (!by.tenant().equals(tenant)) {
      throw new AccelException(
          Errno.EACCES, "timeline: the timeline does not belong to tenant " + by.tenant());
    }
    if (other == null || other.isBlank()) {
      throw new AccelException(Errno.EINVAL, "tenant: the name is empty");
    }
    if (mayWait(other)) {
      return;
    }
    if (shared.size() == MAX_SHARED) {
      throw new AccelException(
          Errno.ENOSPC,
          "tenant: the timeline is shared with " + MAX_SHARED + " other tenants already");
    }
    List<String> more = new ArrayList<>(shared);
    more.add(other);
    shared = List.copyOf(more);
  }

  /** Other tenants that may wait. */
  public List<String> shared() {
    return shared;
  }
}
