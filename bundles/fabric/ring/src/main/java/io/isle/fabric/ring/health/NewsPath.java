package io.isle.fabric.ring.health;

/** The way to a neighbour, for notices and roll calls. Thread-safe. */
public interface NewsPath {
  /** Whether a path to the neighbour is up. */
  boolean isUp();

  /**
   * Sends a frame without a number soon; dropped without a path.
   *
   * @param kind of the frame
   * @param payload its bytes, which stay as they are
   */
  void post(int kind, byte[] payload);

  /** The way to a neighbour of dialect leap, which has no notices. */
  NewsPath NONE =
      new NewsPath() {
        @Override
        public boolean isUp() {
          return false;
        }

        @Override
        public void post(int kind, byte[] payload) {}
      };
}
