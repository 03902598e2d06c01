package io.isle.net.xdp.configure;

import io.isle.api.net.ConfigureStage;
import java.util.Optional;

/** A feature of a driver or of the kernel's stack that nets want off. */
record FeatureKnob(Ethtool ethtool, ConfigureStage stage, String interfaceName, String setting)
    implements Knob {
  private static final String ON = "on";
  private static final String OFF = "off";

  @Override
  public String wanted() {
    return OFF;
  }

  private int index() {
    return ethtool.features(interfaceName).indexOf(setting);
  }

  @Override
  public Reading read() {
    int index = index();
    if (index < 0) {
      return new Reading("", false, Optional.of("kernel"));
    }
    Ethtool.Feature feature = ethtool.feature(interfaceName, index);
    String is = feature.on() ? ON : OFF;
    // what is off for good is as wanted
    boolean lacks = feature.fixed() && feature.on();
    return new Reading(
        is, feature.fixed() && !lacks, lacks ? Optional.of(driver()) : Optional.empty());
  }

  private String driver() {
    return "driver " + ethtool.driver(interfaceName);
  }

  @Override
  public void write(String value) {
    ethtool.feature(interfaceName, index(), value.equals(ON));
  }
}
