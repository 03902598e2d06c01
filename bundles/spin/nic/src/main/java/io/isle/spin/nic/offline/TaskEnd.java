package io.isle.spin.nic.offline;

import java.util.Optional;

/**
 * The end of a task.
 *
 * @param ns time of the HPU
 * @param trap empty if the handler has returned
 */
public record TaskEnd(long ns, Optional<TaskTrap> trap) {}
