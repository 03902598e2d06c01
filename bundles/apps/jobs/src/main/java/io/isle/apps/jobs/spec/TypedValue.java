package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.data.ElementType;
import java.util.List;

/** A value whose bytes the job file says, laid out as C compilers do. Immutable. */
public sealed interface TypedValue {
  /** Bytes that it takes. */
  int bytes();

  /** What the number of its first byte is a multiple of. */
  int alignment();

  /** For messages: {@code f32}, {@code 4 f32}, {@code struct}. */
  String text();

  /**
   * A scalar, or a vector of 2, 3, 4, 8 or 16; a vector of three takes the room of four.
   *
   * @param numbers with their formulas, if any
   */
  record Numbers(ElementType type, List<Arg.Plain> numbers) implements TypedValue {
    /** Numbers of a vector. */
    static final List<Integer> LANES = List.of(2, 3, 4, 8, 16);

    public Numbers {
      numbers = List.copyOf(numbers);
    }

    @Override
    public int bytes() {
      return type.bytes() * (numbers.size() == 3 ? 4 : numbers.size());
    }

    @Override
    public int alignment() {
      return bytes();
    }

    @Override
    public String text() {
      return numbers.size() == 1 ? type.text() : numbers.size() + " " + type.text();
    }
  }

  /**
   * Bytes as they are.
   *
   * @param digits two hexadecimal ones for each byte
   */
  record Bytes(String digits) implements TypedValue {
    @Override
    public int bytes() {
      return digits.length() / 2;
    }

    @Override
    public int alignment() {
      return 1;
    }

    @Override
    public String text() {
      return "bytes";
    }
  }

  /** A structure; its members stand at multiples of their alignments, and its end, too. */
  record Struct(List<TypedValue> members) implements TypedValue {
    public Struct {
      members = List.copyOf(members);
    }

    /** Where a member begins. */
    public int offset(int member) {
      int at = 0;
      for (int i = 0; i < member; i++) {
        at = aligned(at, members.get(i).alignment()) + members.get(i).bytes();
      }
      return aligned(at, members.get(member).alignment());
    }

    @Override
    public int bytes() {
      int last = members.size() - 1;
      return aligned(offset(last) + members.get(last).bytes(), alignment());
    }

    @Override
    public int alignment() {
      return members.stream().mapToInt(TypedValue::alignment).max().orElse(1);
    }

    private static int aligned(int at, int to) {
      return Math.ceilDiv(at, to) * to;
    }

    @Override
    public String text() {
      return "struct";
    }
  }
}
