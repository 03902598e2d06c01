package io.isle.api.driver;

import io.isle.api.device.DeviceClass;

/**
 * Properties of a device (accelerator framework, 42.2.3).
 *
 * @param deviceClass class of the accelerator
 * @param computeUnits units that work in parallel, at least 1
 * @param localMemoryBytes size of the device memory, 0 without device memory
 * @param maxContexts limit of open contexts, at least 1
 * @param preemption granularity of preemption
 * @param maxCommandBytes longest command envelope in bytes
 * @param memoryTypes bit set of ACCEL_MEMTYPE_* of the driver ABI
 * @param pcieAtomics whether the device supports PCIe atomics
 * @param p2pCapable whether the device supports peer-to-peer DMA
 * @param unifiedAddressing whether memory has one address for all kernels
 * @param hwPageFaults whether the device can fault on unmapped pages
 */
public record DeviceInfo(
    DeviceClass deviceClass,
    int computeUnits,
    long localMemoryBytes,
    int maxContexts,
    Preemption preemption,
    int maxCommandBytes,
    int memoryTypes,
    boolean pcieAtomics,
    boolean p2pCapable,
    boolean unifiedAddressing,
    boolean hwPageFaults) {
  /** Granularities of preemption, with the numbers of the driver ABI: 0 to 3 in this order. */
  public enum Preemption {
    /** Running work always continues to its end. */
    NONE,
    /** At the end of a submission. */
    COMMAND_BUFFER,
    /** Between two operations of a submission. */
    DRAW_DISPATCH,
    /** Anywhere, also inside a kernel. */
    INSTRUCTION
  }
}
