package io.isle.api.accel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A loaded program of one context. Thread-safe. */
@ProviderType
public interface Program extends AutoCloseable {
  /** Core id of kind PROGRAM. */
  long id();

  /** Its entries; the place in the list is the number that {@link CommandWriter#dispatch} takes. */
  List<Entry> entries();

  /** Unloads it. Idempotent. */
  @Override
  void close();

  /** An entry and the kinds of its arguments: buffer, u32, i32, u64, i64, f32, f64. */
  record Entry(String name, List<String> arguments) {
    public Entry {
      arguments = List.copyOf(arguments);
    }
  }
}
