package io.isle.mltool.text;

/** A text is no model. The message has the place and what is expected there. */
public final class TextException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TextException(String message) {
    super(message);
  }
}
