package io.isle.tck;

import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Envelopes that are wrong somewhere: refused or failed, and nothing is written. */
final class EnvelopeCases {
  private static final long SIZE = 4096;
  private static final int PATTERN = 0x5a5a5a5a;

  private EnvelopeCases() {}

  static List<Case> all() {
    return List.of(
        spoiled("envelope/header", EnvelopeCases::headers),
        spoiled("envelope/counts", EnvelopeCases::counts),
        spoiled("envelope/op-frames", EnvelopeCases::frames),
        spoiled("envelope/op-code-and-flags", EnvelopeCases::codes),
        spoiled("envelope/binding-ranges", EnvelopeCases::bindings),
        spoiled("envelope/op-ranges", EnvelopeCases::ranges),
        Case.of("envelope/access", EnvelopeCases::access),
        Case.of("envelope/too-long", EnvelopeCases::tooLong),
        Case.of("envelope/place-in-segment", EnvelopeCases::place),
        Case.of("envelope/empty", EnvelopeCases::empty),
        Case.of("envelope/empty-ranges", EnvelopeCases::emptyRanges),
        Case.of("envelope/many-bindings", EnvelopeCases::manyBindings));
  }

  /** A good envelope, spoiled in several ways, one at a time. */
  private static Case spoiled(String name, Consumer<BiConsumer<String, Consumer<Envelope>>> ways) {
    return Case.of(
        name,
        rig -> {
          Map<String, Consumer<Envelope>> all = new LinkedHashMap<>();
          ways.accept(all::put);
          long context = rig.context();
          Rig.Memory memory = rig.memory(context, SIZE);
          rig.success(context, good(memory), "the good envelope");
          memory.cpu().fill((byte) 0);
          for (Map.Entry<String, Consumer<Envelope>> way : all.entrySet()) {
            Envelope envelope = good(memory);
            way.getValue().accept(envelope);
            rig.fails(context, envelope, way.getKey());
            nothingIsWritten(memory, way.getKey());
          }
        });
  }

  private static void nothingIsWritten(Rig.Memory memory, String what) {
    Check.equal(
        -1L,
        memory.cpu().mismatch(MemorySegment.ofArray(new byte[(int) SIZE])),
        what + ": the first byte that was written");
  }

  private static Envelope good(Rig.Memory memory) {
    return new Envelope()
        .memory(memory.id(), 0, SIZE / 2, Envelope.WRITE)
        .fill(0, 0, SIZE / 2, PATTERN);
  }

  private static void headers(BiConsumer<String, Consumer<Envelope>> ways) {
    ways.accept("a wrong magic", e -> e.word(CommandEnvelope.MAGIC, 0x444d4348));
    ways.accept("version 2", e -> e.word(CommandEnvelope.VERSION, 2 | 64 << 16));
    ways.accept("header size 32", e -> e.word(CommandEnvelope.VERSION, 1 | 32 << 16));
    ways.accept("total length 0", e -> e.word(CommandEnvelope.TOTAL_LENGTH, 0));
    ways.accept(
        "a total length beyond the submission",
        e -> e.spoil(b -> length(b, (int) b.byteSize() + 8)));
    ways.accept(
        "a total length below the submission",
        e -> e.spoil(b -> length(b, (int) b.byteSize() - 8)));
  }

  private static void length(MemorySegment bytes, int length) {
    bytes.set(CommandEnvelope.U32, CommandEnvelope.TOTAL_LENGTH, length);
  }

  private static void counts(BiConsumer<String, Consumer<Envelope>> ways) {
    for (int count : new int[] {-1, 1 << 28, 0x08000001}) {
      ways.accept(
          "wait count " + Integer.toUnsignedString(count),
          e -> e.word(CommandEnvelope.WAIT_COUNT, count));
      ways.accept(
          "binding count " + Integer.toUnsignedString(count),
          e -> e.word(CommandEnvelope.BINDING_COUNT, count));
    }
    ways.accept("op count 2 for 1", e -> e.word(CommandEnvelope.OP_COUNT, 2));
    ways.accept("op count 2^32-1", e -> e.word(CommandEnvelope.OP_COUNT, -1));
  }

  private static void frames(BiConsumer<String, Consumer<Envelope>> ways) {
    for (int length : new int[] {0, 4, 8, 31, 33, 40, -8, Integer.MIN_VALUE}) {
      ways.accept("a fill of length " + length, e -> e.opWord(CommandOp.LENGTH, length));
    }
  }

  private static void codes(BiConsumer<String, Consumer<Envelope>> ways) {
    ways.accept("op code 0", e -> e.opWord(CommandOp.CODE, 0));
    ways.accept("op code 99", e -> e.opWord(CommandOp.CODE, 99));
    ways.accept("op flags 1", e -> e.opWord(CommandOp.CODE, CommandOp.FILL | 1 << 16));
  }

  private static void bindings(BiConsumer<String, Consumer<Envelope>> ways) {
    long at = CommandEnvelope.bindings(0);
    ways.accept("memory id 0", e -> e.spoil(b -> set(b, at + Binding.OBJECT, 0)));
    ways.accept("memory id -1", e -> e.spoil(b -> set(b, at + Binding.OBJECT, -1)));
    ways.accept(
        "a length beyond the memory", e -> e.spoil(b -> set(b, at + Binding.LENGTH, 1L << 40)));
    ways.accept(
        "an offset beyond the memory", e -> e.spoil(b -> set(b, at + Binding.OFFSET, 1L << 40)));
    ways.accept("offset + length beyond 2^64", e -> e.spoil(b -> set(b, at + Binding.OFFSET, -8L)));
    ways.accept("access 0", e -> e.word(at + Binding.ACCESS, 0));
    ways.accept("access 34", e -> e.word(at + Binding.ACCESS, 32 | Envelope.WRITE));
  }

