package io.isle.core.accel.ids;

import io.isle.api.base.Ids;
import io.isle.core.accel.fence.FenceTable;

/** The node's core ids, and what it keeps of programs. */
public record CoreIds(
    IdPool contexts,
    IdPool timelines,
    IdPool memory,
    IdPool programs,
    IdPool framebuffers,
    SourceBudget sources) {
  public static CoreIds create() {
    return new CoreIds(
        new IdPool(Ids.CONTEXT, 4096, "contexts"),
        new IdPool(Ids.TIMELINE, FenceTable.CONTEXTS, "timelines"),
        new IdPool(Ids.MEMORY, 65536, "memory objects"),
        new IdPool(Ids.PROGRAM, 65536, "programs"),
        new IdPool(Ids.FRAMEBUFFER, 4096, "framebuffers"),
        new SourceBudget(SourceBudget.TENANT_BYTES, SourceBudget.NODE_BYTES));
  }
}
