package io.isle.net.xdp.configure;

import io.isle.api.net.ConfigureStage;
import io.isle.net.xdp.configure.Ethtool.Channels;
import java.util.Optional;

/** The number of queues of an interface, which nets want to be that of their tiles. */
record ChannelsKnob(Ethtool ethtool, String interfaceName, int tiles) implements Knob {
  @Override
  public ConfigureStage stage() {
    return ConfigureStage.CHANNELS;
  }

  @Override
  public String setting() {
    return "channels";
  }

  @Override
  public String wanted() {
    return text(ethtool.channels(interfaceName), tiles, tiles, tiles);
  }

  /** Such as {@code combined 2}, or {@code rx 2 tx 2} of drivers with separate queues. */
  private static String text(Channels channels, int rx, int tx, int combined) {
    return channels.mostCombined() > 0 ? "combined " + combined : "rx " + rx + " tx " + tx;
  }

  @Override
  public Reading read() {
    Channels now = ethtool.channels(interfaceName);
    int most = now.mostCombined() > 0 ? now.mostCombined() : Math.min(now.mostRx(), now.mostTx());
    if (most == 0) {
      return new Reading("", false, Optional.of("driver " + ethtool.driver(interfaceName)));
    }
    Optional<String> few =
        most >= tiles
            ? Optional.empty()
            : Optional.of(
                "driver " + ethtool.driver(interfaceName) + ", which has at most " + most);
    return new Reading(text(now, now.rx(), now.tx(), now.combined()), false, few);
  }

  @Override
  public void write(String value) {
    String[] words = value.split(" ", -1);
    Channels now = ethtool.channels(interfaceName);
    if (words[0].equals("combined")) {
      ethtool.channels(interfaceName, now.rx(), now.tx(), Integer.parseInt(words[1]));
    } else {
      ethtool.channels(
          interfaceName, Integer.parseInt(words[1]), Integer.parseInt(words[3]), now.combined());
    }
  }
}
