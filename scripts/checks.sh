# The verbs that build, measure and tell.

OPENCL_PACKAGES='ocl-icd-libopencl1 pocl-opencl-icd'

# The jars that a module with a main class runs with: its own and those beside it.
module_path() {
  printf '%s/target/%s-%s.jar:%s/target/lib/*' "$ISLE_ROOT/$1" "$2" "$ISLE_VERSION" "$ISLE_ROOT/$1"
}

run_main() {
  class_path=$1
  shift
  # shellcheck disable=SC2086
  ISLE_ROOT=$ISLE_ROOT exec "$JAVA" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    "-Disle.root=$ISLE_ROOT" "-Disle.state=$ISLE_STATE" "-Disle.native.dir=$DIST/lib/isle/bin" ${ISLE_JAVA_OPTS:-} -classpath "$class_path" "$@"
}

do_bench() {
  [ $# -ge 1 ] || bad_usage "bench needs the name of a benchmark"
  [ -d "$ISLE_ROOT/benchmarks" ] || die 1 "this checkout has no benchmarks"
  build_if_stale
  build_module benchmarks
  run_main "$(module_path benchmarks isle-benchmarks)" io.isle.benchmarks.Main "$@"
}

sim_usage() {
  cat <<'EOF'
usage: ./isle sim FILE.yml [--events] [--json]
       ./isle sim --replay FILE [--json]

The first runs the agent and the scheduler of devices under virtual time, with the devices, groups, contexts and events of
the file (docs/simulator.md), and prints the device time of each context and group. The same file gives the same output.
  --events   also every event of the scheduler: time, context, budget and deadline of its server
  --replay   feeds the journal of a live device (accel:journal) to a fresh scheduler and compares every decision
Exit codes: 0 success; 1 refused as on a live device, unreadable file, or a decision that differs from the journal; 2 wrong usage or file.
EOF
}

do_sim() {
  [ $# -ge 1 ] || bad_usage "sim needs a scenario file; see ./isle sim --help"
  [ -d "$ISLE_ROOT/bundles/sim" ] || die 1 "this checkout has no simulator"
  build_if_stale
  build_module bundles/sim
  if $JSON; then set -- "$@" --json; fi
  run_main "$(module_path bundles/sim isle-sim)" io.isle.sim.Main "$@"
}

mltool_usage() {
  cat <<'EOF'
usage: ./isle mltool build FILE.json [--out FILE]               make a model file of its text form
       ./isle mltool inspect FILE                               what a model file says, whoever has signed it
       ./isle mltool eval FILE FILE.csv [--reference]           a model's answers to rows of features, and its errors
       ./isle mltool keygen [NAME] [--ml-dsa 65|87] [--days N]   write NAME.key (secret) and NAME.pub (to be trusted)
       ./isle mltool sign FILE KEY.key [--out FILE]             sign a model file
       ./isle mltool verify FILE KEY.pub...                     whether one of these keys has signed a sound model file
       ./isle mltool verify --alg ALGORITHM --key HEX --msg HEX --sig HEX [--ctx HEX]
                                                                one signature by a raw public key
       ./isle mltool verify --batch                             a JSON object {id?, alg, key, msg, sig, ctx?} a line of
                                                                standard input, {id, valid, reason} a line out

ALGORITHM is ed25519 (RFC 8032) or ml-dsa-44, ml-dsa-65, ml-dsa-87 (FIPS 204, pure). docs/model-format.md has the format of files.
Exit codes: 0 success, all valid; 1 not valid, refused, unreadable; 2 wrong usage, no hexadecimal digits.
EOF
}

do_mltool() {
  case ${1:-} in
    build | eval | inspect | keygen | sign | verify) ;;
    '') bad_usage "mltool needs a verb; see ./isle mltool --help" ;;
    *) bad_usage "mltool has no verb '$1'; see ./isle mltool --help" ;;
  esac
  [ -d "$ISLE_ROOT/bundles/mltool" ] || die 1 "this checkout has no model tool"
  build_if_stale
  build_module bundles/mltool
  if $JSON; then set -- "$@" --json; fi
  run_main "$(module_path bundles/mltool isle-mltool)" io.isle.mltool.Main "$@"
}

