package io.isle.lib.model;

import io.isle.api.base.Errno;

/**
 * Reasons for which a model is refused, in the order of the checks. Messages, commands and tests
 * name them; none is ever renamed.
 */
public enum ModelFault {
  /** The file ends before its header or its parameters do. */
  TRUNCATED(Errno.EINVAL),
  /** The file does not begin with the bytes of a model. */
  BAD_MAGIC(Errno.EINVAL),
  /** A format, or a format of parameters, that this platform does not know. */
  BAD_VERSION(Errno.EINVAL),
  /** More parameters than the setting permits. */
  TOO_LARGE(Errno.EMSGSIZE),
  /** Bytes behind the last part of the file. */
  TRAILING_BYTES(Errno.EINVAL),
  /** The hash is not that of header and parameters. */
  BAD_HASH(Errno.EINVAL),
  /** A reserved field or unused byte is not zero. */
  BAD_RESERVED(Errno.EINVAL),
  /** The file has no signature. */
  UNSIGNED(Errno.EACCES),
  /** The length of the ML-DSA signature is that of no known algorithm. */
  BAD_SIGNATURE_LENGTH(Errno.EACCES),
  /** No trusted key made either signature. */
  NO_TRUSTED_KEY(Errno.EACCES),
  /** The ML-DSA signature is by a trusted key, but the Ed25519 signature by none. */
  BAD_ED25519(Errno.EACCES),
  /** The Ed25519 signature is by a trusted key, but the ML-DSA signature by none. */
  BAD_ML_DSA(Errno.EACCES),
  /** The signatures are by two different keys. */
  SIGNERS_DIFFER(Errno.EACCES),
  /** The key of the signatures is not valid today. */
  KEY_NOT_VALID(Errno.EACCES),
  /** The type of the model is unknown. */
  BAD_TYPE(Errno.EINVAL),
  /** The number of features is outside of its limits. */
  BAD_FEATURES(Errno.EINVAL),
  /** The number of outputs is outside of its limits. */
  BAD_OUTPUTS(Errno.EINVAL),
  /** The parameters name other counts than the header. */
  COUNTS_DIFFER(Errno.EINVAL),
  /** The name of the decision is malformed. */
  BAD_DECISION(Errno.EINVAL),
  /** The time of training is outside of its limits. */
  BAD_TIME(Errno.EINVAL),
  /** A trained range is empty, or its mean lies outside. */
  BAD_RANGE(Errno.EINVAL),
  /** The model is for another decision. */
  OTHER_DECISION(Errno.EINVAL),
  /** The model is for other features or outputs of this decision. */
  OTHER_SCHEMA(Errno.EINVAL),
  /** The serial number is outside of its limits. */
  BAD_SERIAL(Errno.EINVAL),
  /** A model with a higher serial number was loaded before. */
  OLD_SERIAL(Errno.EPERM),
  /** Another model with this serial number was loaded before. */
  SERIAL_REUSED(Errno.EPERM),
  /** A field of the body is outside of its limits. */
  BAD_BODY(Errno.EINVAL),
  /** A path through a tree comes back to a node. */
  CYCLE(Errno.EINVAL),
  /** No path leads to a node, or no leaf to a row. */
  UNREACHABLE(Errno.EINVAL),
  /** A tree is deeper than 32. */
  TOO_DEEP(Errno.EINVAL),
  /** More nodes, trees, layers, neurons, cells or multiplications than permitted. */
  TOO_BIG(Errno.EINVAL),
  /** A sum of the model could leave its number range. */
  OVERFLOW(Errno.EOVERFLOW),
  /** The computed bound is above the header's latency. */
  OVER_HEADER(Errno.ERANGE),
  /** The header's latency is above the time limit of the decision. */
  OVER_BUDGET(Errno.ERANGE),
  /** The first runs of the loaded model did not keep its bound. */
  TOO_SLOW(Errno.ETIME);

  private final int code;

  ModelFault(int code) {
    this.code = code;
  }

  /** The error number of Linux. */
  public int code() {
    return code;
  }

  /** Whether this is a failed check of signatures or keys. */
  public boolean ofSignature() {
    return code == Errno.EACCES;
  }
}
