# Instances: a folder with etc, data, deploy and the control socket. File descriptor 9 holds the
# folder's lock; the JVM inherits it, so the lock lives as long as anybody uses the folder.

instance_dir() { printf '%s/instances/%s' "$ISLE_STATE" "$1"; }

client() { "$DIST/lib/isle/bin/isle-client" "$@"; }

# True if that instance is started; then DIST is what it runs from.
is_running() {
  dir=$(instance_dir "$1")
  [ -r "$dir/dist" ] && [ -S "$dir/control.sock" ] || return 1
  DIST=$(cat "$dir/dist")
  client --dir "$dir" --ping 2>/dev/null
}

# start_time PID: when that process began, in clock ticks since boot; with it a number that was given to
# another process since then is told from the one that was meant.
start_time() {
  [ -n "$1" ] && fields=$(cat "/proc/$1/stat" 2>/dev/null) && is_alive "$1" || return 1
  # shellcheck disable=SC2086
  set -- ${fields##*) }
  printf '%s' "${20}"
}

# record_pid DIR PID: who runs in that folder.
record_pid() { printf '%s %s\n' "$2" "$(start_time "$2")" >"$1/pid"; }

# recorded_pid DIR: the process that was started in that folder, if it still runs.
recorded_pid() {
  read -r recorded began 2>/dev/null <"$1/pid" && [ "$(start_time "$recorded")" = "$began" ] &&
    [ -n "$began" ] && printf '%s' "$recorded"
}

# find_holders DIR: who has the lock of that folder open. Sets PLATFORM, the JVM that runs there, and
# LAUNCHER, the ./isle that it belongs to; empty where there is none.
find_holders() {
  PLATFORM=
  LAUNCHER=
  for process in /proc/[0-9]*; do
    [ "$process/fd/9" -ef "$1/lock" ] || continue
    case $(readlink "$process/exe") in
      */java | */'java (deleted)') PLATFORM=${process##*/} ;;
      */driver-host | */'driver-host (deleted)' | */tile-host | */'tile-host (deleted)') ;;
      *) LAUNCHER=${process##*/} ;;
    esac
  done
}

# left_pid DIR: the platform in that folder that nobody waits for: one that was started, or one whose
# launcher is gone, whatever it left behind.
left_pid() {
  recorded_pid "$1" && return
  find_holders "$1"
  [ -z "$LAUNCHER" ] && [ -n "$PLATFORM" ] && printf '%s' "$PLATFORM"
}

# Takes the lock of a folder; fails if somebody else has it.
lock_dir() {
  mkdir -p "$1" && chmod 700 "$1" || die 1 "cannot write to $1"
  exec 9>"$1/lock"
  flock -n 9 || { exec 9>&-; return 1; }
}

