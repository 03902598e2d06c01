package io.isle.api.fabric;

import java.util.List;
import java.util.Map;

/**
 * What a port leaves to a later version of its transport. The owner closes the descriptors, unless
 * a transport adopts them. Immutable.
 *
 * @param format name and version of the format, such as {@code tcp/1}
 * @param descriptors open descriptors of this process, in the order of the format
 * @param facts further state by name
 */
public record ParkedPort(String format, List<Integer> descriptors, Map<String, String> facts) {
  public ParkedPort {
    descriptors = List.copyOf(descriptors);
    facts = Map.copyOf(facts);
  }
}
