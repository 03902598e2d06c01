package io.isle.core.accel.fence;

import io.isle.api.tenancy.GroupSpec;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the administrator says of fences.
 *
 * @param domains by device id; all others are in domain 0
 * @param hostWaitMs longest wait for a tenant's point when the submission names none
 */
public record FenceSettings(Map<String, Integer> domains, long hostWaitMs) {
  public static final FenceSettings DEFAULT = new FenceSettings(Map.of(), 10_000);

  /** Largest number of a domain. */
  public static final int MAX_DOMAIN = 255;

  /** Most devices that a text may name. */
  private static final int MAX_DEVICES = 64;

  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern ONE = Pattern.compile("([a-z][a-z0-9-]{0,31}[0-9])=([0-9]{1,3})");

  public FenceSettings {
    domains = Map.copyOf(domains);
  }

  /** Domain of a device. */
  public int domain(String device) {
    return domains.getOrDefault(device, 0);
  }

  /**
   * Domains by device from a text such as {@code soft1=1 opencl0=1}.
   *
   * @throws IllegalArgumentException naming the part that is wrong
   */
  public static Map<String, Integer> domains(String text) {
    Map<String, Integer> all = new TreeMap<>();
    for (String part : BLANKS.split(text.strip())) {
      if (part.isEmpty()) {
        continue;
      }
      var one = ONE.matcher(part);
      int domain = one.matches() ? Integer.parseInt(one.group(2)) : -1;
      if (domain < 0 || domain > MAX_DOMAIN) {
        throw new IllegalArgumentException(
            "'"
                + GroupSpec.shown(part)
                + "' is not DEVICE=DOMAIN with a domain from 0 to "
                + MAX_DOMAIN);
      }
      if (all.put(one.group(1), domain) != null) {
        throw new IllegalArgumentException(one.group(1) + " is listed twice");
      }
      if (all.size() > MAX_DEVICES) {
        throw new IllegalArgumentException("more than " + MAX_DEVICES + " devices are listed");
      }
    }
    return all;
  }
}
