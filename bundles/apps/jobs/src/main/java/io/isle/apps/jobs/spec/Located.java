package io.isle.apps.jobs.spec;

import io.isle.api.jobs.JobException;
import io.isle.lib.yaml.YamlNode;
import io.isle.lib.yaml.YamlValue;
import java.util.List;
import java.util.Map;

/** A value of the job file that knows where it stands, so that each mistake can say so. */
public final class Located extends YamlValue<Located> {
  Located(YamlNode at) {
    super(at, Located::new);
  }

  /** A mistake at this place. */
  @Override
  public JobException error(String message) {
    return JobException.usage(line(), located(message));
  }

  /** What this place asks for does not go with what was found when the job ran. */
  public JobException failure(int code, String message) {
    return JobException.failed(code, located(message), null);
  }

  /** Entries with keys of the author's choice. */
  Map<String, Located> entries(int max) {
    Map<String, Located> entries = entries();
    checkSize(entries.size(), max);
    return entries;
  }

  List<Located> sequence(int max) {
    List<Located> items = items();
    checkSize(items.size(), max);
    return items;
  }

  private void checkSize(int size, int max) {
    if (size > max) {
      throw error("has " + size + " entries; at most " + max + " are allowed");
    }
  }
}
