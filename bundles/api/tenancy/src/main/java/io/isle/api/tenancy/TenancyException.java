package io.isle.api.tenancy;

import io.isle.api.base.IsleException;

/**
 * The failure of a tenancy call: a missing, revoked or insufficient capability, or a refused group.
 */
public final class TenancyException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final String group;
  private final String key;

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   */
  public TenancyException(int code, String message) {
    this(code, message, (Throwable) null);
  }

  /**
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param message for the user
   * @param cause the cause, or null
   */
  public TenancyException(int code, String message, Throwable cause) {
    super(code, message, cause);
    this.group = "";
    this.key = "";
  }

  /**
   * The refusal of a group's key.
   *
   * @param code a code of {@link io.isle.api.base.Errno}
   * @param group the group with the mistake
   * @param key the key with the mistake; the message begins with this key
   * @param reason the mistake and the limit
   */
  public TenancyException(int code, String group, String key, String reason) {
    super(code, key + ": " + reason, null);
    this.group = group;
    this.key = key;
  }

  /** The group with the mistake; empty for other errors. */
  public String group() {
    return group;
  }

  /** The key with the mistake; empty for other errors. */
  public String key() {
    return key;
  }
}
