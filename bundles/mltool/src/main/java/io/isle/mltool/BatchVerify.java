package io.isle.mltool;

import io.isle.lib.model.verify.SignatureCheck;
import io.isle.lib.model.verify.Verdict;
import io.isle.lib.signing.Algorithm;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code verify --batch}: a request a line of standard input, see {@link BatchRequest}, and an
 * answer a line, in order. Exit code 0 only if all signatures are valid.
 */
final class BatchVerify {
  /** Longest line, in bytes. */
  static final int MAX_LINE = 16 << 20;

  private static final int BUFFER = 1 << 16;

  private BatchVerify() {}

  static int run(Tool tool) throws IOException {
    InputStream in = new BufferedInputStream(tool.in(), BUFFER);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean all = true;
    while (next(in, line)) {
      all &= answer(line.toByteArray(), tool);
      // whoever waits for answers before the next request gets them
      if (in.available() == 0) {
        tool.out().flush();
      }
    }
    return all ? 0 : 1;
  }

  /** Whether there is a line; of one that is too long as much as shows it. */
  private static boolean next(InputStream in, ByteArrayOutputStream line) throws IOException {
    line.reset();
    int each = in.read();
    if (each < 0) {
      return false;
    }
    for (; each >= 0 && each != '\n'; each = in.read()) {
      if (line.size() <= MAX_LINE) {
        line.write(each);
      }
    }
    return true;
  }

  private static boolean answer(byte[] line, Tool tool) {
    BatchRequest request = new BatchRequest();
    String reason;
    boolean valid = false;
    if (line.length > MAX_LINE) {
      reason = "the line has more than " + MAX_LINE + " bytes";
    } else {
      try {
        request.read(line);
        Verdict verdict = verify(request);
        valid = verdict.valid();
        reason = verdict.text();
      } catch (BatchRequest.Refused e) {
        reason = e.getMessage();
      }
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", request.id());
    fields.put("valid", valid);
    fields.put("reason", reason);
    tool.out().println(Json.object(fields));
    return valid;
  }

  private static Verdict verify(BatchRequest request) throws BatchRequest.Refused {
    Algorithm algorithm = request.algorithm();
    return SignatureCheck.verify(
        algorithm,
        request.needed("key"),
        request.needed("msg"),
        request.needed("sig"),
        request.context());
  }
}
