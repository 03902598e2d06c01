package io.isle.faces.control;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Lets only the user in that this JVM runs as; the kernel tells who the peer is. */
final class PeerCheck {
  private final UserPrincipal self;

  PeerCheck() throws IOException {
    // The name of the user may be unknown to the system; the owner of our process never is.
    self = Files.getOwner(Path.of("/proc/self"));
  }

  boolean admits(SocketChannel peer) throws IOException {
    return peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(self);
  }
}
