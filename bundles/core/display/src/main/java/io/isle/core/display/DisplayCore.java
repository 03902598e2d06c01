package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.DisplayMode;
import io.isle.api.display.Display;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.api.display.Displays;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.display.state.DeviceState;
import io.isle.core.display.state.Lineage;
import io.isle.core.display.state.Snapshot;
import io.isle.lib.ids.IdPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The screens of all devices. Thread-safe. */
final class DisplayCore implements Displays, DisplayAdmin {
  /** Ids of framebuffers. */
  static final int FRAMEBUFFERS = 4096;

  /** Of one device that recovers, or whose driver answers nonsense: no reason to hide others. */
  private static final Set<Integer> ITS_OWN =
      Set.of(Errno.ENODEV, Errno.EINTR, Errno.ETIMEDOUT, Errno.EPROTO);

  private static final System.Logger LOG = System.getLogger(DisplayCore.class.getName());

  private final Capabilities capabilities;
  private final AuditTrail audit;
  private final PinnedMemory memory;
  private final Supplier<DeviceTree> tree;
  private final Gate gate = new Gate();
  private final IdPool ids =
      new IdPool(Ids.FRAMEBUFFER, FRAMEBUFFERS, "framebuffers", AccelException::new);
  private final Map<String, DeviceDisplay> devices = new ConcurrentHashMap<>();

  /**
   * @param tree gives the device tree, or null while there is none
   */
  DisplayCore(
      Capabilities capabilities, AuditTrail audit, PinnedMemory memory, Supplier<DeviceTree> tree) {
    this.capabilities = capabilities;
    this.audit = audit;
    this.memory = memory;
    this.tree = tree;
  }

  AuditTrail audit() {
    return audit;
  }

  PinnedMemory memory() {
    return memory;
  }

  @Override
  public Display of(String device, Capability capability) {
    TenantDisplay display = new TenantDisplay(device, capability, this);
    display.check();
    return display;
  }

  /**
   * The screens of a device for a tenant.
   *
   * @throws AccelException ENODEV; EINTR
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  DeviceDisplay display(String device, Capability capability) {
    DeviceDisplay display = find(device);
    capabilities.check(capability, Permission.ACCEL_DISPLAY, device);
    return display;
  }

  private DeviceDisplay find(String device) {
    return Optional.ofNullable(devices.get(device)).orElseThrow(() -> absent(device));
  }

  /** Why a device has no screens now. */
  private AccelException absent(String device) {
    DeviceTree now = tree.get();
    if (now == null) {
      return new AccelException(
          Errno.EINTR, "the device tree, and " + device + " with the tree, restarts; try again");
    }
    Optional<DeviceNode> node = now.find(device);
    if (node.isEmpty()) {
      return new AccelException(Errno.ENODEV, device + " is not open; see device:list");
    }
    return switch (node.get().state()) {
      case ACTIVE, RECOVERING, SUSPENDED ->
          new AccelException(Errno.EINTR, device + " recovers; try again in a moment");
      case QUARANTINED, FAILED, DISABLED ->
          new AccelException(
              Errno.ENODEV, device + " is not open; see device:info " + device + " for the reason");
    };
  }

  /** On all devices; ids are the node's. */
  void prune() {
    devices.values().forEach(device -> device.framebuffers().prune());
  }

  @Override
  public List<DisplayInfo> displays() {
    List<String> names = new ArrayList<>(devices.keySet());
    names.sort(
        Comparator.comparing((String id) -> id.replaceAll("[0-9]+$", ""))
            .thenComparingInt(String::length)
            .thenComparing(Comparator.naturalOrder()));
    List<DisplayInfo> all = new ArrayList<>();
    for (String name : names) {
      try {
        all.addAll(find(name).infos());
      } catch (AccelException e) {
        if (!ITS_OWN.contains(e.code())) {
          throw e;
        }
        LOG.log(System.Logger.Level.DEBUG, "left out: {0}", e.getMessage());
      }
    }
    return all;
  }

  @Override
  public List<DisplayMode> modes(String device, int connector) {
    return find(device).modes(connector);
  }

  /** An opening of a device is to have, or has, its screens. */
  void opening(String device, Consumer<DeviceSetup> work) {
    boolean ignored =
        gate.pass(
            () -> {
              work.accept(devices.computeIfAbsent(device, this::fresh).setup());
              return true;
            });
  }

  private DeviceDisplay fresh(String device) {
    return new DeviceDisplay(device, gate, memory, ids, () -> absent(device));
  }

  /** A device is taken from its driver, or was not opened after all. */
  void end(String device) {
    DeviceDisplay display = devices.get(device);
    if (display != null) {
      display.setup().end();
    }
  }

  /** A device may be gone for good. One that comes back under its name is another. */
  void forgetGone(String device) {
    DeviceTree now = tree.get();
    if (now != null) {
      devices.computeIfPresent(
          device,
          (id, display) -> {
            // looked for here: who opens one that came back since waits, or is seen
            if (display.isOpen() || now.find(id).isPresent()) {
              return display;
            }
            display.framebuffers().clear();
            return null;
          });
    }
  }

  /** Goes on where another has stopped, as far as that is good; before anything else. */
  void restore(Snapshot before) {
    ids.follow(before.generations());
    before
        .devices()
        .forEach(
            (device, state) -> {
              opening(device, setup -> setup.restore(state));
              // an epoch is kept while one tree runs, which knows of every device opened under it
              if (state.epoch().isPresent()) {
                forgetGone(device);
              }
            });
  }

  /**
   * Begins with nothing.
   *
   * @param generation after which ids begin: devices may have framebuffers of another
   */
  void begin(int generation) {
    ids.startAfter(generation);
  }

  /** Lets nobody in any more; what is kept. */
  Snapshot close(Lineage now) {
    gate.close();
    Map<String, DeviceState> all = new TreeMap<>();
    devices.forEach(
        (device, display) -> {
          DeviceState state = display.setup().snapshot(now.memory());
          if (!state.isEmpty()) {
            all.put(device, state);
          }
        });
    return new Snapshot(now, ids.generations(), all);
  }
}
