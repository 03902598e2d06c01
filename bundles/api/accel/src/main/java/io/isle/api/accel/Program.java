package io.isle.api.accel;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A loaded program of one context. Thread-safe. */
@ProviderType
public interface Program extends AutoCloseable {
  /** Core id of kind PROGRAM. */
  long id();

  /**
   * The entries with buffers and scalars only, at most 16; the index in the list is the entry
   * number of {@link CommandWriter#dispatch}. {@link #kernels} has all kernels.
   */
  List<Entry> entries();

  /**
   * All kernels of the program, unusable kernels included; the index in the list is the entry
   * number of {@link CommandWriter#dispatch}. The kernels of {@link #entries} come first, with the
   * same numbers.
   *
   * @return empty if the driver does not describe kernels
   */
  List<KernelInfo> kernels();

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
