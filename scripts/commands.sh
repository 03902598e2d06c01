# The verbs that run something on an instance.

JVM=
CLIENT=
PRIVATE_DIR=

# Nothing stays behind, however the verb ends.
clean_up() {
  code=$?
  trap '' INT TERM HUP
  trap - EXIT
  [ -n "$JVM" ] && stop_process "$JVM" && await_release
  [ -n "$PRIVATE_DIR" ] && rm -rf "$PRIVATE_DIR"
  exit "$code"
}

# A process that the platform had just begun to start holds the lock of a named instance for a moment longer.
await_release() {
  $INSTANCE_GIVEN || return 0
  exec 9>&-
  (flock -w 2 9) 9>"$DIR/lock"
}

on_signal() {
  if [ -n "$CLIENT" ]; then kill -INT "$CLIENT" 2>/dev/null; else exit 130; fi
}

guard() {
  trap clean_up EXIT
  trap on_signal INT TERM HUP
  exec 8<&0
}

# Uses the started instance, or boots one that ends with this verb. Sets DIR, DIST and maybe JVM.
attach_or_boot() {
  if is_running "$INSTANCE"; then
    DIR=$(instance_dir "$INSTANCE")
    return
  fi
  refuse_unresponsive
  build_if_stale
  DIR=$(instance_dir "$INSTANCE")
  if ! $INSTANCE_GIVEN || ! lock_dir "$DIR"; then private_dir; fi
  boot "$DIR" -Dkaraf.startRemoteShell=false "-Disle.control.owner=$$"
}

# A private instance in place of one that was started would answer for another platform.
refuse_unresponsive() {
  pid=$(left_pid "$(instance_dir "$INSTANCE")") || return 0
  die 1 "instance $INSTANCE runs (pid $pid) but does not answer; run ./isle stop to end the instance"
}

# run_client ARGS...: the client in the background, so that signals are passed on while it runs.
run_client() {
  if $VERBOSE; then set -- --verbose "$@"; fi
  "$DIST/lib/isle/bin/isle-client" --dir "$DIR" --as "$ROLE" "$@" <&8 8<&- 9>&- &
  await_client "$!"
}

do_run() {
  if [ $# -eq 0 ]; then
    interactive
    return
  fi
  case $1 in -*) bad_usage "the job file must come before '$1'" ;; esac
  check_run_words "$@"
  guard
  attach_or_boot
  if $JSON; then set -- "$@" --json; fi
  run_client --words job:run "$@"
}

check_run_words() {
  shift
  while [ $# -gt 0 ]; do
    case $1 in --set | --timeline) ;; *) bad_usage "unknown option '$1' of run" ;; esac
    shift 2
  done
}

do_sh() {
  [ $# -eq 1 ] || bad_usage "sh takes one argument: the commands, together in quotes"
  [ -n "$1" ] || bad_usage "sh needs a command"
  line=$1
  if $JSON; then line="$line --json"; fi
  guard
  attach_or_boot
  run_client --line "$line"
}

# model VERB ARGUMENTS...: models serve in an instance that stays.
do_model() {
  case ${1:-} in '' | *[!a-z-]* | -*) bad_usage "model needs the verb of a command model:VERB, such as list" ;; esac
  if ! is_running "$INSTANCE"; then
    refuse_unresponsive
    die 1 "instance $INSTANCE is not started; start the instance with ./isle start"
  fi
  DIR=$(instance_dir "$INSTANCE")
  command=model:$1
  shift
  if $JSON; then set -- "$@" --json; fi
  guard
  run_client --words "$command" "$@"
}

# chaos --seed N --minutes M [--plant DEFECT,...]: always in a private instance, since it restarts bundles
# and kills driver hosts.
do_chaos() {
  seed=
  minutes=
  plant=
  while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || bad_usage "option $1 of chaos needs a value"
    case $1 in
      --seed) seed=$2 ;;
      --minutes) minutes=$2 ;;
      --plant) plant=$2 ;;
      *) bad_usage "unknown option '$1' of chaos" ;;
    esac
    shift 2
  done
  digits=${seed#-}
  case $digits in '' | *[!0-9]*) bad_usage "chaos needs --seed N, where N is a whole number" ;; esac
  case $minutes in '' | *[!0-9.]* | *.*.* | .) bad_usage "chaos needs --minutes M, where M is a number" ;; esac
  for word in $(printf '%s' "$plant" | tr , ' '); do
    case $word in lost | doubled | wrong | leak) ;; *) bad_usage "--plant takes lost, doubled, wrong and leak, separated by commas" ;; esac
  done
  line="chaos:run --seed $seed --minutes $minutes${plant:+ --plant $plant}"
  if $JSON; then line="$line --json"; fi
  guard
  build_if_stale
  private_dir
  boot "$DIR" -Dkaraf.startRemoteShell=false "-Disle.control.owner=$$" -Disle.chaos=true
  run_client --line "$line"
  outcome=$?
  if [ "$outcome" -eq 1 ]; then
    cp "$DIR/data/log/karaf.log" "$ISLE_STATE/chaos.log" && note "the log of the run is $ISLE_STATE/chaos.log"
  fi
  return "$outcome"
}

