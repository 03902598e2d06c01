package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.HostArray;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** An input where no crash of a device reaches it: in the JVM's memory, or in its file. */
sealed interface HostInput {
  ElementType type();

  List<Long> shape();

  /** Brings it to a device, as often as a device needs it. */
  Resident.Contents contents(StepClock clock);

  /** Its length on a device. */
  default long bytes() {
    return Math.multiplyExact(Dims.elements(shape()), type().bytes());
  }

  /** One in memory. */
  record InMemory(HostArray array) implements HostInput {
    @Override
    public ElementType type() {
      return array.type();
    }

    @Override
    public List<Long> shape() {
      return array.shape();
    }

    @Override
    public Resident.Contents contents(StepClock clock) {
      return Resident.copyOf(array.bytes(), clock);
    }
  }

  /**
   * One that is read from its file into a device's memory, each time anew.
   *
   * @param file in C order, closed while nobody reads it; must not change
   */
  record InFile(ElementType type, List<Long> shape, FileLane file) implements HostInput {
    public InFile {
      shape = List.copyOf(shape);
    }

    @Override
    public Resident.Contents contents(StepClock clock) {
      return to -> to.memory().fill(this::read, clock);
    }

    private void read(MemorySegment memory) throws InterruptedException {
      try (file) {
        file.restart();
        WholeInputs.read(file, memory, bytes());
      } catch (IOException e) {
        throw file.failed(e);
      }
    }
  }
}
