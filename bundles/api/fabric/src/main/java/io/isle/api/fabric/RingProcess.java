package io.isle.api.fabric;

import java.util.OptionalLong;

/**
 * The process of a node with {@code process = own}. Immutable.
 *
 * @param pid id of the process; empty while none runs
 * @param starts processes that have run since the begin of the node, with the present one
 * @param reason why no process runs or answers, and the remedy, in words; empty if all is well
 */
public record RingProcess(OptionalLong pid, long starts, String reason) {}
