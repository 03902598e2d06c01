package io.isle.spin.nic.offline;

import java.util.Optional;

/**
 * The end of a task.
 *
 * @param ns time of the HPU
 * @param refused whether the handler has not run: the context takes no tasks any more
 * @param trap empty if the handler has returned
 */
public record TaskEnd(long ns, boolean refused, Optional<TaskTrap> trap) {}
