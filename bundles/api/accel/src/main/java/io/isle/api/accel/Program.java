package io.isle.api.accel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A loaded program of one context. Thread-safe. */
@ProviderType
public interface Program extends AutoCloseable {
  /** Core id of kind PROGRAM. */
  long id();

  /**
   * The entries of the program; the index in the list is the entry number of {@link
   * CommandWriter#dispatch}.
   */
  List<Entry> entries();

  /** Unloads the program. Idempotent. */
  @Override
  void close();

  /**
   * An entry of a program.
   *
   * @param name name of the entry
   * @param arguments kinds of the arguments: buffer, u32, i32, u64, i64, f32, f64
   */
  record Entry(String name, List<String> arguments) {
    public Entry {
      arguments = List.copyOf(arguments);
    }
  }
}