  private static void set(MemorySegment bytes, long at, long value) {
    bytes.set(CommandEnvelope.U64, at, value);
  }

  private static void ranges(BiConsumer<String, Consumer<Envelope>> ways) {
    ways.accept("binding index 1 of 1", e -> e.opWord(CommandOp.Fill.DST, 1));
    ways.accept("binding index 2^32-1", e -> e.opWord(CommandOp.Fill.DST, -1));
    ways.accept("a byte beyond the binding", e -> e.opLong(CommandOp.Fill.COUNT, SIZE / 2 + 1));
    ways.accept("2^64-1 bytes", e -> e.opLong(CommandOp.Fill.COUNT, -1));
    ways.accept("an offset beyond the binding", e -> e.opLong(CommandOp.Fill.OFFSET, SIZE));
    ways.accept("offset 2^64-8", e -> e.opLong(CommandOp.Fill.OFFSET, -8));
  }

  private static void access(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.fails(
        context,
        new Envelope().memory(memory.id(), 0, SIZE, Envelope.READ).fill(0, 0, 64, PATTERN),
        "a write through a binding for reading");
    rig.fails(
        context,
        new Envelope()
            .memory(memory.id(), 0, 64, Envelope.WRITE)
            .memory(memory.id(), 64, 64, Envelope.WRITE)
            .copy(0, 0, 1, 0, 64),
        "a read through a binding for writing");
  }

  private static void tooLong(Rig rig) {
    long context = rig.context();
    int most = rig.device().info().maxCommandBytes();
    Check.needs(most < 120_000, "the device accepts longer envelopes than the suite writes");
    Envelope envelope = new Envelope().program(rig.program(context, "noop")).dispatch(0);
    long rest = most + 8 - envelope.build().byteSize();
    while (rest > 0) {
      envelope.dispatch(0);
      rest -= CommandOp.Dispatch.BYTES;
    }
    rig.fails(context, envelope, "an envelope longer than " + most + " bytes");
  }

  private static void place(Rig rig) {
    long context = rig.context();
    rig.success(context, rig.noop(context), "a no-op");
    long size = rig.commands().byteSize();
    rig.failed(rig.submitAt(context, size, 104), "an offset at the segment's end");
    rig.failed(rig.submitAt(context, size - 96, 104), "an end beyond the segment");
    rig.failed(rig.submitAt(context, 1L << 60, 104), "offset 2^60");
    rig.failed(rig.submitAt(context, -8, 104), "offset -8");
    rig.failed(rig.submitAt(context, 0, 0), "length 0");
    rig.failed(rig.submitAt(context, 0, 56), "a length below the header");
    rig.failed(rig.submitAt(context, 0, -8), "length -8");
  }

  private static void empty(Rig rig) {
    rig.success(rig.context(), new Envelope(), "an envelope without operations");
  }

  /** What has no bytes is refused or does nothing; it never stands for a byte, or for all. */
  private static void emptyRanges(Rig rig) {
    long context = rig.context();
    Rig.Memory memory = rig.memory(context, SIZE);
    rig.success(context, good(memory), "the good envelope");
    memory.cpu().fill((byte) 0);
    ends(rig, context, good(memory).opLong(CommandOp.Fill.COUNT, 0));
    nothingIsWritten(memory, "a fill of no bytes");
    for (long offset : new long[] {0, SIZE}) {
      ends(
          rig,
          context,
          new Envelope().memory(memory.id(), offset, 0, Envelope.WRITE).fill(0, 0, 0, PATTERN));
      nothingIsWritten(memory, "a binding of no bytes at " + offset);
    }
    ends(
        rig,
        context,
        new Envelope()
            .memory(memory.id(), 0, 64, Envelope.WRITE)
            .memory(memory.id(), 64, 64, Envelope.READ)
            .copy(0, 0, 1, 0, 0));
    nothingIsWritten(memory, "a copy of no bytes");
    rig.fails(
        context,
        new Envelope().memory(memory.id(), 0, 0, Envelope.WRITE).fill(0, 0, 4, PATTERN),
        "a fill of 4 bytes in a binding of none");
    nothingIsWritten(memory, "a fill beyond a binding of no bytes");
  }

  private static void ends(Rig rig, long context, Envelope envelope) {
    Rig.Sub sub = rig.submit(context, envelope);
    if (sub.code() == 0) {
      var ignored = rig.await(sub);
    }
  }

  /** As many as a submission of a tenant may have. */
  private static void manyBindings(Rig rig) {
    long context = rig.context();
    int count = 64;
    Rig.Memory memory = rig.memory(context, 8L * count);
    Envelope envelope = new Envelope();
    for (int i = 0; i < count; i++) {
      envelope.memory(memory.id(), 8L * i, 8, Envelope.WRITE).fill(i, 0, 8, PATTERN + i);
    }
    Check.needs(
        envelope.build().byteSize() <= rig.device().info().maxCommandBytes(),
        "envelopes of this length");
    rig.success(context, envelope, "an envelope of " + count + " bindings");
    for (int i = 0; i < count; i++) {
      int found = memory.cpu().get(ValueLayout.JAVA_INT, 8L * i);
      Check.equal(PATTERN + i, found, "what was written by binding " + i);
    }
  }
}
