package io.isle.benchmarks.net;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.RingBuffer;
import java.io.IOException;
import java.util.Map;

/**
 * Events of the Disruptor between two threads that never sleep, with the fields of a fragment's
 * metadata: {@code DEPTH}. Command: {@code rate N}; the answer is nanoseconds of an event.
 */
final class DisruptorProcess {
  private final RingBuffer<Event> ring;
  private final BatchEventProcessor<Event> consumer;

  /** A fragment's metadata. */
  private static final class Event {
    private long sig;
    private long place;
    private long times;
  }

  private DisruptorProcess(int depth) {
    ring = RingBuffer.createSingleProducer(Event::new, depth, new BusySpinWaitStrategy());
    consumer =
        new BatchEventProcessorBuilder()
            .build(ring, ring.newBarrier(), (event, sequence, last) -> check(event, sequence));
    ring.addGatingSequences(consumer.getSequence());
  }

  private static void check(Event event, long sequence) {
    if (event.sig != sequence || event.place + event.times != 1) {
      throw new IllegalStateException("event " + sequence + " is lost");
    }
  }

  public static void main(String[] args) throws IOException {
    DisruptorProcess process = new DisruptorProcess(Integer.parseInt(args[0]));
    Asked.pin(0);
    Asked.answer(Map.of("rate", process::rate));
  }

  private double rate(int count) {
    long nanos =
        Asked.timed(
            consumer,
            () -> {
              long last = publish(ring, count);
              while (consumer.getSequence().get() != last) {
                Thread.onSpinWait();
              }
              consumer.halt();
            });
    return nanos / (double) count;
  }

  private static long publish(RingBuffer<Event> ring, int count) {
    long sequence = -1;
    for (int i = 0; i < count; i++) {
      sequence = ring.next();
      Event event = ring.get(sequence);
      event.sig = sequence;
      event.place = 1;
      event.times = 0;
      ring.publish(sequence);
    }
    return sequence;
  }
}
