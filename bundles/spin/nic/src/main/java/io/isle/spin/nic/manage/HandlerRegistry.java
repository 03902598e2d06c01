package io.isle.spin.nic.manage;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.api.spin.HandlerSource;
import io.isle.api.spin.SpinException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Handlers of installed bundles; the newest bundle has a name. Thread-safe. */
public final class HandlerRegistry implements HandlerImages {
  private final Map<String, List<Entry>> entries = new TreeMap<>();

  private record Entry(long bundle, HandlerImage image) {}

  /**
   * Adds handlers.
   *
   * @param bundle id
   */
  public synchronized void add(long bundle, HandlerImage image) {
    entries.computeIfAbsent(image.name(), name -> new ArrayList<>()).add(new Entry(bundle, image));
  }

  /** Removes the handlers of a bundle; contexts keep them. */
  public synchronized void remove(long bundle) {
    entries.values().forEach(all -> all.removeIf(entry -> entry.bundle == bundle));
    entries.values().removeIf(List::isEmpty);
  }

  @Override
  public synchronized List<HandlerImage> list() {
    return entries.values().stream().map(all -> all.getLast().image).toList();
  }

  @Override
  public synchronized Optional<HandlerImage> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(all -> all.getLast().image);
  }

  /**
   * The image of a source.
   *
   * @throws SpinException ENOENT for a name that no bundle has
   */
  public HandlerImage image(HandlerSource source) {
    return switch (source) {
      case HandlerImage image -> image;
      case HandlerSource.Installed installed ->
          find(installed.name())
              .orElseThrow(
                  () ->
                      new SpinException(
                          Errno.ENOENT,
                          "no installed bundle has handlers with the name " + installed.name()));
    };
  }
}
