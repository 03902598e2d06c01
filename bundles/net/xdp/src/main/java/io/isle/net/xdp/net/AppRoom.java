package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetException;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.net.AppLinks.Place;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The room that attached apps leave in a net for others, and the links that are made there. */
final class AppRoom {
  private final List<AppLinks> present;
  private final LongSupplier ids;

  /**
   * @param present links of all attached apps
   * @param ids gives numbers that no link of the net ever has again
   */
  AppRoom(List<AppLinks> present, LongSupplier ids) {
    this.present = present;
    this.ids = ids;
  }

  /**
   * Makes links for further instances of an app.
   *
   * @param count of the instances
   * @throws NetException EBUSY for a port of another app, and without a free instance; ENOSPC
   *     beyond the limits; ENOMEM with the arithmetic
   */
  List<AppLinks> links(String app, AppSettings wanted, int count, NetSettings net) {
    requirePorts(app, wanted.ports());
    List<AppLinks> same = present.stream().filter(one -> one.app().equals(app)).toList();
    requireInstances(same, wanted, count);
    requireFrames(wanted.depth(), count, net.appFrames());
    int number =
        same.isEmpty()
            ? free("apps", NetAdmin.APPS, present, Place::app)
            : same.getFirst().place().app();
    List<AppLinks> all = new ArrayList<>(present);
    List<AppLinks> ours = new ArrayList<>(same);
    List<AppLinks> made = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        Place place =
            new Place(
                number,
                free("instances", wanted.instances(), ours, Place::instance),
                free("links", TileState.TX_LINKS, all, Place::slot),
                ids.getAsLong());
        AppLinks links = new AppLinks(app, wanted.ports(), place, wanted.depth(), net.tiles());
        made.add(links);
        ours.add(links);
        all.add(links);
      }
      return made;
    } catch (RuntimeException e) {
      made.forEach(AppLinks::close);
      throw e;
    }
  }

  private void requirePorts(String app, List<Integer> ports) {
    Set<Integer> all = new HashSet<>(ports);
    for (AppLinks one : present) {
      all.addAll(one.ports());
      for (int port : one.ports()) {
        if (!one.app().equals(app) && ports.contains(port)) {
          throw new NetException(
              Errno.EBUSY, "ports: " + port + " belongs to the app " + one.app());
        }
      }
    }
    if (all.size() > FrameMatch.MAX_PORTS) {
      throw new NetException(
          Errno.ENOSPC,
          "ports: the apps of the net would have "
              + all.size()
              + "; at most "
              + FrameMatch.MAX_PORTS);
    }
  }

  private static void requireInstances(List<AppLinks> same, AppSettings wanted, int count) {
    if (same.size() + count > wanted.instances()) {
      throw new NetException(
          Errno.EBUSY, "instances: all " + wanted.instances() + " of the app have attached");
    }
    if (!same.stream().allMatch(one -> one.ports().equals(wanted.ports()))) {
      throw new NetException(
          Errno.EBUSY, "ports: an instance with the ports of before has not ended yet");
    }
  }

  private void requireFrames(int depth, int count, int frames) {
    long held = present.stream().mapToLong(AppLinks::depth).sum();
    if (held + (long) depth * count > frames) {
      throw new NetException(
          Errno.ENOMEM,
          "depth: "
              + depth
              + " frames"
              + (count > 1 ? " for each of " + count + " instances" : "")
              + " beside "
              + held
              + " of other apps are more than app_frames of the net, "
              + frames);
    }
  }

  /** The lowest number that none of some links has. */
  private static int free(String what, int most, List<AppLinks> taken, ToIntFunction<Place> of) {
    Set<Integer> used =
        taken.stream().map(one -> of.applyAsInt(one.place())).collect(Collectors.toSet());
    return IntStream.range(0, most)
        .filter(one -> !used.contains(one))
        .findFirst()
        .orElseThrow(
            () ->
                new NetException(Errno.ENOSPC, "the net has " + most + " " + what + ", the most"));
  }
}
