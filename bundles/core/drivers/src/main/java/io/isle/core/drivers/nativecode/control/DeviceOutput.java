package io.isle.core.drivers.nativecode.control;

import io.isle.lib.shm.LogLines;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the driver of a device says, in the platform's log under the device's name: its lines at the
 * level that it gave them, whatever else its process prints as information. Thread-safe.
 */
public final class DeviceOutput implements Consumer<String> {
  /** As the driver runtime writes a line: level, driver, text. */
  private static final Pattern LINE = Pattern.compile("(error|warn|info|debug) [^: ]{1,16}: (.*)");

  private final String device;
  private final Logger log;

  public DeviceOutput(String device, Logger log) {
    this.device = device;
    this.log = log;
  }

  /** The platform's log of a device. */
  public static Logger logger(String device) {
    return LoggerFactory.getLogger("io.isle.device." + device);
  }

  @Override
  public void accept(String line) {
    Matcher said = LINE.matcher(line);
    if (!said.matches()) {
      log.info("{}: {}", device, line);
      return;
    }
    String text = said.group(2);
    switch (said.group(1)) {
      case "error" -> log.error("{}: {}", device, text);
      case "warn" -> log.warn("{}: {}", device, text);
      case "info" -> log.info("{}: {}", device, text);
      default -> log.debug("{}: {}", device, text);
    }
  }

  /**
   * Warnings and errors of a driver in this process.
   *
   * @param next the number that the first one has if none came too fast to be kept
   * @return the number of the one that comes next
   */
  public long tell(long next, List<LogLines.Line> lines) {
    long number = next;
    for (LogLines.Line line : lines) {
      if (line.number() > number) {
        long lost = line.number() - number;
        log.warn(
            "{}: {} lines of the driver's log were dropped, because they came too fast",
            device,
            lost);
      }
      if (line.error()) {
        log.error("{}: {}", device, line.text());
      } else {
        log.warn("{}: {}", device, line.text());
      }
      number = line.number() + 1;
    }
    return number;
  }
}
