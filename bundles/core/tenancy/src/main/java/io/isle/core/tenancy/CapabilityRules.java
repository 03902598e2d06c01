package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What a capability may ask for. Pure functions. */
final class CapabilityRules {
  private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private CapabilityRules() {}

  /** Returns {@code spec} if it is well-formed. */
  static CapabilitySpec checked(CapabilitySpec spec) {
    if (!TENANT.matcher(spec.tenant()).matches()) {
      throw new TenancyException(
          Errno.EINVAL, "tenant: 1 to 64 characters of A-Z a-z 0-9 . _ : - are needed");
    }
    if (!GroupNames.isName(spec.group())) {
      throw new TenancyException(
          Errno.EINVAL,
          "group: 1 to 32 characters of a-z 0-9 - are needed, and the first must not be -");
    }
    if (spec.permissions().isEmpty()) {
      throw new TenancyException(Errno.EINVAL, "permissions: at least one is needed");
    }
    if (spec.maxMemoryBytes() < 0) {
      throw new TenancyException(
          Errno.EINVAL,
          "maxMemoryBytes: " + spec.maxMemoryBytes() + " is negative; 0 means no limit");
    }
    return spec;
  }

  /** Refuses a delegation that would allow anything that {@code parent} does not. */
  static void checkNarrower(IssuedCapability parent, CapabilitySpec spec) {
    if (parent.depth() >= Capabilities.MAX_DEPTH) {
      throw new TenancyException(
          Errno.ERANGE,
          parent.text()
              + " cannot be delegated further: a chain has at most "
              + Capabilities.MAX_DEPTH
              + " delegations");
    }
    String below = parent.tenant() + ":";
    if (!spec.tenant().equals(parent.tenant())
        && !(spec.tenant().startsWith(below) && spec.tenant().length() > below.length())) {
      throw new TenancyException(
          Errno.EACCES,
          "tenant: a delegation of "
              + parent.text()
              + " needs the tenant name "
              + parent.tenant()
              + " or "
              + below
              + "NAME, not "
              + spec.tenant());
    }
    Set<Permission> extra = EnumSet.copyOf(spec.permissions());
    extra.removeAll(parent.permissions());
    if (!extra.isEmpty()) {
      throw new TenancyException(Errno.EACCES, "permissions: " + parent.text() + " lacks " + extra);
    }
    if (parent.device().isPresent() && !parent.device().equals(spec.device())) {
      throw new TenancyException(
          Errno.EACCES,
          "device: " + parent.text() + " is valid only for device " + parent.device().get());
    }
    long limit = parent.maxMemoryBytes();
    if (limit != 0 && (spec.maxMemoryBytes() == 0 || spec.maxMemoryBytes() > limit)) {
      throw new TenancyException(
          Errno.EACCES, "maxMemoryBytes: " + parent.text() + " allows at most " + limit);
    }
  }
}
