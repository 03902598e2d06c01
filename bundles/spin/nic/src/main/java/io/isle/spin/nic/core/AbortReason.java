package io.isle.spin.nic.core;

/** Why a message ends without its tail handler. */
public enum AbortReason {
  /** No packet has arrived for too long. */
  TIMEOUT,
  /** Nothing else can go on. */
  ROOM,
  /** The context recovers. */
  RECOVERY,
  /** The context is detached. */
  DETACH,
  /** Other handlers come. */
  SWAP
}
