package io.isle.core.accel.memory;

/**
 * What was lost of a memory object since pending work was checked.
 *
 * @param contents ranges whose contents are lost
 * @param copies ranges of the device's own copy that are not as earlier work left them
 */
public record FreshLosses(LostRanges contents, LostRanges copies) {}
