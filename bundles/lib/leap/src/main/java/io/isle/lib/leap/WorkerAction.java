package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;

/**
 * What a worker does with a control packet. Immutable.
 *
 * @param kind the action
 * @param start first layer to apply; 0 where none is
 * @param end the layer behind the last to apply; for {@link Kind#REFUSE}, behind the last of the
 *     message
 * @param tail the tail flag to apply
 * @param index index of the next worker, for {@link Kind#APPLY_AND_FORWARD}; else 0
 */
public record WorkerAction(Kind kind, int start, int end, boolean tail, int index) {
  /** Kinds of actions. */
  public enum Kind {
    /** Apply the layers, then send the message on to the next worker. */
    APPLY_AND_FORWARD,
    /** Apply the layers, then send an acknowledgement in place of the message. */
    APPLY_AND_ACK,
    /** Send the acknowledgement of another worker on unchanged. */
    PASS_ON,
    /** Neither apply nor send: the message is for a model with more layers; log it. */
    REFUSE
  }

  /**
   * Decides.
   *
   * @param control reader of a control packet
   * @param layers layers of the worker's model; 0: not known
   */
  public static WorkerAction of(ControlReader control, int layers) {
    int type = control.type();
    if (type == Control.ACK) {
      return new WorkerAction(Kind.PASS_ON, 0, 0, false, 0);
    }
    boolean chain = type == Control.RESIZE_CHAIN;
    int last = chain ? control.end(control.workers() - 1) : control.end();
    if (layers > 0 && last > layers) {
      return new WorkerAction(Kind.REFUSE, 0, last, false, 0);
    }
    if (!chain) {
      return new WorkerAction(
          Kind.APPLY_AND_ACK, control.start(), control.end(), control.tail(), 0);
    }
    int mine = control.index();
    boolean forward = mine + 1 < control.workers();
    return new WorkerAction(
        forward ? Kind.APPLY_AND_FORWARD : Kind.APPLY_AND_ACK,
        control.start(mine),
        control.end(mine),
        control.tail(mine),
        forward ? mine + 1 : 0);
  }

  /** Whether the worker applies {@link #start}, {@link #end} and {@link #tail}. */
  public boolean applies() {
    return kind == Kind.APPLY_AND_FORWARD || kind == Kind.APPLY_AND_ACK;
  }

  /**
   * Turns the received packet into the one to send, in place.
   *
   * @return {@code packetBytes}; 0 if nothing is to be sent
   */
  public int write(MemorySegment packet, long offset, int packetBytes) {
    return switch (kind) {
      case APPLY_AND_FORWARD -> {
        ControlWriter.index(packet, offset, index);
        yield packetBytes;
      }
      case APPLY_AND_ACK -> ControlWriter.ack(packet, offset, packetBytes, start, end, tail);
      case PASS_ON -> packetBytes;
      case REFUSE -> 0;
    };
  }
}
