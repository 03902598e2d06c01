package io.isle.core.accel.submit;

import io.isle.api.base.Errno;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.DeviceBuffer;
import io.isle.core.accel.context.Resource;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.queue.ContextState;
import io.isle.lib.kabi.CommandEnvelope.Binding;

/** What the submission being written uses, for the checks of its operations. Fixed storage. */
final class Bindings {
  private final Resource[] resources;
  private final long[] offsets;
  private final long[] lengths;
  private final int[] access;
  private int size;

  Bindings(int capacity) {
    resources = new Resource[capacity];
    offsets = new long[capacity];
    lengths = new long[capacity];
    access = new int[capacity];
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  /** Returns its index. */
  int add(Resource resource, long offset, long length, int rights) {
    resources[size] = resource;
    offsets[size] = offset;
    lengths[size] = length;
    access[size] = rights;
    return size++;
  }

  /** Index of a resource; -1 if it is not used yet. */
  int indexOf(Resource resource) {
    for (int i = 0; i < size; i++) {
      if (resources[i] == resource) {
        return i;
      }
    }
    return -1;
  }

  /** 0, or the negated code why an operation may not touch these bytes of a used range. */
  int check(int use, long offset, long bytes, int needed) {
    int code = check(use, needed);
    if (code != 0) {
      return code;
    }
    return offset < 0 || bytes < 1 || bytes > lengths[use] - offset ? -Errno.ERANGE : 0;
  }

  /** 0, or the negated code why an operation may not use it so. */
  int check(int use, int needed) {
    if (use < 0 || use >= size || has(use, Binding.PROGRAM)) {
      return -Errno.EINVAL;
    }
    return (needed & ~access[use]) != 0 ? -Errno.EACCES : 0;
  }

  /** Access of a range that is used. */
  int access(int use) {
    return access[use];
  }

  /** Whether everything that is read is kept by the core, and is copied to the device anew. */
  boolean readsRetainedOnly() {
    for (int i = 0; i < size; i++) {
      if (reads(i) && (!memory(i).retained() || has(i, Binding.NO_COPY_IN))) {
        return false;
      }
    }
    return true;
  }

  /** Whether some device's own copy of what is used is not as earlier work left it. */
  boolean someStale() {
    for (int i = 0; i < size; i++) {
      if (!has(i, Binding.PROGRAM) && memory(i).isStale()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks what is read against lost contents; what is written counts as there again, unless it is
   * refused. What is not copied to the device must be there still, as earlier work left it. Only
   * while contents of the context's memory are lost, or of a copy.
   *
   * @param stamp of the context's state that the submission is admitted in
   * @return 0 or -ENODATA; -EINTR when contents were lost since
   */
  int admitContents(ContextRecord record, int stamp) {
    // the stamp changes in this lock: nothing is lost between the first range and the last
    synchronized (record) {
      if (ContextState.stampOf(record.word()) != stamp) {
        return -Errno.EINTR;
      }
      for (int i = 0; i < size; i++) {
        if (reads(i) && isMissing(i)) {
          return -Errno.ENODATA;
        }
      }
      for (int i = 0; i < size; i++) {
        if (has(i, Binding.WRITE) && !has(i, Binding.NO_COPY_BACK)) {
          memory(i).written(offsets[i], lengths[i]);
        }
        if (!has(i, Binding.PROGRAM) && (has(i, Binding.WRITE) || !has(i, Binding.NO_COPY_IN))) {
          memory(i).copied(offsets[i], lengths[i]);
        }
      }
    }
    return 0;
  }

  private boolean isMissing(int i) {
    return has(i, Binding.NO_COPY_IN)
        ? memory(i).isStale(offsets[i], lengths[i])
        : memory(i).isLost(offsets[i], lengths[i]);
  }

  private boolean reads(int i) {
    return has(i, Binding.READ);
  }

  private boolean has(int i, int bit) {
    return (access[i] & bit) != 0;
  }

  /** Of what is no program. */
  private DeviceMemory memory(int i) {
    return ((DeviceBuffer) resources[i]).memory;
  }

  /** Whether none was closed meanwhile. */
  boolean areOpen() {
    for (int i = 0; i < size; i++) {
      if (!resources[i].open()) {
        return false;
      }
    }
    return true;
  }

  /** Marks all as used by the submission at {@code point}. */
  void markUsed(long point) {
    for (int i = 0; i < size; i++) {
      resources[i].usedBy(point);
    }
  }
}
