package io.isle.lib.kabi;

/** Operations of the control lane, with their numbers on the wire: 1 to 46 in this order. */
public enum ControlOp {
  HELLO,
  PROBE,
  OPEN,
  ADD_SEGMENT,
  REMOVE_SEGMENT,
  CREATE_CONTEXT,
  DESTROY_CONTEXT,
  RESET_CONTEXT,
  RESET_DEVICE,
  ALLOC,
  FREE,
  LOAD_PROGRAM,
  UNLOAD_PROGRAM,
  DESCRIBE_PROGRAM,
  BUILTIN,
  INFO,
  UTILIZATION,
  POWER,
  SET_PERF_LEVEL,
  COMPUTE_CAPS,
  PERF_COUNTERS,
  INJECT_FAULT,
  CLOSE,
  EXIT,
  POWER_STATES,
  SET_POWER,
  HEALTH,
  FAULTY_PAGE,
  RETIRE_PAGES,
  RETIRED_PAGES,
  MIGRATE_PAGES,
  SANDBOX,
  CONNECTORS,
  MODES,
  SET_MODE,
  CREATE_FRAMEBUFFER,
  PAGE_FLIP,
  SET_DPMS,
  HOTPLUG_STATUS,
  EDID,
  SET_CURSOR,
  SET_VRR,
  SCANOUT_STATUS,
  SCANOUT_READ,
  DESCRIBE_KERNEL,
  LOAD_FILES;

  /** The number on the wire. */
  public int code() {
    return ordinal() + 1;
  }
}
