package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Dispatches are taken exactly when their arguments are those of the entry. */
class DispatchSignaturePropertyTest {
  private static Fixture fixture;
  private static Context context;
  private static Buffer buffer;

  @BeforeContainer
  static void open() {
    fixture = new Fixture();
    fixture.device.completeAtOnce = true;
    context = fixture.context(ContextSpec.named("signatures").withQueue(4, 4096));
    buffer = context.allocate(64, 0);
  }

  @AfterContainer
  static void close() {
    fixture.close();
  }

  /**
   * An argument as the tenant gives it.
   *
   * @param access with which a buffer is used
   */
  record Given(Kind kind, int access) {}

  @Provide
  Arbitrary<List<Argument>> taken() {
    Arbitrary<Argument> one =
        Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.integers().between(0, 3))
            .as((kind, access) -> new Argument(kind, kind == Kind.BUFFER ? access : 0));
    return one.list().ofMaxSize(16);
  }

  @Provide
  Arbitrary<List<Given>> given() {
    return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.integers().between(1, 3))
        .as(Given::new)
        .list()
        .ofMaxSize(16);
  }

  @Property(tries = 300)
  void whatDoesNotFitIsRefusedAndNamesTheArgument(
      @ForAll("taken") List<Argument> taken, @ForAll("given") List<Given> given) {
    check(taken, given);
  }

  /** Random lists hardly ever fit: so the same with one change at most. */
  @Property(tries = 300)
  void oneChangeIsFound(
      @ForAll("taken") List<Argument> taken, @ForAll("given") List<Given> other, @ForAll int at) {
    List<Given> given = new ArrayList<>();
    for (Argument argument : taken) {
      given.add(new Given(argument.kind(), Math.max(1, argument.access())));
    }
    check(taken, given);
    if (!given.isEmpty() && !other.isEmpty()) {
      given.set(Math.floorMod(at, given.size()), other.getFirst());
      check(taken, given);
    }
    given.addAll(other.subList(0, Math.min(1, other.size())));
    check(taken, given);
  }

  private static void check(List<Argument> taken, List<Given> given) {
    fixture.device.compiler =
        (kind, source, options) -> List.of(new ProgramEntry("kernel", 0, taken));
    try (Program program = context.load(new ProgramSource.OpenClC("x"))) {
      CommandWriter writer = context.writer();
      int[] uses = new int[4];
      for (int access = 1; access < 4; access++) {
        uses[access] = writer.use(buffer, 0, 64, access);
      }
      writer.dispatch(program, 0, 1, 1, 1);
      given.forEach(argument -> write(writer, argument, uses));
      long result = context.submit(writer);
      String mistake = writer.mistake();
      Expected expected = expected(taken, given);
      assertEquals(expected.code, Math.min(0, result), () -> taken + " given " + given);
      assertTrue(mistake.contains(expected.words), () -> mistake + " is not " + expected);
      if (result > 0) {
        assertEquals("", mistake);
        assertEquals(0, context.await(result, -1));
      }
    }
  }

  private static void write(CommandWriter writer, Given argument, int[] uses) {
    CommandWriter ignored =
        switch (argument.kind) {
          case BUFFER -> writer.arg(uses[argument.access]);
          case U32 -> writer.argU32(-1);
          case I32 -> writer.argI32(-1);
          case U64 -> writer.argU64(-1);
          case I64 -> writer.argI64(-1);
          case F32 -> writer.argF32(1.5f);
          case F64 -> writer.argF64(1.5);
        };
  }

  private record Expected(int code, String words) {}

  /** What a second, simple-minded check says. */
  private static Expected expected(List<Argument> taken, List<Given> given) {
    for (int i = 0; i < given.size(); i++) {
      if (i == taken.size()) {
        return new Expected(-Errno.EINVAL, "argument " + i + " of kernel: ");
      }
      Kind wanted = taken.get(i).kind();
      if (given.get(i).kind != wanted) {
        return new Expected(
            -Errno.EINVAL,
            "argument "
                + i
                + " of kernel: "
                + name(given.get(i).kind)
                + " was given, but the program takes "
                + name(wanted));
      }
      if (wanted == Kind.BUFFER && (taken.get(i).access() & ~given.get(i).access) != 0) {
        return new Expected(
            -Errno.EACCES, "argument " + i + " of kernel: the buffer range allows to");
      }
    }
    return given.size() < taken.size()
        ? new Expected(-Errno.EINVAL, "kernel: " + given.size() + " arguments are too few")
        : new Expected(0, "");
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
