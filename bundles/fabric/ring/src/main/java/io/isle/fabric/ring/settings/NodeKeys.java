package io.isle.fabric.ring.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.fabric.LayerRange;
import io.isle.lib.leap.isle.Hello;
import java.util.List;

/** The keys of {@code io.isle.ring-NAME.cfg}. */
final class NodeKeys {
  static final Setting RING = Setting.string("ring", "ring", "name of the ring");
  static final Setting ROLE =
      Setting.choice(
          "role",
          List.of("master", "worker", "tail", "relay"),
          "worker",
          "master: a tenant sends and receives packets; worker: processes packets by its stage; tail:"
              + " the last worker; relay: passes all packets on unchanged");
  static final Setting DIM =
      Setting.integer(
          "dim", 0, 1 << 28, 0, "numbers of 4 bytes in a packet behind its 8 bytes of header");
  static final Setting PACKET_BYTES =
      Setting.bytes(
          "packet_bytes",
          0,
          NodeSettings.MAX_PACKET,
          0,
          "bytes of a packet, instead of dim; 0: 8 + 4 * dim; control messages need 164");
  static final Setting LAYERS =
      Setting.integer("layers", 0, LayerRange.MAX_LAYERS, 0, "layers of the model; 0: not known");
  static final Setting START =
      Setting.integer("start", 0, LayerRange.MAX_LAYERS, 0, "first layer of a worker");
  static final Setting END =
      Setting.integer(
          "end", 0, LayerRange.MAX_LAYERS, 0, "the layer behind the last layer of a worker");
  static final Setting STAGE =
      Setting.string("stage", "pass", "work on packets: pass, mix, or a stage of another bundle");
  static final Setting PROCESS =
      Setting.choice(
          "process",
          List.of("shared", "own"),
          "shared",
          "where the node runs: in the platform's process, or in one of its own; masters run in the"
              + " platform's");
  static final Setting HEAP_BYTES =
      Setting.bytes(
          "heap_bytes",
          16 << 20,
          1L << 40,
          64 << 20,
          "with process = own: most bytes of Java objects of the process; packets lie outside of"
              + " the heap");
  static final Setting LISTEN =
      Setting.string(
          "listen",
          "",
          "address for the previous node, such as tcp://127.0.0.1:9999; of dialect isle up to four"
              + " addresses separated by commas");
  static final Setting NEXT = Setting.string("next", "", "address of the next node");
  static final Setting PREV_DIALECT =
      Setting.choice(
          "prev.dialect",
          List.of("leap", "isle"),
          "leap",
          "protocol with the previous node: that of LEAP, or that of Isle on both ends");
  static final Setting NEXT_DIALECT =
      Setting.choice(
          "next.dialect", List.of("leap", "isle"), "leap", "protocol with the next node");
  static final Setting WINDOW =
      Setting.integer(
          "window",
          1,
          Hello.MAX_WINDOW,
          Hello.MAX_WINDOW,
          "of dialect isle: packets that are kept for the neighbour until it confirms them");
  static final Setting HEARTBEAT =
      Setting.integer(
          "heartbeat_ms",
          10,
          Hello.MAX_HEARTBEAT_MS,
          250,
          "of dialect isle: milliseconds between two signs of life; after four without one, a"
              + " neighbour counts as dead");
  static final Setting STALL =
      Setting.integer(
          "stall_ms",
          100,
          3_600_000,
          5000,
          "of dialect isle: milliseconds of work on one packet after which a node counts as stuck");
  static final Setting PREV_ADDRESS =
      Setting.string(
          "prev.address",
          "",
          "only source of datagrams, as HOST:PORT; if empty, the first source of a valid datagram"
              + " until it is silent for 5 seconds");
  static final Setting ALLOW =
      Setting.string(
          "allow",
          "",
          "networks of accepted neighbours, as ADDRESS/BITS separated by commas; if empty, all");
  static final Setting PLAINTEXT =
      Setting.bool(
          "plaintext",
          false,
          "whether packets may leave the loopback interface; they are not encrypted, and neighbours"
              + " are not authenticated");
  static final Setting BUFFER_BYTES =
      Setting.bytes(
          "buffer_bytes", 4096, 1 << 30, 8 << 20, "wanted bytes of each buffer of the kernel");
  static final Setting FRAME_TIMEOUT =
      Setting.integer(
          "frame_timeout_ms",
          1,
          600_000,
          1000,
          "milliseconds after which an incomplete frame of datagrams is lost");
  static final Setting REASSEMBLY_BYTES =
      Setting.bytes(
          "reassembly_bytes",
          1 << 16,
          1L << 34,
          64 << 20,
          "most bytes of incomplete frames of datagrams, and, of dialect isle, of kept packets");
  static final Setting SPIN =
      Setting.integer(
          "spin_us",
          0,
          1_000_000,
          50,
          "microseconds that a waiting thread occupies its processor before it sleeps");
  static final Setting PARK =
      Setting.integer(
          "park_ms",
          0,
          600_000,
          30_000,
          "milliseconds that the connections of a stopped transport wait for its next version");

  @SettingsSchema(pid = NodeSettings.FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA =
      List.of(
          RING,
          ROLE,
          DIM,
          PACKET_BYTES,
          LAYERS,
          START,
          END,
          STAGE,
          PROCESS,
          HEAP_BYTES,
          LISTEN,
          NEXT,
          PREV_DIALECT,
          NEXT_DIALECT,
          WINDOW,
          HEARTBEAT,
          STALL,
          PREV_ADDRESS,
          ALLOW,
          PLAINTEXT,
          BUFFER_BYTES,
          FRAME_TIMEOUT,
          REASSEMBLY_BYTES,
          SPIN,
          PARK);

  private NodeKeys() {}
}
