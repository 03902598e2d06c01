package io.isle.lib.model.verify;

/** Result of the verification of one signature. */
public enum Verdict {
  VALID("the signature is valid"),
  KEY_LENGTH("the key does not have the length of the algorithm"),
  SIGNATURE_LENGTH("the signature does not have the length of the algorithm"),
  CONTEXT_LENGTH("the context has more than " + SignatureCheck.MAX_CONTEXT + " bytes"),
  BAD_KEY("the key is not the canonical encoding of a point"),
  BAD_SIGNATURE("the signature is not valid");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** Whether the signature is one of the message by the key. */
  public boolean valid() {
    return this == VALID;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
