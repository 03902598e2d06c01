package io.isle.fabric.shm;

import io.isle.lib.ffi.PeerCredentials;

/** The users of processes. */
interface Users {
  /** The users of this machine. */
  Users SYSTEM =
      new Users() {
        private final int own = PeerCredentials.ownUid();

        @Override
        public int own() {
          return own;
        }

        @Override
        public PeerCredentials of(int descriptor) {
          return PeerCredentials.of(descriptor);
        }
      };

  /** The user of this process. */
  int own();

  /** The process at the other end of a connected socket. */
  PeerCredentials of(int descriptor);
}
