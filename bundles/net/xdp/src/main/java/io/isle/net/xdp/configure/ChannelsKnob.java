package io.isle.net.xdp.configure;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.net.ConfigureStage;
import io.isle.api.net.NetException;
import io.isle.net.xdp.configure.Ethtool.Channels;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of queues of an interface, which nets want to be that of their tiles. */
record ChannelsKnob(Ethtool ethtool, String interfaceName, int tiles) implements Knob {
  private static final Pattern VALUE =
      Pattern.compile("combined ([0-9]{1,9})|rx ([0-9]{1,9}) tx ([0-9]{1,9})");

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
    Matcher given = VALUE.matcher(value);
    if (!given.matches()) {
      throw new NetException(
          Errno.EINVAL,
          interfaceName
              + ": channels: '"
              + ForeignText.line(value)
              + "' is no combined N, or rx N tx N");
    }
    Channels now = ethtool.channels(interfaceName);
    if (given.group(1) != null) {
      ethtool.channels(interfaceName, now.rx(), now.tx(), Integer.parseInt(given.group(1)));
    } else {
      ethtool.channels(
          interfaceName,
          Integer.parseInt(given.group(2)),
          Integer.parseInt(given.group(3)),
          now.combined());
    }
  }
}
