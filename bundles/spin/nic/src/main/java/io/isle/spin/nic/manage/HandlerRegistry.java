package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.SpinException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Handlers of installed bundles; the newest bundle has a name. Remembers why a bundle is refused.
 * Thread-safe.
 */
public final class HandlerRegistry implements HandlerImages {
  private static final int MOST_SHOWN = 40;

  private final Map<String, List<Entry>> entries = new TreeMap<>();
  private final Map<String, Refusal> refusals = new HashMap<>();

  private record Entry(long bundle, HandlerImage image) {}

  private record Refusal(long bundle, String why) {}

  /**
   * Adds handlers.
   *
   * @param bundle id
   */
  public synchronized void add(long bundle, HandlerImage image) {
    refusals.remove(image.name());
    entries.computeIfAbsent(image.name(), name -> new ArrayList<>()).add(new Entry(bundle, image));
  }

  /** Removes the handlers of a bundle; contexts keep them. */
  public synchronized void remove(long bundle) {
    entries.values().forEach(all -> all.removeIf(entry -> entry.bundle == bundle));
    entries.values().removeIf(List::isEmpty);
    refusals.values().removeIf(refusal -> refusal.bundle == bundle);
  }

  /** As {@link #remove}; who looks for the handlers is told why they are not there. */
  public synchronized void refuse(long bundle, List<HandlerImage> images, String why) {
    remove(bundle);
    images.forEach(image -> refusals.put(image.name(), new Refusal(bundle, why)));
  }

  @Override
  public synchronized List<HandlerImage> list() {
    return entries.values().stream().map(all -> all.getLast().image).toList();
  }

  @Override
  public synchronized Optional<HandlerImage> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(all -> all.getLast().image);
  }

  @Override
  public synchronized HandlerImage require(String name) {
    return find(name).orElseThrow(() -> missing(name));
  }

  private SpinException missing(String name) {
    Refusal refusal = refusals.get(name);
    if (refusal != null) {
      return new SpinException(Errno.EACCES, "the handlers " + name + ": " + refusal.why);
    }
    String shown = name.length() > MOST_SHOWN ? name.substring(0, MOST_SHOWN) + "..." : name;
    return new SpinException(
        Errno.ENOENT,
        "no installed bundle has handlers with the name '" + ForeignText.line(shown) + "'");
  }

  /**
   * The image of a source.
   *
   * @throws SpinException as {@link #require}
   */
  public HandlerImage image(HandlerSource source) {
    return switch (source) {
      case HandlerImage image -> image;
      case HandlerSource.Installed installed -> require(installed.name());
    };
  }
}
