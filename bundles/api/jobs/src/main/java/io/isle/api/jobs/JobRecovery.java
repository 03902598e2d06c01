package io.isle.api.jobs;

import io.isle.api.device.Recovery;
import java.util.Optional;

/**
 * A recovery of a device that a job went through.
 *
 * @param fault the fault of the job's schedule that brought it about, such as {@code segv}; empty
 *     when it came from elsewhere
 */
public record JobRecovery(Optional<String> fault, Recovery recovery) {}
