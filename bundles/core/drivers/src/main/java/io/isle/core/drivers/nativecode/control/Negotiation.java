package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What core and driver agreed on when the device was opened (accelerator framework, 42.2.2).
 *
 * @param info the device
 * @param programKinds kinds of program sources that the driver takes
 * @param polled whether the driver says what has ended only when it is asked
 * @param kernelsInProcess whether kernels are code of the driver's process, as it says
 * @param interfaces in the driver's order
 */
public record Negotiation(
    DeviceInfo info,
    Set<Programs.Kind> programKinds,
    boolean polled,
    boolean kernelsInProcess,
    List<Interface> interfaces) {
  static final int BASE = 0x1;
  public static final int COMPUTE = 0x2;
  public static final int DISPLAY = 0x3;
  public static final int PROGRAMS = 0x100;
  static final int SHARED_MEMORY = 0x101;
  public static final int POWER = 0x103;
  public static final int HEALTH = 0x104;
  public static final int PAGE_RETIREMENT = 0x105;
  public static final int SCANOUT = 0x106;
  static final int EXECUTION = 0x107;
  public static final int HPU = 0x108;
  public static final int FAULT_INJECTION = 0x1f0;

  private static final int IN_PROCESS = 1;
  private static final int POLLING = 2;

  /** Places of optional entries among those of AccelBase. */
  private static final int PREEMPT_CONTEXT = 5;

  private static final int MIGRATE_PAGES = 9;

  /** Place of the optional entry among those of programs. */
  private static final int KERNEL = 5;

  /** Place of the optional entry for several files among those of programs. */
  private static final int SOURCES = 6;

  /**
   * One interface.
   *
   * @param version major in the upper 16 bits; 0 when absent
   * @param size the driver's vtable_size
   * @param entries bit set of callable entries in vtable order
   */
  record Interface(int id, int version, long size, long entries) {
    String text() {
      return name(id)
          + " "
          + (version >>> 16)
          + "."
          + (version & 0xffff)
          + ", "
          + size
          + " bytes, "
          + Long.bitCount(entries)
          + " entries";
    }
  }

  static Negotiation of(MemorySegment response) {
    CStruct type = WireStructs.OPEN_RESPONSE;
    CStruct one = WireStructs.NEGOTIATED;
    DeviceInfo info = Decoder.info(response.asSlice(type.offset("info")));
    int count = Decoder.range("interface_count", type.get(response, "interface_count"), 0, 16);
    List<Interface> interfaces = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      MemorySegment at = response.asSlice(type.offset("interfaces") + i * one.size());
      if (one.get(at, "version") != 0) {
        interfaces.add(
            new Interface(
                one.getInt(at, "interface_id"),
                one.getInt(at, "version"),
                one.get(at, "vtable_size"),
                one.get(at, "entries")));
      }
    }
    return new Negotiation(
        info,
        kinds(type.get(response, "program_kinds")),
        type.getInt(response, "completion_mode") == POLLING,
        (type.getInt(response, "execution") & IN_PROCESS) != 0,
        List.copyOf(interfaces));
  }

  /** Kinds of a newer ABI are nobody's to ask for. */
  private static Set<Programs.Kind> kinds(long bits) {
    Set<Programs.Kind> kinds = EnumSet.noneOf(Programs.Kind.class);
    for (Programs.Kind kind : Programs.Kind.values()) {
      if ((bits >> kind.ordinal() + 1 & 1) != 0) {
        kinds.add(kind);
      }
    }
    return Set.copyOf(kinds);
  }

  public boolean has(int id) {
    return interfaces.stream().anyMatch(found -> found.id() == id);
  }

  /** Whether the driver takes programs of several files. */
  public boolean takesFiles() {
    return programKinds.contains(Programs.Kind.OPENCL_C) && has(PROGRAMS, SOURCES);
  }

  public boolean migrates() {
    return has(BASE, MIGRATE_PAGES);
  }

  public boolean preempts() {
    return has(BASE, PREEMPT_CONTEXT);
  }

  /** Whether the driver describes kernels, and so takes launches. */
  public boolean describesKernels() {
    return has(PROGRAMS, KERNEL);
  }

  private boolean has(int id, int place) {
    return interfaces.stream()
        .anyMatch(found -> found.id() == id && (found.entries() >> place & 1) != 0);
  }

  /** Names of services that the device publishes. */
  public List<String> services() {
    List<String> services = new ArrayList<>();
    boolean handlersOnly = programKinds.equals(Set.of(Programs.Kind.HANDLERS));
    if (has(COMPUTE) || has(PROGRAMS) && !handlersOnly) {
      services.add("accel-compute");
    }
    if (has(HPU)) {
      services.add("accel-handlers");
    }
    if (has(DISPLAY)) {
      services.add("accel-display");
    }
    return services;
  }

  /** One line an interface. */
  public List<String> lines() {
    return interfaces.stream().map(Interface::text).toList();
  }

  private static String name(int id) {
    return switch (id) {
      case BASE -> "accel-base";
      case COMPUTE -> "accel-compute";
      case DISPLAY -> "accel-display";
      case PROGRAMS -> "programs";
      case SHARED_MEMORY -> "shared-memory";
      case POWER -> "power";
      case HEALTH -> "health";
      case PAGE_RETIREMENT -> "page-retirement";
      case SCANOUT -> "scanout";
      case EXECUTION -> "execution";
      case HPU -> "hpu";
      case FAULT_INJECTION -> "fault-injection";
      default -> String.format("0x%04x", id);
    };
  }
}