# A folder that nobody else has, under .isle/private; those of ended launchers are removed. One launcher at a time, because a
# new folder is not locked yet.
private_dir() {
  mkdir -p "$ISLE_STATE/private" || die 1 "cannot write to $ISLE_STATE"
  exec 6>"$ISLE_STATE/private.lock"
  flock 6
  for old in "$ISLE_STATE"/private/*; do
    # its launcher may be removing it just now
    [ -d "$old" ] && (flock -n 9 && rm -rf "$old") 2>/dev/null 9>"$old/lock" 6>&-
  done
  DIR=$(mktemp -d "$ISLE_STATE/private/XXXXXX") || die 1 "cannot write to $ISLE_STATE/private"
  PRIVATE_DIR=$DIR
  lock_dir "$DIR"
  exec 6>&-
}

# Fills a folder from the distribution. An old distribution's bundles are forgotten; edited settings
# stay, files that only the boot reads follow the distribution.
prepare_dir() {
  mkdir -p "$1/etc" "$1/data/tmp" "$1/data/log" "$1/deploy"
  [ "$DIST" = "$(cat "$1/dist" 2>/dev/null)" ] && return 0
  rm -rf "$1/data/cache"
  cp -an "$DIST/etc/." "$1/etc/" 2>/dev/null || cp -a --update=none "$DIST/etc/." "$1/etc/"
  for file in config.properties custom.properties startup.properties system.properties \
    jre.properties org.apache.karaf.features.cfg org.apache.karaf.features.xml; do
    [ -f "$DIST/etc/$file" ] && cp -a "$DIST/etc/$file" "$1/etc/$file"
  done
  printf '%s\n' "$DIST" >"$1/dist"
}

# Karaf's own options for a JDK with modules, as its bin/karaf has them.
karaf_jvm() {
  base=$1
  shift
  class_path=$(printf '%s:' "$DIST"/lib/boot/*.jar "$DIST"/lib/jdk9plus/*.jar)
  # shellcheck disable=SC2086
  exec ${DETACH:-} "$JAVA" "@$DIST/lib/isle/jvm.options" "@$DIST/lib/isle/karaf.options" \
    "-javaagent:$DIST/lib/isle/isle-karaf-agent-$ISLE_VERSION.jar" \
    --patch-module "java.base=$(echo "$DIST"/lib/endorsed/org.apache.karaf.specs.locator-*.jar)" \
    --patch-module "java.xml=$(echo "$DIST"/lib/endorsed/org.apache.karaf.specs.java.xml-[0-9]*.jar)" \
    "-Dkaraf.home=$DIST" "-Dkaraf.base=$base" "-Dkaraf.data=$base/data" "-Dkaraf.etc=$base/etc" \
    "-Dkaraf.log=$base/data/log" "-Dkaraf.instances=$base/data/instances" \
    "-Djava.io.tmpdir=$base/data/tmp" "-Disle.caches=$ISLE_STATE/caches" \
    "-Djava.util.logging.config.file=$base/etc/java.util.logging.properties" \
    -Disle.control.socket=control.sock "$@" ${ISLE_JAVA_OPTS:-} \
    -classpath "$class_path" org.apache.karaf.main.Main
}

# boot DIR [JVM options]: starts the platform in the background and waits until it answers.
boot() {
  dir=$1
  shift
  prepare_dir "$dir"
  rm -f "$dir/control.sock"
  (cd "$dir" && karaf_jvm "$dir" -Dkaraf.startLocalConsole=false "$@") \
    </dev/null >"$dir/console.log" 2>&1 8<&- &
  JVM=$!
  "$DIST/lib/isle/bin/isle-client" --dir "$dir" --wait "$JVM" --ping 9>&- &
  await_client "$!"
  code=$?
  [ "$code" -eq 0 ] && return 0
  [ "$code" -eq 130 ] && exit 130
  head -n 20 "$dir/console.log" >&2
  grep -hE ' ERROR |^Caused by' "$dir/data/log/karaf.log" 2>/dev/null | head -n 10 >&2
  keep=$ISLE_STATE/failed-boot.log
  cat "$dir/console.log" "$dir/data/log/karaf.log" >"$keep" 2>/dev/null
  die 1 "the platform did not start; its log is $keep"
}

# Waits for a client in the background; a trap that runs meanwhile passes the signal on to it.
await_client() {
  CLIENT=$1
  wait "$CLIENT"
  code=$?
  while is_alive "$CLIENT"; do
    wait "$CLIENT"
    code=$?
  done
  CLIENT=
  return "$code"
}

# stop_process PID: asks it to end, and ends it after 20 s. Fails if even that does not help.
stop_process() {
  kill -TERM "$1" 2>/dev/null
  await_end "$1" 400 && return 0
  note "process $1 did not end within 20 s of SIGTERM; it gets SIGKILL"
  kill -KILL "$1" 2>/dev/null
  await_end "$1" 200
}

# await_end PID TRIES: waits 50 ms a try.
await_end() {
  tries=$2
  while is_alive "$1"; do
    [ "$tries" -gt 0 ] || return 1
    tries=$((tries - 1))
    sleep 0.05
  done
}

is_alive() {
  [ -r "/proc/$1/stat" ] && state=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  case ${state##*) } in Z* | X* | '') return 1 ;; esac
}

# A port of the loopback interface that nobody listens on. The search starts at a place of this
# process's own, so that two instances that start at once do not meet.
free_port() {
  port=$((8101 + $$ % 1000))
  while grep -qi ":$(printf '%04X' "$port") 0*:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
    port=$((port + 1))
  done
  printf '%s\n' "$port"
}
