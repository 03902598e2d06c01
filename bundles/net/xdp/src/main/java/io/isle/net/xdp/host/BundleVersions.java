package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.jvm.BundleCopies;
import io.isle.lib.jvm.BundleWires;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/** Copies of the bundles that the bundle of the tiles and this bundle are wired to. */
public final class BundleVersions implements TileVersions {
  private final Bundle self;
  private final Path folder;
  private BundleCopies copies;

  /**
   * @param folder for copies; emptied before the first one
   */
  public BundleVersions(Bundle self, Path folder) {
    this.self = self;
    this.folder = folder;
  }

  @Override
  public synchronized TileVersion of(Tiles tiles) {
    Class<?> type = tiles.getClass();
    String why = BundleWires.refusal(type);
    Bundle bundle = FrameworkUtil.getBundle(type);
    if (why.isEmpty() && bundle == null) {
      why = "is of no bundle";
    }
    if (!why.isEmpty()) {
      throw new NetException(
          Errno.ENOTSUP,
          "placement: the class "
              + type.getName()
              + " "
              + why
              + ", so tiles cannot run in a process; set agent");
    }
    if (copies == null) {
      copies = new BundleCopies(folder, NetException::new);
    }
    Set<Bundle> wired = new LinkedHashSet<>(BundleWires.of(bundle, NetException::new));
    wired.addAll(BundleWires.of(self, NetException::new));
    List<Path> jars = new ArrayList<>();
    boolean done = false;
    try {
      wired.forEach(one -> jars.add(copies.of(one)));
      done = true;
      return new TileVersion(type.getName(), jars, () -> jars.forEach(copies::release));
    } finally {
      if (!done) {
        jars.forEach(copies::release);
      }
    }
  }
}
