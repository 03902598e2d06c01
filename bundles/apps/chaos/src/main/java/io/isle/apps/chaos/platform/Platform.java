package io.isle.apps.chaos.platform;

import org.osgi.framework.BundleContext;

/** All that a run touches, and the time in which it does. */
public record Platform(Core core, Nodes nodes, Bundles bundles, Pace pace) {
  /** The node of a bundle. */
  public static Platform of(BundleContext context, Core core, Pace pace) {
    return new Platform(core, new Nodes(core, pace), new Bundles(context, pace), pace);
  }
}
