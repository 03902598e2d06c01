package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class QuickHeadTest {
  private static final int ETHERNET = Ethernet.HEADER_BYTES;

  private final MemorySegment from = Arena.ofAuto().allocate(128, 64);
  private final MemorySegment to = Arena.ofAuto().allocate(128, 64);
  private final QuickHead head = new QuickHead();

  /** Any bytes behind the first ones of IPv4 without options. */
  @Property(tries = 2000)
  void writesWhatTheParserWrites(
      @ForAll Random random, @ForAll int source, @ForAll @IntRange(min = 40, max = 128) int size) {
    fill(random);
    from.set(ValueLayout.JAVA_LONG_UNALIGNED, 12, 0x45_0008);
    long destination = random.nextLong() >>> 16;
    long station = random.nextLong() >>> 16;
    assertEquals(true, head.read(from.address()));
    assertEquals(Ipv4.source(from, ETHERNET), head.source());
    head.source(source);
    head.addresses(destination, station);
    head.write(to.address());
    QuickHead.copyRest(from.address(), to.address(), size);
    Ipv4.source(from, ETHERNET, source);
    Ipv4.seal(from, ETHERNET);
    Ethernet.addresses(from, 0, destination, station);
    assertEquals(-1, from.asSlice(0, size).mismatch(to.asSlice(0, size)));
  }

  @Property(tries = 5000)
  void readsWithoutOptionsAlone(
      @ForAll Random random, @ForAll @IntRange(min = 0, max = 2) int changes) {
    fill(random);
    from.set(ValueLayout.JAVA_BYTE, 12, (byte) 0x08);
    from.set(ValueLayout.JAVA_BYTE, 13, (byte) 0);
    from.set(ValueLayout.JAVA_BYTE, 14, (byte) 0x45);
    for (int i = 0; i < changes; i++) {
      from.set(ValueLayout.JAVA_BYTE, 11 + random.nextInt(5), (byte) random.nextInt());
    }
    boolean wanted =
        Ethernet.type(from, 0) == Ethernet.TYPE_IPV4
            && Ipv4.version(from, ETHERNET) == 4
            && Ipv4.headerBytes(from, ETHERNET) == Ipv4.MIN_HEADER_BYTES;
    assertEquals(wanted, head.read(from.address()));
  }

  private void fill(Random random) {
    for (int i = 0; i < from.byteSize(); i++) {
      from.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
  }
}
