package io.isle.net.tile;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.lib.tile.AppTable;
import java.util.List;

/** The links to apps, by app and instance. */
final class RxLinks {
  private final RxLink[] all;
  private final RxLink[][] ofApp = new RxLink[AppTable.APPS][];

  RxLinks(List<RxLinkMemory> links) {
    all = new RxLink[links.size()];
    int[] instances = new int[ofApp.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = new RxLink(links.get(i));
      instances[all[i].app]++;
    }
    for (int app = 0; app < ofApp.length; app++) {
      ofApp[app] = new RxLink[instances[app]];
    }
    for (RxLink link : all) {
      ofApp[link.app][link.instance] = link;
    }
  }

  RxLink[] all() {
    return all;
  }

  /**
   * The link of a flow.
   *
   * @param app number of an app, or -1
   * @param hash of the flow, 0 or more
   * @return null without a link
   */
  RxLink of(int app, int hash) {
    if (app < 0 || app >= ofApp.length) {
      return null;
    }
    RxLink[] links = ofApp[app];
    return switch (links.length) {
      case 0 -> null;
      case 1 -> links[0];
      default -> links[hash % links.length];
    };
  }

  /** Tells consumers how far the links are. */
  void settle() {
    for (RxLink link : all) {
      link.settle();
    }
  }
}
