package io.isle.api.jobs;

import io.isle.api.device.Recovery;
import java.util.Optional;

/**
 * A recovery of a device during a job. Immutable.
 *
 * @param fault the fault of the job's schedule that caused the recovery, such as {@code segv};
 *     empty for another cause
 * @param recovery the recovery
 */
public record JobRecovery(Optional<String> fault, Recovery recovery) {}