do_tck() {
  [ $# -eq 1 ] || bad_usage "tck takes one file: a driver's .so or jar"
  [ -r "$1" ] || die 1 "$1 cannot be read"
  [ -d "$ISLE_ROOT/bundles/tck" ] || die 1 "this checkout has no contract suite"
  build_if_stale
  build_module bundles/tck
  if $JSON; then set -- "$@" --json; fi
  run_main "$(module_path bundles/tck isle-tck)" io.isle.tck.Main "$@"
}

# build_module FOLDER: a module that the distribution does not contain.
build_module() {
  # with ISLE_DIST everything has been built
  [ -z "${ISLE_DIST:-}" ] || [ ! -d "$ISLE_ROOT/$1/target/lib" ] || return 0
  stamp=$ISLE_STATE/$(printf '%s' "$1" | tr / -).stamp
  is_module_stale "$1" || return 0
  need_build_tools
  exec 7>"$ISLE_STATE/build.lock"
  flock 7
  if is_module_stale "$1"; then
    note "building $1"
    touch "$stamp.new"
    quick_maven package -pl "$1" -am 7>&- || exit 1
    mv "$stamp.new" "$stamp"
  fi
  exec 7>&-
}

# is_module_stale FOLDER: against $stamp, and whatever the whole build made since
is_module_stale() {
  [ ! -f "$stamp" ] ||
    [ -n "$(cd "$ISLE_ROOT" && find "$1/src" "$1/pom.xml" "$STAMP" -newer "$stamp" -print -quit 2>/dev/null || echo new)" ]
}

do_package() {
  [ $# -eq 0 ] || bad_usage "package takes no arguments"
  build_if_stale
  archive=$(echo "$ISLE_ROOT"/karaf-assembly/target/isle-karaf-assembly-*.tar.gz)
  [ -r "$archive" ] || die 1 "the archive $archive is missing; run ./isle clean, then try again"
  if $JSON; then printf '{"archive":"%s"}\n' "$(json_text "$archive")"; else printf '%s\n' "$archive"; fi
}

do_version() {
  jdk=none
  if find_jdk; then jdk=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$JAVA_HOME/release"); fi
  if $JSON; then
    printf '{"isle":"%s","karaf":"4.4.10","jdk":"%s"}\n' "$ISLE_VERSION" "$jdk"
  else
    printf 'Isle %s, Karaf 4.4.10, JDK %s\n' "$ISLE_VERSION" "$jdk"
  fi
}

do_clean() {
  [ $# -eq 0 ] || bad_usage "clean takes no arguments"
  for lock in "$ISLE_STATE"/instances/*/lock "$ISLE_STATE"/private/*/lock; do
    [ -e "$lock" ] || continue
    (flock -n 9) 9>"$lock" || die 1 "${lock%/lock} is in use; stop this instance first"
  done
  for held in "$ISLE_STATE"/dist/*-*; do
    [ -d "$held" ] || continue
    (flock -n 4) 4<"$held" || die 1 "$held is in use by a benchmark or another tool; end that program first"
  done
  rm -rf "$ISLE_STATE/dist" "$ISLE_STATE/private" "$ISLE_STATE/caches" "$ISLE_STATE"/*.stamp "$ISLE_STATE"/*.log "$ISLE_STATE"/*.lock
  find "$ISLE_ROOT" -name target -type d -not -path '*/.git/*' -prune -exec rm -rf {} +
  rm -rf "$ISLE_ROOT/native-shims/build"
  note "build results and private instances are deleted; named instances stay in $ISLE_STATE/instances"
}

# doctor: a line a tool; exit 3 if one that is needed is missing.
do_doctor() {
  missing=0
  rows=
  if find_jdk; then report jdk true "$JAVA_HOME"; else report jdk true '' "$JDK_HINT"; fi
  tool mvn true 'apt-get install maven'
  tool make true 'apt-get install make'
  tool cc true 'apt-get install gcc'
  tool flock true 'apt-get install util-linux'
  tool openssl false 'apt-get install openssl (peer of bench dispatch)'
  tool iperf3 false 'apt-get install iperf3 (peer of bench ring)'
  tool sockperf false 'apt-get install sockperf (peer of bench ring)'
  tool ucx_perftest false 'apt-get install ucx-utils (peer of bench ring)'
  library openblas 'libopenblas.so.0' 'apt-get install libopenblas0 (peer of bench programs)'
  library magick 'libMagickWand-*.Q16.so.*' 'apt-get install imagemagick (peer of bench programs)'
  library pcap 'libpcap.so.0.8' 'apt-get install libpcap-dev (peer of bench spin)'
  report opencl false "$(opencl_driver)" "apt-get install $OPENCL_PACKAGES (OpenCL devices)"
  report spin-cc false "$(spin_compiler)" 'a gcc with -mx32, on x86-64: apt-get install gcc (builds handlers of packets; on other CPUs, rules only match)'
  buffers rmem
  buffers wmem
  $JSON && printf '[%s]\n' "$rows"
  [ "$missing" -eq 0 ] || exit 3
}

# The compiler of handlers, where it can be one.
spin_compiler() {
  ! "$ISLE_ROOT/native-shims/spin/spin-cc" --can 2>/dev/null || command -v "${SPIN_CC:-gcc}"
}

# What a socket of a ring asks for: buffer_bytes of a node by default.
RING_BUFFER=8388608

# buffers rmem|wmem: whether the kernel grants as much without CAP_NET_ADMIN; never needed
buffers() {
  limit=$(cat "/proc/sys/net/core/$1_max" 2>/dev/null)
  where=
  [ "${limit:-0}" -lt "$RING_BUFFER" ] || where="net.core.$1_max = $limit"
  report "$1" false "$where" \
    "sysctl -w net.core.$1_max=$RING_BUFFER (buffers of rings; now ${limit:-unknown} bytes are granted at most)"
}

# library NAME FILE INSTALL: where the dynamic linker looks on Debian; never needed
library() { report "$1" false "$(find -L /usr/lib /usr/local/lib -maxdepth 2 -name "$2" 2>/dev/null | head -n 1)" "$3"; }

tool() { report "$1" "$2" "$(command -v "$1" 2>/dev/null)" "$3"; }

# report NAME NEEDED WHERE INSTALL
report() {
  if [ -z "$3" ] && [ "$2" = true ]; then missing=$((missing + 1)); fi
  if $JSON; then
    found=false
    [ -z "$3" ] || found=true
    rows="$rows${rows:+,}{\"name\":\"$1\",\"needed\":$2,\"found\":$found,\"path\":\"$(json_text "$3")\",\"install\":\"${4:-}\"}"
  elif [ -n "$3" ]; then
    printf 'ok       %-8s %s\n' "$1" "$3"
  elif [ "$2" = true ]; then
    printf 'MISSING  %-8s %s\n' "$1" "${4:-}"
  else
    printf 'optional %-8s %s\n' "$1" "${4:-}"
  fi
}
