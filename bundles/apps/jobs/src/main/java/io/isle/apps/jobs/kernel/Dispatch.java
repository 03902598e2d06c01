package io.isle.apps.jobs.kernel;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import java.util.List;

/** A dispatch whose numbers are all known. Immutable. */
public final class Dispatch {
  private final int entry;
  private final int[] size;
  private final int[] local;
  private final long[] offset;
  private final List<Argument.Ready> arguments;

  /**
   * @param size three extents
   * @param local of a work-group; null where the driver chooses them
   * @param offset first ids; null for zeros
   */
  Dispatch(int entry, int[] size, int[] local, long[] offset, List<Argument.Ready> arguments) {
    this.entry = entry;
    this.size = size.clone();
    this.local = local == null ? null : local.clone();
    this.offset = offset == null ? null : offset.clone();
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Writes it. Neither fails nor allocates; what the device does not take is the writer's mistake.
   *
   * @param uses used range of each buffer of the step
   */
  public void write(CommandWriter writer, Program program, int[] uses) {
    CommandWriter ignored = writer.dispatch(program, entry, size[0], size[1], size[2]);
    if (local != null) {
      ignored = writer.local(local[0], local[1], local[2]);
    }
    if (offset != null) {
      ignored = writer.offset(offset[0], offset[1], offset[2]);
    }
    for (int i = 0; i < arguments.size(); i++) {
      arguments.get(i).write(writer, uses);
    }
  }
}
