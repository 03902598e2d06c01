package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Memory on one device; a test says who has it and when it goes. */
final class FakeMemory implements MemoryPins {
  private final String device;
  private final IntSupplier epoch;
  private final BooleanSupplier busy;
  private final Map<Long, Piece> pieces = new LinkedHashMap<>();
  private int issued;

  /** Pins that are open. */
  int pinned;

  /** Where all of it lies. */
  Optional<String> group = Optional.empty();

  /** With which pins are refused; 0: they are not. */
  int refusal;

  /** Whether a pin ends as soon as it is there. */
  boolean fleeting;

  /**
   * @param epoch of the opening that it lies on
   * @param busy whether the thread is within a call of a driver, where nothing can be freed
   */
  FakeMemory(String device, IntSupplier epoch, BooleanSupplier busy) {
    this.device = device;
    this.epoch = epoch;
    this.busy = busy;
  }

  Piece allocate(String tenant, long size) {
    Piece piece = new Piece(Ids.of(Ids.MEMORY, 1, issued++), tenant, size);
    pieces.put(piece.id, piece);
    return piece;
  }

  /** Its contexts are closed. */
  void lose() {
    pieces.clear();
  }

  @Override
  public Pin pin(MemoryObject memory) {
    if (!(memory instanceof Piece piece) || pieces.get(piece.id) != piece) {
      throw new AccelException(Errno.EINVAL, "memory: the object is not memory of this node");
    }
    if (refusal != 0) {
      throw new AccelException(refusal, "the memory cannot be pinned");
    }
    pinned++;
    return new Held(piece);
  }

  @Override
  public Pin pin(Capability capability, Buffer buffer) {
    if (!(buffer instanceof Piece piece)) {
      throw new AccelException(Errno.EINVAL, "buffer: the object is not a buffer of this node");
    }
    if (!piece.tenant.equals(capability.tenant())) {
      throw new AccelException(Errno.EACCES, "buffer: the buffer belongs to another tenant");
    }
    if (piece.closed) {
      throw new AccelException(Errno.ECLOSED, "buffer: the buffer is closed");
    }
    return pin(piece);
  }

  @Override
  public Optional<MemoryObject> find(long memory) {
    return Optional.ofNullable(pieces.get(memory));
  }

  /** Memory with its only buffer. */
  final class Piece implements Buffer, MemoryObject {
    private final long id;
    private final String tenant;
    private final long size;
    private boolean closed;

    Piece(long id, String tenant, long size) {
      this.id = id;
      this.tenant = tenant;
      this.size = size;
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public MemoryObject memory() {
      return this;
    }

    @Override
    public Contents contents() {
      return Contents.VALID;
    }

    @Override
    public int references() {
      return closed ? 0 : 1;
    }

    @Override
    public Mapping map() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class Held implements Pin {
    private final Piece piece;
    private boolean open = true;

    Held(Piece piece) {
      this.piece = piece;
    }

    private void check() {
      if (!alive()) {
        throw new AccelException(Errno.ESTALE, "the pin has ended");
      }
    }

    @Override
    public String device() {
      check();
      return device;
    }

    @Override
    public Optional<String> group() {
      check();
      return group;
    }

    @Override
    public int epoch() {
      check();
      return epoch.getAsInt();
    }

    @Override
    public long memory() {
      check();
      return piece.id;
    }

    @Override
    public long size() {
      check();
      return piece.size;
    }

    @Override
    public Optional<MemorySegment> cpu() {
      return Optional.empty();
    }

    @Override
    public boolean alive() {
      return open && !fleeting;
    }

    @Override
    public void close() {
      if (busy.getAsBoolean()) {
        throw new AssertionError("a pin is closed within a call of the driver");
      }
      if (open) {
        open = false;
        pinned--;
      }
    }
  }
}
