package io.isle.api.tenancy;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service that hears of each tree that comes into force, after all controllers have
 * applied it, in order, on the thread of the groups. A listener does not block and changes no
 * group.
 */
@ConsumerType
@FunctionalInterface
public interface GroupListener {
  void changed(GroupTree before, GroupTree now);
}
