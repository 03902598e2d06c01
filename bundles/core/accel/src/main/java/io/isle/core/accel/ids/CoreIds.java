package io.isle.core.accel.ids;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Ids;
import io.isle.core.accel.fence.FenceTable;
import io.isle.lib.ids.IdPool;

/** The node's core ids, and what it keeps of programs. */
public record CoreIds(
    IdPool contexts, IdPool timelines, IdPool memory, IdPool programs, SourceBudget sources) {
  public static CoreIds create() {
    return new CoreIds(
        new IdPool(Ids.CONTEXT, 4096, "contexts", AccelException::new),
        new IdPool(Ids.TIMELINE, FenceTable.CONTEXTS, "timelines", AccelException::new),
        new IdPool(Ids.MEMORY, 65536, "memory objects", AccelException::new),
        new IdPool(Ids.PROGRAM, 65536, "programs", AccelException::new),
        new SourceBudget(SourceBudget.TENANT_BYTES, SourceBudget.NODE_BYTES));
  }
}
