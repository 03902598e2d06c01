package io.isle.lib.leap.banks;

/** Numbers of LEAP's kernel module, {@code leap_kmod}. No code of Isle uses the device. */
public final class KernelModule {
  /** Name of the character device in /dev; one process opens it at a time. */
  public static final String DEVICE = "leap_tensor";

  /** Bytes of the mapping: receive buffer, then send buffer. */
  public static final long MAP_BYTES = 16L << 20;

  /** Offset of the receive buffer: {@link BankLayout#BANKS} banks. */
  public static final long RX_OFFSET = 0;

  /** Bytes of the receive buffer. */
  public static final long RX_BYTES = 8L << 20;

  /** Offset of the send buffer. */
  public static final long TX_OFFSET = RX_BYTES;

  /** Bytes of the send buffer. */
  public static final long TX_BYTES = 8L << 20;

  /** Waits for a whole frame; returns its bank. */
  public static final int WAIT_DATA = 0x6b01;

  /** Sets the destination's IPv4 address, 4 bytes. */
  public static final int SET_DEST = 0x40046b02;

  /** Sets the port to listen on, 2 bytes. */
  public static final int SET_PORT = 0x40026b03;

  /** Sends the first bytes of the send buffer; 4 bytes with their number. */
  public static final int SEND = 0x40046b04;

  /** Sets the port to send to, 2 bytes. */
  public static final int SET_TX_PORT = 0x40026b05;

  /** Asks for the source of a bank, see {@link Source}. */
  public static final int GET_BANK_SRC = 0xc00c6b06;

  private KernelModule() {}

  /** The argument of {@link #GET_BANK_SRC}: offsets in bytes, host order but for the address. */
  public static final class Source {
    public static final long BANK = 0;

    /** IPv4 address, network order. */
    public static final long ADDRESS = 4;

    /** Port, 2 bytes. */
    public static final long PORT = 8;

    /** Bytes with padding. */
    public static final int BYTES = 12;

    private Source() {}
  }
}
