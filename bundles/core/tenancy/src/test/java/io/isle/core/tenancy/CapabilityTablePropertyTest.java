package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The table against a model that keeps every capability ever made. */
class CapabilityTablePropertyTest {
  private static final int CAPACITY = 12;
  private static final Permission[] PERMISSIONS = Permission.values();
  private static final String[] TENANTS = {"a", "b", "a:x", "a:x:y", "b:x", "ab"};

  @Property(tries = 500)
  void rightsOnlyShrinkAndRevocationReachesAllDescendants(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 1 << 24) Integer> script) {
    Model model = new Model();
    for (int step : script) {
      model.step(step % 4, step / 4);
      model.check();
    }
  }

  private static final class Model {
    final CapabilityTable table = new CapabilityTable(CAPACITY, revoked -> {});
    final List<Capability> all = new ArrayList<>();
    final Map<Capability, Capability> parents = new HashMap<>();
    final Set<Capability> revoked = new HashSet<>();
    final Set<Long> ids = new HashSet<>();

    void step(int operation, int argument) {
      CapabilitySpec spec = spec(argument);
      Capability chosen = all.isEmpty() ? null : all.get(argument % all.size());
      if (operation == 0 || chosen == null) {
        attempt(() -> added(null, table.issue(spec)));
      } else if (operation == 3) {
        table.revoke(chosen);
        revoked.add(chosen);
      } else {
        attempt(() -> added(chosen, table.delegate(chosen, spec)));
      }
    }

    void added(Capability parent, Capability child) {
      if (parent != null) {
        assertTrue(alive(parent));
        assertTrue(parent.permissions().containsAll(child.permissions()));
        assertTrue(parent.device().isEmpty() || parent.device().equals(child.device()));
        assertTrue(
            parent.maxMemoryBytes() == 0
                || child.maxMemoryBytes() > 0 && child.maxMemoryBytes() <= parent.maxMemoryBytes());
        assertEquals(parent.depth() + 1, child.depth());
        assertTrue(
            child.tenant().equals(parent.tenant())
                || child.tenant().startsWith(parent.tenant() + ":"));
      }
      assertTrue(ids.add(child.id()), "an id was given out twice");
      all.add(child);
      parents.put(child, parent);
    }

    void attempt(Runnable action) {
      try {
        action.run();
      } catch (TenancyException e) {
        assertTrue(
            Set.of(Errno.EACCES, Errno.EREVOKED, Errno.ERANGE, Errno.ENOSPC).contains(e.code()));
      }
    }

    String owner(Capability capability) {
      Capability parent = parents.get(capability);
      return parent == null ? capability.tenant() : owner(parent);
    }

    boolean alive(Capability capability) {
      return capability == null || !revoked.contains(capability) && alive(parents.get(capability));
    }

    void check() {
      List<Capability> valid = all.stream().filter(this::alive).toList();
      assertEquals(valid, table.list());
      assertTrue(valid.size() <= CAPACITY);
      Map<String, String> owners = new HashMap<>();
      for (Capability capability : valid) {
        String owner = owners.putIfAbsent(capability.tenant(), owner(capability));
        assertTrue(owner == null || owner.equals(owner(capability)), "two tenants of one name");
      }
      for (Capability capability : all) {
        assertEquals(alive(capability), capability.valid());
        assertEquals(
            alive(capability) ? Optional.of(capability) : Optional.empty(),
            table.find(capability.id()));
      }
    }
  }

  private static CapabilitySpec spec(int argument) {
    Set<Permission> permissions = EnumSet.of(PERMISSIONS[argument % PERMISSIONS.length]);
    for (int i = 0; i < PERMISSIONS.length; i++) {
      if ((argument >> i & 1) != 0) {
        permissions.add(PERMISSIONS[i]);
      }
    }
    Optional<String> device =
        (argument >> 8 & 3) == 0 ? Optional.of("soft" + (argument >> 10 & 1)) : Optional.empty();
    String tenant = TENANTS[(argument >> 13) % TENANTS.length];
    return new CapabilitySpec(tenant, permissions, device, (argument >> 11 & 3) * 1000L);
  }
}