interactive() {
  if is_running "$INSTANCE"; then
    DIR=$(instance_dir "$INSTANCE")
    exec 8<&0
    while printf 'isle> ' >&2 && IFS= read -r line; do
      [ -z "$line" ] || run_client --line "$line"
    done
    return 0
  fi
  refuse_unresponsive
  guard
  build_if_stale
  DIR=$(instance_dir "$INSTANCE")
  if ! $INSTANCE_GIVEN || ! lock_dir "$DIR"; then private_dir; fi
  prepare_dir "$DIR"
  trap '' INT
  (cd "$DIR" && karaf_jvm "$DIR" -Dkaraf.startLocalConsole=true -Dkaraf.startRemoteShell=false \
    "-Disle.control.owner=$$")
}

do_start() {
  [ $# -eq 0 ] || bad_usage "start takes no arguments"
  if is_running "$INSTANCE"; then
    show_status
    return
  fi
  refuse_unresponsive
  build_if_stale
  DIR=$(instance_dir "$INSTANCE")
  lock_dir "$DIR" || die 1 "instance $INSTANCE is in use by another process"
  trap on_signal INT TERM HUP
  trap 'code=$?; [ "$code" -eq 0 ] || { [ -z "$JVM" ] || stop_process "$JVM"; }; exit "$code"' EXIT
  exec 8<&0
  ISLE_SSH_PORT=$(free_port)
  export ISLE_SSH_PORT
  printf '%s\n' "$ISLE_SSH_PORT" >"$DIR/ssh.port"
  DETACH=setsid
  boot "$DIR" -Dkaraf.startRemoteShell=true
  record_pid "$DIR" "$JVM"
  show_status
}

# Ends the instance by its process, whether it answers or not.
do_stop() {
  [ $# -eq 0 ] || bad_usage "stop takes no arguments"
  DIR=$(instance_dir "$INSTANCE")
  if pid=$(left_pid "$DIR"); then
    stop_process "$pid" || die 1 "instance $INSTANCE (pid $pid) did not end, not even after SIGKILL"
    rm -f "$DIR/pid" "$DIR/ssh.port" "$DIR/control.sock"
    # who was left of the platform, if anybody, still has the lock
    (flock -w 10 9) 9>"$DIR/lock" || note "a process of instance $INSTANCE has not ended yet"
  elif is_running "$INSTANCE"; then
    die 1 "instance $INSTANCE was not started by './isle start'; end the ./isle command that runs in this instance"
  elif find_holders "$DIR" && [ -n "$LAUNCHER" ]; then
    die 1 "instance $INSTANCE is in use by another ./isle (pid $LAUNCHER); end that command"
  fi
  show_status
}

do_status() {
  [ $# -eq 0 ] || bad_usage "status takes no arguments"
  show_status
}

# running: it answers; unresponsive: its process lives but does not answer; stopped.
show_status() {
  dir=$(instance_dir "$INSTANCE")
  find_holders "$dir"
  pid=$(recorded_pid "$dir") || pid=
  port=
  if is_running "$INSTANCE"; then state=running; elif [ -n "${pid:=$PLATFORM}" ]; then state=unresponsive; else state=stopped; fi
  [ "$state" = stopped ] || port=$(cat "$dir/ssh.port" 2>/dev/null)
  if $JSON; then
    printf '{"instance":"%s","state":"%s","pid":%s,"ssh_port":%s}\n' "$INSTANCE" "$state" "${pid:-null}" "${port:-null}"
    return
  fi
  case $state in
    running) echo "instance $INSTANCE is running (pid ${pid:-of another ./isle})" ;;
    unresponsive)
      if [ -n "$LAUNCHER" ]; then
        echo "instance $INSTANCE is in use by another ./isle (pid $LAUNCHER) and does not answer"
      else
        echo "instance $INSTANCE runs (pid $pid) but does not answer; run ./isle stop to end the instance"
      fi
      ;;
    stopped) echo "instance $INSTANCE is stopped" ;;
  esac
}
