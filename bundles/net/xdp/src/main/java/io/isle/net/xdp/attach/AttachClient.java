package io.isle.net.xdp.attach;

import io.isle.lib.ffi.PeerCredentials;

/** A connection: first a newcomer, then perhaps an app. */
final class AttachClient {
  final int socket;
  final PeerCredentials peer;
  final long acceptedNs;

  /** The name that was asked for; empty before. */
  String app = "";

  /** Null for a newcomer. */
  Attachment attachment;

  AttachClient(int socket, PeerCredentials peer, long acceptedNs) {
    this.socket = socket;
    this.peer = peer;
    this.acceptedNs = acceptedNs;
  }

  boolean isAttached() {
    return attachment != null;
  }
}
