package io.isle.net.xdp;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameJudge;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.FrameVerdict;
import io.isle.api.net.NetException;
import io.isle.api.net.ProgramLine;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.net.xdp.bpf.Listing;
import io.isle.net.xdp.bpf.ProgramFile;
import io.isle.net.xdp.bpf.RedirectProgram;
import io.isle.net.xdp.judge.TestRunJudge;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Offers {@link FramePrograms}; each load is recorded with its actor and its outcome. */
@Component(service = FramePrograms.class)
public final class FrameProgramsComponent implements FramePrograms {
  private final AuditTrail trail = new AuditTrail(() -> this.audit, NetException::new);
  private final Set<FrameJudge> open = ConcurrentHashMap.newKeySet();

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Audit audit;

  @Activate
  public FrameProgramsComponent() {}

  /** Programs end with the bundle. */
  @Deactivate
  void deactivate() {
    open.forEach(FrameJudge::close);
  }

  @Override
  public byte[] program(FrameMatch match, int map) {
    if (map < 0) {
      throw new NetException(Errno.EINVAL, "map: descriptor " + map + " is negative");
    }
    return ProgramFile.write(RedirectProgram.of(match, map));
  }

  @Override
  public List<ProgramLine> listing(byte[] program) {
    return Listing.of(ProgramFile.read(program));
  }

  @Override
  public FrameJudge load(byte[] program) {
    AuditEvent event =
        AuditEvent.of(Actor.current(), "net.load-program")
            .detail(program.length + " bytes, SHA-256 " + sha256(program));
    return trail.recorded(
        event,
        () -> {
          FrameJudge judge = new Tracked(TestRunJudge.load(ProgramFile.read(program)));
          open.add(judge);
          return judge;
        },
        any -> "test run");
  }

  private static String sha256(byte[] program) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(program));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /** Forgets a judge that its user has closed. */
  private final class Tracked implements FrameJudge {
    private final FrameJudge judge;

    Tracked(FrameJudge judge) {
      this.judge = judge;
    }

    @Override
    public FrameVerdict judge(MemorySegment frame, int repeat) {
      return judge.judge(frame, repeat);
    }

    @Override
    public void close() {
      judge.close();
      open.remove(this);
    }
  }
}
